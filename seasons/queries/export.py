"""Reads a season's export (which `manage.py verify --file` proves), its fingerprints, and members' statements."""

from collections.abc import Collection, Iterable
from decimal import Decimal
from typing import Any, NamedTuple

import msgspec
from django.db.models import Q
from msgspec import Struct

from matches.engine.step import EVERYONE
from matches.models.ledger import shown_amount
from matches.queries.log import NotYet
from matches.queries.match_info import Fingerprint, Instant
from seasons.engine import season as rules
from seasons.engine.sentences import REASONS
from seasons.engine.state import ASSETS
from seasons.models import Member, Season, SeasonEntry, SeasonMatch, SeasonNews
from seasons.queries.access import Viewer
from seasons.services.verification import as_file


def exported(season: Season) -> dict[str, Any]:
    """Return the season's export as JSON. Raises `NotYet` before the end."""
    if season.status != Season.Status.ENDED:
        raise NotYet
    found: dict[str, Any] = msgspec.to_builtins(as_file(season, rules.decode(season.state)))
    return found


def may_read_ledger(viewer: Viewer, handle: str) -> bool:
    """Whether a viewer may read the entries of a member, or (without a handle) all: people may read their own, hosts
    all, and everybody all after the end."""
    is_own = handle != "" and handle in (each.handle for each in (viewer.member, viewer.watches) if each)
    return is_own or viewer.sees or viewer.season.status == Season.Status.ENDED


# -- fingerprints ----------------------------------------------------------------------------------------------
# The hash of the log row that announced something to everybody vouches for all rows up to it.
# What only some are told changes no fingerprint, so that fingerprints do not reveal it. Once a season has ended its log
# is public, and its fingerprint is the hash of the last row.


def latest(season: Season) -> Fingerprint | None:
    """Return a season's present fingerprint; None if there is none yet."""
    rows = season.log.order_by("-number")
    if season.status != Season.Status.ENDED:
        rows = rows.filter(news__audience=EVERYONE)
    for digest, time, stored_at in rows.values_list("hash", "season_time", "received_at")[:1]:
        return Fingerprint(digest, season.instant(time) or stored_at)
    return None


def heads_of(news: Iterable[int]) -> dict[int, str]:
    """Return piece of news (id) -> hash of the log at it, for those of these that everybody was told."""
    told = SeasonNews.objects.filter(pk__in=list(news), audience=EVERYONE)
    return dict(told.values_list("pk", "row__hash"))


def heads_of_sources(sources: Collection[str]) -> dict[str, str]:
    """Return the same hashes by sources of notices (`seasons.notices`)."""
    news = {int(number): source for source in sources if (number := source.rpartition(":")[2]).isdecimal()}
    return {news[pk]: head for pk, head in heads_of(news).items()}


# -- a member's statement: every entry of their account, and the balance after it ----------------------------


class Entry(Struct, frozen=True, kw_only=True):
    """A line of an account. Amounts of blood garnets are exact decimals, as text in JSON."""

    at: Instant
    asset: str
    change: int | Decimal
    balance: int | Decimal
    why: str
    note: str
    match: str | None


class StatementLine(Entry, frozen=True, kw_only=True):
    """A line for pages. `match_title`: of the match that it came from or went to; `other`: a member's handle."""

    match_title: str
    other: str


class Flow(NamedTuple):
    """How much of an asset somebody brought into a match, and how much came back."""

    asset: str
    brought: int
    back: int


class Through(NamedTuple):
    """A match between which and the account something has moved."""

    match: str
    title: str
    is_settled: bool
    flows: tuple[Flow, ...]


class Statement(NamedTuple):
    """A member's account outside matches. `has`: balances by asset; `through`: what they took into each match and got
    back; `lines`: all entries. Both begin with the earliest."""

    has: dict[str, int | Decimal]
    through: tuple[Through, ...]
    lines: tuple[StatementLine, ...]


def statement(member: Member) -> Statement:
    """Return the whole account of a member."""
    entries = list(
        SeasonEntry.objects.filter(Q(giver=member) | Q(receiver=member))
        .select_related("match__match", "giver", "receiver")
        .order_by("pk")
    )
    balances = dict.fromkeys(ASSETS, 0)
    lines = tuple(_statement_line(entry, member, balances) for entry in entries)
    has = {asset: shown_amount(asset, amount) for asset, amount in balances.items()}
    return Statement(has, _through(entries, member), lines)


def _through(entries: list[SeasonEntry], member: Member) -> tuple[Through, ...]:
    found: dict[SeasonMatch, dict[str, list[int]]] = {}
    for entry in entries:
        if entry.match is not None:
            flow = found.setdefault(entry.match, {}).setdefault(entry.asset, [0, 0])
            goes_in = entry.reason == "brought"
            is_usual = (entry.giver_id == member.pk) == goes_in  # debts go the other way
            flow[not goes_in] += entry.amount if is_usual else -entry.amount
    return tuple(
        Through(
            match.match.public_id,
            match.match.title,
            match.settled_at is not None,
            tuple(Flow(asset, *flow) for asset, flow in flows.items()),
        )
        for match, flows in found.items()
    )


def _statement_line(entry: SeasonEntry, member: Member, balances: dict[str, int]) -> StatementLine:
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
        match=match.public_id if match else None,
        match_title=match.title if match else "",
        other=other.handle if other else "",
    )
