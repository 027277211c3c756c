"""Games whose settings may change while a match runs: a change is accepted whole or refused at its key."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.engine.errors import ConfigError
from tests.conformance.checks import Views
from tests.conformance.match import Match
from tests.conformance.scripts import NUMBERS, scripts
from tests.conformance.subjects import SUBJECTS, Subject

KINDS = [each for each in SUBJECTS if each.id.endswith("-defaults")]
AMENDABLE = [each for each in KINDS if each.values[0].game.amendable]
every_amendable_game = pytest.mark.parametrize("subject", AMENDABLE)


def varied(value: Any, chance: random.Random) -> Any:
    """Return a JSON value changed in one place: a number more or less, a list's last item gone or repeated."""
    if isinstance(value, list) and value and chance.random() < 0.4:
        return value[:-1] if chance.random() < 0.5 else [*value, value[-1]]
    if isinstance(value, list | dict) and value:
        places = range(len(value)) if isinstance(value, list) else tuple(value)
        place = chance.choice(places)
        changed: Any = value.copy()
        changed[place] = varied(value[place], chance)
        return changed
    if isinstance(value, int) and not isinstance(value, bool):
        return value + chance.choice((-1, 1, 3))
    return chance.choice((0, "30h", "10d", "nothing", None, [], {}))


def in_force(match: Match) -> dict[str, Any]:
    return dict(match.state.config.write())


def amended(match: Match, changes: dict[str, Any]) -> ConfigError | None:
    """Amend the match with every check of a step; return the refusal, if it is one."""
    game, state = match.game, match.state
    stored = game.encode_state(state)
    try:
        step = game.amend(state, changes, match.now)
    except ConfigError as refusal:
        assert game.encode_state(state) == stored, "a refused amendment changed the state"
        return refusal
    assert game.encode_state(state) == stored, "an amendment changed the state that was handed in"
    assert step.state.core.time == match.now, "the state does not know when it is"
    assert not step.postings, "an amendment moves no money"
    assert step.state.config == game.read_config({**in_force(match), **changes}), "another config is in force"
    match._take(step, Views(game, step.state))
    return None


@every_amendable_game
@given(data=st.data())
def test_an_amendment_is_taken_whole_or_refused_at_its_key(subject: Subject, data: st.DataObject) -> None:
    number = data.draw(NUMBERS)
    match = Match(subject, number).play(data.draw(scripts()))
    chance = random.Random(f"amend {number}")
    keys = {option.key for option in subject.game.settings}
    for _ in range(4):
        key = chance.choice(subject.game.amendable)
        refusal = amended(match, {key: varied(in_force(match)[key], chance)})
        if refusal is not None:
            assert refusal.key.split("[")[0].split(".")[0] in keys, f"{refusal.key} leads to no setting"
            assert refusal.message
    assert match.run_out().state.core.phase == "finished"


@every_amendable_game
@given(data=st.data())
def test_what_is_in_force_already_changes_nobodys_view(subject: Subject, data: st.DataObject) -> None:
    match = Match(subject, data.draw(NUMBERS)).play(data.draw(scripts()))
    before = match.views
    refusal = amended(match, {key: in_force(match)[key] for key in subject.game.amendable})
    assert refusal is not None or match.views.__dict__ == before.__dict__


@pytest.mark.parametrize("subject", KINDS)
def test_what_is_not_amendable_is_refused_by_its_name(subject: Subject) -> None:
    game, match = subject.game, Match(subject, 1)
    assert set(game.amendable) <= {option.key for option in game.settings}
    for key, value in in_force(match).items():
        if key not in game.amendable:
            refusal = amended(match, {key: value})
            assert refusal is not None, f"{key} could be changed"
            assert refusal.key == key
