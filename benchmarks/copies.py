"""Copies of a match, for lists with thousands of them. Django has to be set up."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction

from matches.models import Match, Player
from matches.models.match import new_public_id
from matches.models.player import new_nonce

_AT_ONCE = 500


def copies_of(match: Match, count: int, *, player: Any = None, host: Any = None) -> list[Match]:
    """`count` copies of a match without its log and ledger, each made a minute before the last one and due a second
    after it. `player` has the first place in all of them and `host` hosts them; the other places are open."""
    made: list[Match] = []
    with transaction.atomic():
        while len(made) < count:
            copies = [_copy(match, number) for number in range(len(made), min(count, len(made) + _AT_ONCE))]
            made += Match.objects.bulk_create(copies)
            Player.objects.bulk_create(row for copy in copies for row in _players(match, copy, player))
            if host is not None:
                link = Match.hosts.through
                link.objects.bulk_create(link(match_id=copy.pk, user_id=host.pk) for copy in copies)
    return made


def _copy(match: Match, number: int) -> Match:
    copy: Match = _again(match)
    copy.public_id, copy.title = new_public_id(), f"{match.title}, copy {number + 1}"
    copy.created_at = match.created_at - timedelta(minutes=number + 1)
    if match.next_deadline_at is not None:
        copy.next_deadline_at = match.next_deadline_at + timedelta(seconds=number + 1)
    return copy


def _players(match: Match, copy: Match, player: Any) -> list[Player]:
    rows: list[Player] = [_again(row) for row in match.players.order_by("position", "pk")]
    for place, row in enumerate(rows):
        row.match, row.invite_nonce, row.user = copy, new_nonce(), player if place == 0 else None
    return rows


def _again(row: Any) -> Any:
    """A new row with the same values."""
    fields = [field for field in row._meta.concrete_fields if not field.primary_key]
    return type(row)(**{field.attname: getattr(row, field.attname) for field in fields})
