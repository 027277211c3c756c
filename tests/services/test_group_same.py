"""Matches played at random, once by single actions and once by the group writer: every stored row is the same."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest

from matches.engine.draw import Draw
from matches.games import registry
from matches.models import Match, Player, clock
from matches.services import hosting
from matches.services.actions import Answer, submit_action
from matches.services.creation import create_match
from matches.services.deadlines import advance
from matches.services.errors import Refused
from matches.services.group.asks import Ask, Unusual
from matches.services.group.batch import together
from matches.services.group.memory import Memory
from matches.services.joining import add_player
from matches.services.replay import verify
from tests.services.conftest import person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

ROUNDS = 50
SEED = "5e" * 32
NONSENSE = [{"type": "dance"}, None, {"type": "bid", "amount": -1}, {"type": "bid", "seat": "nowhere", "amount": 2**70}]


class Twin:
    """One of two matches that differ in nothing but how actions come in."""

    def __init__(self, slug: str, name: str) -> None:
        self.game = registry.all_games()[slug]
        host = person(f"host-{name}")
        match = create_match(slug, "Twins", hosts=(host,), seed=SEED, config=self.game.endurance)
        self.match_id: int = match.pk
        count = max(self.game.sizes.least, min(6, self.game.sizes.most))
        self.users = {}
        for number in range(count):
            handle = f"p{number}"
            self.users[handle] = person(f"{name}-{handle}").pk
            team = self.game.teams[number % len(self.game.teams)] if self.game.teams else ""
            add_player(match, handle, user_id=self.users[handle], garnets=20, priority=number, team=team)
        hosting.publish(match, match.hosts.get())

    @property
    def match(self) -> Match:
        return Match.objects.get(pk=self.match_id)

    def bot_action(self, handle: str, time: timedelta, draw: Draw) -> Any:
        state = self.game.decode_state(self.match.state)
        return self.game.bot_action(self.game.public_view(state), self.game.private_view(state, handle), time, draw)

    def rows(self) -> dict[str, Any]:
        """Everything stored, without ids, salts, tokens and hashes, which are random."""
        match = self.match
        row = {f"log {name}": list(match.log.order_by("number").values_list(name, flat=True)) for name in _LOG}
        places = {pk: number for number, pk in enumerate(match.log.order_by("number").values_list("pk", flat=True))}
        return {
            "match": {name: getattr(match, name) for name in _MATCH},
            **row,
            "users": [pk is not None for pk in match.log.order_by("number").values_list("user_id", flat=True)],
            "players": list(match.players.order_by("position", "pk").values_list("handle", "version", "action_count")),
            "bids": _placed(places, match.bids.order_by("pk").values_list("placed_by_id", *_BID)),
            "ledger": _placed(places, match.ledger.order_by("pk").values_list("submission_id", *_ENTRY)),
            "holdings": sorted(
                Player.objects.filter(match=match, holdings__isnull=False).values_list(
                    "handle", "holdings__asset", "holdings__amount", "holdings__on_credit"
                )
            ),
            "told": _placed(places, match.announcements.order_by("pk").values_list("submission_id", *_TOLD)),
        }


_MATCH = (
    *("status", "state", "next_deadline_at", "public_version", "log_count", "failures", "fault", "rules_version"),
    *("opened_at", "finished_at", "pregame_ended_at", "anchor_at", "anchor_time", "paused_at", "hold_left"),
)
_LOG = (
    *("number", "kind", "player__handle", "payload", "received_at", "match_time", "accepted"),
    *("code", "message", "field", "key", "own_number"),
)
_BID = (
    *("player__handle", "lot", "asset", "amount", "status", "public"),
    *("placed_at", "placed_time", "settled_at", "settled_time"),
)
_ENTRY = ("giver__handle", "receiver__handle", "asset", "amount", "reason", "note", "at", "match_time")
_TOLD = ("audience", "player__handle", "kind", "data", "at", "match_time", "read_at")


def _placed(places: dict[int, int], rows: Any) -> list[tuple[Any, ...]]:
    """Rows with the log row that caused them by its number."""
    return [(places[cause], *rest) for cause, *rest in rows]


def said(outcome: Any) -> Any:
    """An answer without what is random in it."""
    if not isinstance(outcome, Answer):
        return (type(outcome), getattr(outcome, "code", ""))
    receipt = {k: v for k, v in (outcome.receipt or {}).items() if k not in ("hash", "salt")}
    player = outcome.player
    return (outcome[:4], receipt, outcome.versions, player.version, player.action_count, outcome.match.public_version)


def alone(match_id: int, user_id: int, raw: Any, key: str) -> Any:
    try:
        return submit_action(match_id, user_id, raw, key)
    except Refused as refused:
        return refused


@pytest.mark.parametrize("slug", sorted(registry.all_games()))
def test_every_row_and_every_answer_is_the_same(slug: str, present: clock.FixedTime) -> None:
    one, other, memory, chance = Twin(slug, "one"), Twin(slug, "other"), Memory(), random.Random(slug)
    draws = {handle: Draw(bytes([number] * 32)) for number, handle in enumerate(one.users)}
    accepted = refused = 0
    for number in range(ROUNDS):
        before = one.match.clock.time(present.instant)
        state = one.game.decode_state(one.match.state)
        due = one.game.next_deadline(state)
        if due is not None and number % 12 == 11:
            present.forward(max(due - before, timedelta()))  # passed by the first action, or by the sweep
        else:
            present.forward(timedelta(seconds=chance.choice([1, 20, 300, 2000])))
        if chance.random() < 0.3:
            advance(one.match_id)
            advance(other.match_id)
        time, asks = one.match.clock.time(present.instant), []
        for handle in chance.choices(list(one.users), k=chance.randrange(1, 7)):
            action = one.bot_action(handle, max(time, state.core.time), draws[handle])
            raw = chance.choice(NONSENSE) if action is None or chance.random() < 0.15 else action
            asks.append((handle, raw, chance.choice([*[""] * 6, f"key {number}", f"key {number}", "the same key"])))
        apart = [alone(one.match_id, one.users[handle], raw, key) for handle, raw, key in asks]
        grouped = [
            alone(other.match_id, other.users[handle], raw, key) if outcome is Unusual.ALONE else outcome
            for (handle, raw, key), outcome in zip(
                asks,
                together([Ask(other.match_id, other.users[handle], raw, key) for handle, raw, key in asks], memory),
                strict=True,
            )
        ]
        for first, second in zip(apart, grouped, strict=True):
            # An earlier answer of the group tells of the match as it was stored in the end.
            assert said(first)[:3] == said(second)[:3]
        accepted += sum(isinstance(each, Answer) and each.accepted for each in apart)
        refused += sum(not isinstance(each, Answer) or not each.accepted for each in apart)
    assert accepted > 5
    assert refused > 10
    assert one.rows() == other.rows()
    assert verify(other.match) == []
