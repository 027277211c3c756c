"""What the page of a correction, a decision or an amendment says about its end, and what it must not say."""

from typing import Any

import pytest

from matches.engine.core import PRIORITY
from matches.models import Match, Player
from matches.services import hosting
from matches.services.creation import create_match
from matches.services.deadlines import advance
from matches.services.group.queue import submit
from matches.services.joining import add_player
from tests.admin.conftest import Console
from tests.engine.tiny_game import GAME as TINY
from tests.engine.tiny_game import TinyGame

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tiny")]


@pytest.fixture
def table(console: Console, host: Any, players: list[Any]) -> Match:
    """A match of the tiny game of ann, bob and cat that has just begun."""
    match = create_match(TINY.slug, "Small table", hosts=(host,))
    for user in players:
        add_player(match, user.username, user=user, garnets=5, priority=1)
    hosting.start_now(match, host)
    console.match = match
    match.refresh_from_db()
    return match


def correction(console: Console, match: Match, asset: str, amount: int) -> str:
    ann = Player.objects.get(match=match, handle="ann")
    return console.ask("correct", player=ann.pk, asset=asset, amount=amount, reason="r")


def test_a_running_match_tells_what_everybody_will_see_and_nothing_that_is_sealed(
    console: Console, table: Match, players: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = correction(console, table, PRIORITY, 3)
    assert "Everybody will then see: players, ann, priority: 1 → 4." in page

    # What can be taken, and what becomes of a private balance, is not even asked of the rules: nobody learns it by
    # trying. A control: they are asked about what is public.
    asked: list[tuple[str, int]] = []
    correct = TinyGame.correct

    def noted(self: Any, state: Any, player: str, asset: str, amount: int, now: Any) -> Any:
        asked.append((asset, amount))
        return correct(self, state, player, asset, amount, now)

    monkeypatch.setattr(TinyGame, "correct", noted)
    pages = []
    for sealed in (1, 10):  # ten chips are all that ann has
        submit(table.pk, players[0].pk, {"type": "bid", "amount": sealed})
        before = Match.objects.get(pk=table.pk)
        pages.append([correction(console, table, *what) for what in (("chip", -1), ("chip", 3), (PRIORITY, -9))])
        after = Match.objects.get(pk=table.pk)
        assert (after.log_count, after.state) == (before.log_count, before.state), "nothing is written"
    for one, other in zip(*pages, strict=True):
        assert _without_keys(one) == _without_keys(other)
    assert "it may depend on what is sealed" in pages[0][0]
    assert "Only the player sees the new balance" in pages[0][1]
    assert asked == []
    correction(console, table, PRIORITY, 1)
    assert asked == [(PRIORITY, 1)]


def _without_keys(page: str) -> list[str]:
    """A page without what differs with each request."""
    return [line for line in page.splitlines() if "csrfmiddleware" not in line and 'name="key"' not in line]


def test_a_decision_tells_what_it_settles_unless_that_is_secret(
    console: Console, host: Any, players: list[Any]
) -> None:
    """A name is open, so the page says who will be candidate; of votes it says nothing."""
    naming = {"polls": [{"key": "ec", "kind": "name", "deciders": ["ann"], "options": ["bob", "cat"]}]}
    voting = {"polls": [{"key": "ec", "kind": "vote", "deciders": ["ann", "bob"], "options": ["cat", "bob"]}]}
    for ending, kind in ((naming, "name_candidate"), (voting, "vote")):
        match = create_match(TINY.slug, f"Ends with {kind}", hosts=(host,), config={"ending": ending})
        for user in players:
            add_player(match, user.username, user=user)
        hosting.start_now(match, host)
        hosting.close_deadline(match, host)
        advance(match.pk)
        match.refresh_from_db()
        console.match = match
        page = console.ask("decide", decision=f"ann:{kind}", chosen="cat", reason="ill")
        assert "What will happen" in page
        if kind == "vote":
            assert "Everybody will then see" not in page
            assert "it may depend on secrets" in page
        else:
            assert "Everybody will then see: candidate 1: new, cat." in page
        assert Match.objects.get(pk=match.pk).log_count == match.log_count
