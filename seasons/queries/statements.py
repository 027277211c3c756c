"""A member's statement: every entry of their account, and what they have after it."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from django.db.models import Q

from matches.models.ledger import shown_amount
from seasons.engine.sentences import REASONS
from seasons.engine.state import ASSETS
from seasons.models import Member, SeasonEntry, SeasonMatch


class StatementLine(NamedTuple):
    """One entry. `change` is below zero for what was given; `balance`: of that asset, after it; `match` is the public
    id and `match_title` the title of the match that it came from or went to; `other`: a member's handle."""

    at: datetime
    asset: str
    change: int | Decimal
    balance: int | Decimal
    why: str
    note: str
    match: str
    match_title: str
    other: str


class Flow(NamedTuple):
    """How much of an asset somebody brought into a match, and how much came back."""

    asset: str
    brought: int
    back: int


class Through(NamedTuple):
    """A match that somebody has brought something into, or something back from."""

    match: str
    title: str
    is_settled: bool
    flows: tuple[Flow, ...]


class Statement(NamedTuple):
    """A member's account: `has` is what is on it by asset, outside of matches; `through` what they brought into each
    match and back from it, the earliest first; `lines` all entries, the earliest first."""

    has: dict[str, int | Decimal]
    through: tuple[Through, ...]
    lines: tuple[StatementLine, ...]


def statement(member: Member) -> Statement:
    """The whole account of a member."""
    entries = list(
        SeasonEntry.objects.filter(Q(giver=member) | Q(receiver=member))
        .select_related("match__match", "giver", "receiver")
        .order_by("pk")
    )
    balances = dict.fromkeys(ASSETS, 0)
    lines = tuple(_line(entry, member, balances) for entry in entries)
    has = {asset: shown_amount(asset, amount) for asset, amount in balances.items()}
    return Statement(has, _through(entries, member), lines)


def _through(entries: list[SeasonEntry], member: Member) -> tuple[Through, ...]:
    found: dict[SeasonMatch, dict[str, list[int]]] = {}
    for entry in entries:
        if entry.match is not None:
            flow = found.setdefault(entry.match, {}).setdefault(entry.asset, [0, 0])
            flow[entry.receiver_id == member.pk] += entry.amount
    return tuple(
        Through(
            match.match.public_id,
            match.match.title,
            match.settled_at is not None,
            tuple(Flow(asset, *flow) for asset, flow in flows.items()),
        )
        for match, flows in found.items()
    )


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
        other=other.handle if other else "",
    )
