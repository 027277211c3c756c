"""What-ifs and forecasts of every game: an answer or a reason, the same each time, and the views stay unchanged."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.engine.actions import decode_action
from matches.engine.draw import Draw
from matches.engine.errors import Rejected
from tests.conformance.checks import check_rejection
from tests.conformance.match import Match
from tests.conformance.mutations import made_up, mutated
from tests.conformance.scripts import NUMBERS, matches, scripts
from tests.conformance.subjects import KINDS, Subject, every_kind_of_game

every_game_with_questions = pytest.mark.parametrize(
    "subject", [each for each in KINDS if each.values[0].game.questions]
)
few = settings(max_examples=10)  # each asks several questions from the views of everybody
encode = msgspec.json.encode


def views_of(match: Match) -> list[tuple[Any, Any]]:
    """Return the views that a question can be asked with: none, the board, and the board with each player's own."""
    public = match.game.public_view(match.state)
    own = [(public, match.game.private_view(match.state, player)) for player in match.names]
    return [(None, None), (public, None), *own]


def told(match: Match, raw: Any, views: tuple[Any, Any]) -> bytes:
    """Return the answer as programs get it, or the refusal."""
    try:
        return encode(match.game.ask(raw, *views))
    except Rejected as rejection:
        check_rejection(rejection)
        return encode([rejection.code, rejection.message, rejection.field])


def would_take(match: Match, player: str, raw: Any) -> bool:
    try:
        match.game.submit(match.state, player, raw, match.now, match.draw)
    except Rejected:
        return False
    return True


@every_game_with_questions
@few
@given(data=st.data())
def test_any_question_gets_an_answer_or_a_reason(subject: Subject, data: st.DataObject) -> None:
    match, number = data.draw(matches(subject)).play(data.draw(scripts())), data.draw(NUMBERS)
    types = match.game.questions
    for place in range(6):
        chance = Draw(f"{number}:{place}".encode().ljust(32, b"?"))
        raw = made_up(types, match.names, chance) if place % 2 else mutated(types, None, match.names, chance)
        for views in views_of(match):
            before = encode(views)
            assert told(match, raw, views) == told(match, raw, views)
            assert encode(views) == before


@every_kind_of_game
@few
@given(data=st.data())
def test_whatever_the_rules_would_take_has_a_forecast(subject: Subject, data: st.DataObject) -> None:
    match, number = data.draw(matches(subject)).play(data.draw(scripts())), data.draw(NUMBERS)
    game, public = match.game, match.game.public_view(match.state)
    for place, player in enumerate(match.names):
        chance = Draw(f"{number}:{place}".encode().ljust(32, b"!"))
        action = match.bot_action(player, chance) if place % 2 else made_up(game.actions, match.names, chance)
        if action is None or not would_take(match, player, action):
            continue
        private, decoded = game.private_view(match.state, player), decode_action(game.actions, action)
        before = encode((public, private))
        assert game.forecast(public, private, decoded) == game.forecast(public, private, decoded)
        assert encode((public, private)) == before
