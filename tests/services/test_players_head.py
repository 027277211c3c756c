"""Whatever changes who plays, or what is read with them, moves the head of the log: by it everybody who keeps players
in memory (`services.committed`) knows that theirs are old. Only versions, and when a bot looks next, move without it,
in transactions that are nothing but play."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from matches.engine.ledger import BLOOD_GARNET
from matches.models import Holding, Match, Player
from matches.services import blood, hosting, joining, roster
from tests.fixtures.present import START
from tests.services.conftest import DAY, HOUR, Table, person

pytestmark = [pytest.mark.django_db, pytest.mark.both]

MOVES_ALONE = {"version", "action_count", "bot_acts_at"}


def players(match: Match) -> list[tuple[Any, ...]]:
    """All that boards read of a match's players."""
    names = [field.attname for field in Player._meta.concrete_fields if field.attname not in MOVES_ALONE]
    held = dict(Holding.objects.filter(player__match=match, asset=BLOOD_GARNET).values_list("player_id", "amount"))
    return [(*row, held.get(row[0])) for row in Player.objects.filter(match=match).order_by("pk").values_list(*names)]


def moves_the_head(match: Match, thing: Callable[[], object]) -> None:
    before, head = players(match), Match.objects.get(pk=match.pk).log_count
    thing()
    assert players(match) != before
    assert Match.objects.get(pk=match.pk).log_count > head


def test_before_the_match_begins(present: Any) -> None:
    table = Table(present)
    match, host = table.match, table.host
    change, ann = roster.change_players, table.player("ann")
    Match.objects.filter(pk=match.pk).update(joining="open", places=8, open_places="without")
    moves_the_head(match, lambda: joining.add_player(table.match, "dan"))
    moves_the_head(match, lambda: change(table.match, host, [roster.PlayerChange(ann.pk, {"name": "Anna"})]))
    moves_the_head(match, lambda: change(table.match, host, [roster.PlayerChange(ann.pk, {"user": None})]))
    moves_the_head(match, lambda: roster.renew_invitation(table.match, host, table.player("ann")))
    moves_the_head(match, lambda: joining.claim(joining.invitation_of(table.player("ann")), person("zoe")))
    moves_the_head(match, lambda: change(table.match, host, [roster.PlayerChange(ann.pk, remove=True)]))
    hosting.publish(table.match, host, START + HOUR)
    guest = person("guest")
    moves_the_head(match, lambda: joining.join(table.match, guest))
    moves_the_head(match, lambda: joining.leave(table.match, guest))
    moves_the_head(match, lambda: table.at(HOUR).advance())  # without the open place


def test_while_it_runs(table: Table) -> None:
    match, host = table.match, table.host
    table.at(DAY + HOUR).advance()
    hosting.switch_blood_garnets(table.match, host, True)
    moves_the_head(
        match, lambda: hosting.correct_balance(table.match, host, table.player("ann"), BLOOD_GARNET, 50_000, "a prize")
    )
    moves_the_head(match, lambda: [table.at(timedelta(days=9)), blood.grow(match.pk)])
