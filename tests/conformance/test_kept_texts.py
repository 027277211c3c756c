"""What was rendered is kept as long as nothing changes that it shows, and not a moment longer: of every game, in every
phase, for everybody and for a player, whichever field of a view or of a row changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from matches.engine.core import PHASES
from matches.engine.game import AnyGame
from matches.engine.ledger import BLOOD_GARNET
from matches.games import registry
from matches.models import Holding, Match, Player
from matches.pages import noted, rendering
from tests.conformance.staging import Standing, standings, stored
from tests.conformance.subjects import WITH_FOLDERS, every_game
from tests.engine.tiny_game import GAME as TINY
from tests.example_game import GAME as EXAMPLE
from tests.fixtures.chosen import one_in
from tests.fixtures.present import START

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _the_example_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "all_games", lambda: {**WITH_FOLDERS, TINY.slug: TINY})


class Staged:
    """A position whose views and rows a test changes. It is a new one at each look, as after a read."""

    def __init__(self, match: Match, player: Player, public: Any, private: Any) -> None:
        self.match, self.player = match, player
        self.public, self.private = public, private

    def private_of(self, player: Player | None) -> Any:
        return self.private if player == self.player else None

    def changed(self, **how: Any) -> Staged:
        return Staged(*({"match": self.match, "player": self.player, **vars(self), **how}.values()))


def staged(standing: Standing) -> Staged:
    """A stored match, as its second player sees it."""
    match = stored(standing)
    position = rendering.position_of(match)
    player = match.players.all()[1]
    return Staged(match, player, position.public, position.private_of(player))


def shown(position: Any, later: float = 0) -> dict[str, str]:
    """All parts, for everybody and for the player; what cannot be shown by its error."""
    now = START + timedelta(seconds=later)
    found = {}
    for parts in (
        lambda: rendering.public_parts(position, now),
        lambda: rendering.private_parts(position, position.player, now),
    ):
        try:
            found |= parts()
        except Exception as error:  # a made-up view may be one that no template can show
            found[f"error {len(found)}"] = repr(error)
    return found


@contextmanager
def kept(texts: dict[Any, Any], reads: dict[Any, Any] | None = None) -> Iterator[None]:
    """Within the block these texts are kept, and what was read; afterwards what was kept before."""
    before = [(place, dict(place)) for place in (noted._texts, rendering._read)]
    for place, _ in before:
        place.clear()
    noted._texts.update(texts)
    rendering._read.update(reads or {})
    try:
        yield
    finally:
        for place, content in before:
            place.clear()
            place.update(content)


def kept_of(position: Staged) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """The texts of a position, and what was read for them."""
    with kept({}):
        shown(position.changed())
        return dict(noted._texts), dict(rendering._read)


def shown_afresh(position: Staged, reads: dict[Any, Any] | None = None) -> dict[str, str]:
    """What a position shows where no text was kept."""
    with kept({}, reads):
        return shown(position.changed())


def outdated(before: Staged, after: Staged) -> list[str]:
    """The parts that are shown as they were before, though they are not so any more."""
    shown(before.changed())
    told, wanted = shown(after), shown_afresh(after)
    return [name for name in wanted if told.get(name) != wanted[name]]


def variants(value: Any) -> Iterator[Any]:
    """Values that differ a little from this one, at every place in it."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield value + 1
    elif isinstance(value, str):
        yield from PHASES if value in PHASES else (f"{value}?",)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            for each in variants(getattr(value, name)):
                yield msgspec.structs.replace(value, **{name: each})
    elif isinstance(value, dict) and value:
        yield dict(list(value.items())[:-1])
        yield dict(reversed(value.items()))
        first = next(iter(value))
        for each in variants(value[first]):
            yield {**value, first: each}
    elif isinstance(value, tuple) and value and not hasattr(value, "_fields"):
        yield value[:-1]
        yield (*value, value[-1])
        for each in variants(value[-1]):
            yield (*value[:-1], each)


@every_game
def test_no_field_of_a_view_can_change_unseen(game: AnyGame) -> None:
    told = 0
    for standing in {each.state.core.phase: each for each in standings(game)}.values():
        before = staged(standing)
        # What is read for a page is of its rows, and these stay as they are: no change of a view needs it again.
        texts, reads = kept_of(before)
        first = shown_afresh(before, reads)
        changes = [before.changed(public=each) for each in variants(before.public)]
        changes += [before.changed(private=each) for each in variants(before.private)]
        for after in one_in(9, changes):  # each takes long
            wanted = shown_afresh(after, reads)
            with kept(texts, reads):
                assert shown(after) == wanted
            told += wanted != first
    assert told


def _set(**fields: Any) -> Callable[[Match], None]:
    return lambda match: [setattr(match, name, value) for name, value in fields.items()] and None


ROWS: dict[str, Callable[[Match], None]] = {
    "cancelled": _set(status=Match.Status.CANCELLED),
    "paused": _set(status=Match.Status.PAUSED, paused_at=START - timedelta(hours=1)),
    "title": _set(title="Another title"),
    "start": _set(starts_at=START + timedelta(days=2), start_problem="There is no table."),
    "speed": _set(speed=8),
    "clock": _set(anchor_at=START - timedelta(hours=5)),
    "match time": _set(anchor_time=timedelta(days=3)),
    "deadline": _set(next_deadline_at=START + timedelta(hours=3)),
    "end": _set(finished_at=START - timedelta(days=4)),
    "growth": _set(blood_garnets=True),
    "next growth": _set(blood_garnets=True, blood_grows_at=START + timedelta(hours=7)),
    "places": _set(places=23),
}


@every_game
def test_no_field_of_the_match_can_change_unseen(game: AnyGame) -> None:
    for standing in {each.state.core.phase: each for each in standings(game)}.values():
        before = staged(standing)
        Holding.objects.create(player=before.player, asset=BLOOD_GARNET, amount=20_000)
        texts, _ = kept_of(before)
        for name, change in one_in(3, list(ROWS.items()), PHASES.index(standing.state.core.phase)):
            match = Match.objects.prefetch_related("players").get(pk=before.match.pk)
            change(match)
            after = before.changed(match=match)
            wanted = shown_afresh(after)
            with kept(texts):
                assert shown(after) == wanted, name


@pytest.fixture
def before() -> Staged:
    return staged(next(each for each in standings(EXAMPLE) if each.state.core.phase == "running"))


def read_again(staged: Staged) -> Staged:
    match = Match.objects.prefetch_related("players").get(pk=staged.match.pk)
    return staged.changed(match=match, player=Player.objects.get(pk=staged.player.pk))


@pytest.mark.parametrize(
    "change", [{"name": "Someone else"}, {"team": "red"}, {"is_bot": True, "user": None}, {"user": None}]
)
def test_no_change_of_a_player_is_unseen(before: Staged, change: dict[str, Any]) -> None:
    other = before.match.players.all()[0]
    Player.objects.filter(pk=other.pk).update(**change)
    assert outdated(before, read_again(before)) == []


def test_what_is_read_for_a_player_is_seen_with_their_next_version(before: Staged) -> None:
    shown(before)
    Holding.objects.create(player=before.player, asset=BLOOD_GARNET, amount=20_000)
    Player.objects.filter(pk=before.player.pk).update(version=before.player.version + 1)
    after = read_again(before)
    assert outdated(before, after) == []
    assert "blood garnets" in shown(after)["panel"]


def test_words_of_a_countdown_are_kept_for_a_minute_at_most_and_for_a_page_for_seconds(before: Staged) -> None:
    def status(later: float, **how: Any) -> str:
        return rendering.public_parts(before.changed(), START + timedelta(seconds=later), **how)["status"]  # type: ignore[arg-type]

    first = status(0)
    assert status(59) == first
    assert status(6, exact=True) != first
    again = status(70)
    assert again not in (first, status(6, exact=True))


# -- controls: what is left out is found -----------------------------------------------------------


def _forgets(monkeypatch: pytest.MonkeyPatch, source: str, name: str) -> None:
    """Let one attribute be looked up without a note."""
    real = noted.Noted.__getattr__

    def careless(self: noted.Noted, attribute: str) -> Any:
        value = real(self, attribute)
        of, _, reads = self._noted
        if (of, attribute) == (source, name):
            del reads[source, name]
        return value

    monkeypatch.setattr(noted.Noted, "__getattr__", careless)


@pytest.mark.parametrize(("source", "name"), [("own", "balances"), ("view", "phase"), ("match", "status")])
def test_a_planted_field_that_is_not_noted_is_found(
    before: Staged, source: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _forgets(monkeypatch, source, name)
    match = Match.objects.prefetch_related("players").get(pk=before.match.pk)
    match.status = Match.Status.CANCELLED
    after = {
        "own": before.changed(private=msgspec.structs.replace(before.private, balances={"token": 99})),
        "view": before.changed(public=msgspec.structs.replace(before.public, phase="decision")),
        "match": before.changed(match=match),
    }
    assert outdated(before, after[source]) != []


def test_a_version_that_does_not_move_is_found(before: Staged) -> None:
    shown(before)
    Holding.objects.create(player=before.player, asset=BLOOD_GARNET, amount=20_000)
    assert outdated(before, read_again(before)) == ["panel"]


def test_another_player_is_never_given_what_was_kept(before: Staged) -> None:
    own = shown(before)["purse"]
    other = before.match.players.all()[0]
    view = msgspec.structs.replace(before.private, handle=other.handle, balances={"token": 99})
    assert rendering.private_parts(before.changed(player=other, private=view), other, START)["purse"] != own  # type: ignore[arg-type]
