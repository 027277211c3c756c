"""A member's statement: every entry of their account, and what they have after it."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from django.db.models import Q

from matches.models.ledger import shown_amount
from seasons.engine.sentences import REASONS
from seasons.models import Member, SeasonEntry


class StatementLine(NamedTuple):
    """One entry. `change` is below zero for what was given; `balance`: of that asset, after it; `match` is the public
    id and `match_title` the title of the match that it came from or went to; `other`: a member's name."""

    at: datetime
    asset: str
    change: int | Decimal
    balance: int | Decimal
    why: str
    note: str
    match: str
    match_title: str
    other: str


def statement(member: Member) -> list[StatementLine]:
    """All entries of a member's account, the earliest first."""
    entries = (
        SeasonEntry.objects.filter(Q(giver=member) | Q(receiver=member))
        .select_related("match__match", "giver", "receiver")
        .order_by("pk")
    )
    balances: dict[str, int] = defaultdict(int)
    return [_line(entry, member, balances) for entry in entries]


def _line(entry: SeasonEntry, member: Member, balances: dict[str, int]) -> StatementLine:
    change = entry.amount if entry.receiver_id == member.pk else -entry.amount
    balances[entry.asset] += change
    other = entry.giver if entry.receiver_id == member.pk else entry.receiver
    match = entry.match.match if entry.match else None
    return StatementLine(
        at=entry.at,
        asset=entry.asset,
        change=shown_amount(entry.asset, change),
        balance=shown_amount(entry.asset, balances[entry.asset]),
        why=REASONS.get(entry.reason, entry.reason),
        note=entry.note,
        match=match.public_id if match else "",
        match_title=match.title if match else "",
        other=other.shown_name if other else "",
    )
