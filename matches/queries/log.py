"""The log of a match: its open rows, the fingerprints that everybody is told, a player's own receipts, and the file of
a match that is over.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from matches.engine.chain import ExportedEntry
from matches.engine.errors import MALFORMED
from matches.engine.match_type import MatchType
from matches.engine.step import EVERYONE
from matches.infra.text import iso
from matches.models import Announcement, LedgerEntry, Match, Player, Submission
from matches.queries.match_info import Hash
from matches.queries.paging import Page, PagedRows, UnknownPlace, page_of
from matches.services.storage.log import ENDS, is_private_command

_NOT_UNDERSTOOD = frozenset({MALFORMED, "unknown_action"})


def is_private(match: Match, row: Submission, player: Player | None) -> bool:
    """Whether a row of the match's log stays hidden from this player (or from everybody, for None) after the match.

    It does if the game keeps this type of action secret, or if the action was malformed, because it may have been meant
    as a secret one. Players always see their own rows. Of a private question the person who asked sees their own row,
    whoever has their place by now; a reply is on the page for questions, and in the log for nobody.
    """
    if player is None:
        is_own = False
    elif row.kind == Submission.Kind.COMMAND:
        is_own = row.actor.startswith("player:") and row.user_id == player.user_id
    else:
        is_own = row.player_id == player.pk
    return not is_own and is_private_for_all(match, row)


def is_private_for_all(match: Match, row: Submission) -> bool:
    """Whether a row stays hidden from everybody else after the match: private questions, actions that the game keeps
    secret, and malformed ones, because they may have been meant as secret ones."""
    if row.kind == Submission.Kind.COMMAND:
        return is_private_command(row)
    if row.kind != Submission.Kind.ACTION:
        return False
    if row.code in _NOT_UNDERSTOOD:
        return True
    payload = json.loads(row.payload)
    kind = payload.get("type") if isinstance(payload, dict) else None
    return isinstance(kind, str) and kind in match.rules.secret_for_ever


def log_rows(match: Match) -> PagedRows[Submission]:
    """All rows of the match's log, the oldest first. They are numbered without gaps, so a page is a range of numbers:
    nothing is counted and nothing skipped."""

    def read(start: int, count: int) -> list[Submission]:
        return list(match.log.filter(number__gt=start, number__lte=start + count).order_by("number"))

    return PagedRows(match.log_count, read)


class LogRow(msgspec.Struct):
    """`content` is the SHA-256 of `facts` as JSON with sorted keys, no spaces; `hash` that of `previous`, a line feed
    and `content`; null facts stay private for ever."""

    hash: Hash
    previous: str
    content: Hash
    facts: Mapping[str, Any] | None


def open_rows(match: Match, player: Player | None, cursor: str = "", limit: int = 200) -> Page[LogRow]:
    """The rows after the one whose hash is `cursor`, or the first ones. Raises `UnknownPlace`."""
    rows = match.log.select_related("player").order_by("number")
    if cursor:
        last = match.log.filter(hash=cursor).order_by().values_list("number", flat=True).first()
        if last is None:
            raise UnknownPlace
        rows = rows.filter(number__gt=last)
    page = page_of(list(rows[: limit + 1]), limit, lambda row: row.hash)
    return Page([open_row(match, row, player) for row in page.items], page.last)


def open_row(match: Match, row: Submission, player: Player | None) -> LogRow:
    """A row as this player (None: everybody) may read it after the match."""
    facts = None if is_private(match, row, player) else row.facts()
    return LogRow(row.hash, row.previous_hash, row.content_hash(), facts)


# -- heads -----------------------------------------------------------------------------------------------
# Heads of logs that everybody is told: the hash of the row with which something closed stands for all rows up to it.
# Where play ends it is that of the row after it, which everybody may read (`storage.log.ENDED`).
#
# They are told at closes and ends alone, which everybody sees anyway (`services.writer.closes`). When a match is over
# its log is open, and so each further row that everybody may read gives a new one.

_ENDED = ("match_finished", "match_cancelled")
_CLOSING = Q(announcements__audience=EVERYONE) & (Q(kind=Submission.Kind.DEADLINE) | Q(announcements__kind__in=_ENDED))


def heads_of(rows: Iterable[int]) -> dict[int, str]:
    """Of these rows of logs, by id, those with which something closed for everybody: their hashes."""
    ids = list(rows)
    found = Submission.objects.filter(_CLOSING, pk__in=ids).annotate(head=Coalesce(_end_after(""), "hash"))
    return dict(found.values_list("pk", "head")) if ids else {}


def _end_after(way: str) -> Subquery:
    """The hash of the next row if it ends the match; `way` is the way to the row, such as `submission__`."""
    after = Submission.objects.filter(ENDS, match=OuterRef(f"{way}match"), number=OuterRef(f"{way}number") + 1)
    return Subquery(after.values("hash"))


def closes_of(match: Match) -> list[tuple[int, str]]:
    """Number and hash of each row of the match's log by which everybody was told a head, in their order."""
    found = match.log.filter(_CLOSING | ENDS).annotate(ends=_end_after("")).filter(ends=None)
    return list(found.order_by("number").values_list("number", "hash").distinct())


def heads_told(tokens: Iterable[str]) -> Mapping[str, str]:
    """Of these announcements to everybody, by token, those that told of a close: the head of the log at it."""
    told = Announcement.objects.filter(token__in=list(tokens), audience=EVERYONE)
    closing = told.filter(Q(submission__kind=Submission.Kind.DEADLINE) | Q(kind__in=_ENDED))
    head = Coalesce(_end_after("submission__"), "submission__hash")
    return dict(closing.annotate(head=head).values_list("token", "head"))


def in_words(head: str) -> str:
    """What is said wherever a head is told."""
    return f"Fingerprint of everything so far: {head}"


# -- receipts --------------------------------------------------------------------------------------------
# A player's own receipts, as pages show them.


class Receipt(msgspec.Struct):
    """The receipt for an accepted action: `number` counts the player's own receipts, `hash` covers `salt`, `payload`
    and `match_time` (microseconds), a line each."""

    number: int
    at: datetime
    payload: str
    match_time: int
    hash: str
    salt: str


def receipts(player: Player) -> PagedRows[Receipt]:
    """A player's receipts, newest first. Without row numbers of the log, which would show that others have acted.

    A player's own numbers have no gaps, so a page is a range of numbers: nothing is counted and nothing skipped."""

    def read(start: int, count: int) -> list[Receipt]:
        last = player.action_count - start
        rows = player.submissions.filter(own_number__gt=last - count, own_number__lte=last).order_by("-own_number")
        return [_receipt(row) for row in rows]

    return PagedRows(player.action_count, read)


def _receipt(row: Submission) -> Receipt:
    return Receipt(
        row.own_number or 0,
        row.received_at,
        row.payload,
        row.match_time // timedelta(microseconds=1),
        row.receipt_hash,
        row.salt,
    )


# -- export ------------------------------------------------------------------------------------------------
# Matches that are over, as files.

# -- export ----------------------------------------------------------------------------------------------
# A match that is over as one file, which `matches/proof/check_export.py` proves without this site.
#
# It has what the open log and the tables show to everybody, whoever asks: rows that stay private are hashes alone.

FORMAT = "genius-match"
VERSION = 1


class ExportedClose(msgspec.Struct, frozen=True):
    """A row that closed something or ended the match, and its hash, which is a fingerprint that everybody was
    shown."""

    row: int
    hash: str


class ExportedMatch(msgspec.Struct, frozen=True):
    """A whole match as one file. `head`: the fingerprint that everybody sees now, the hash of the last row."""

    format: str
    version: int
    id: str
    title: str
    game: str
    rules_version: int
    status: str
    opened_at: str | None
    finished_at: str | None
    seed_hash: str
    seed: str
    head: str
    closes: tuple[ExportedClose, ...]
    log: tuple[LogRow, ...]
    ledger: list[ExportedEntry]


class NotYet(LookupError):
    """The log of a match or a season is open to everybody after its end; until then it holds secrets, and nobody gets
    the seed."""


def exported(match: Match) -> dict[str, Any]:
    """The match as JSON. Raises `NotYet` before the end.

    The log ends with the last row whose hash everybody has been shown. What may follow it are private questions and
    refused actions, which the file cannot prove.
    """
    if not match.is_over:
        raise NotYet
    rows = match.log.select_related("player").order_by("number")
    last = match.log.get(hash=match.closed_head).number
    found = ExportedMatch(
        format=FORMAT,
        version=VERSION,
        id=match.public_id,
        title=match.title,
        game=match.game,
        rules_version=match.rules_version,
        status=match.status,
        opened_at=iso(match.opened_at),
        finished_at=iso(match.finished_at),
        seed_hash=match.seed_hash if match.opened_at else "",
        seed=match.seed if match.opened_at else "",
        head=match.closed_head,
        closes=tuple(ExportedClose(*close) for close in closes_of(match)),
        log=tuple(open_row(match, row, None) for row in rows.filter(number__lte=last)),
        ledger=list(_entries(match)),
    )
    plain: dict[str, Any] = msgspec.to_builtins(found)
    return plain


def _entries(match: Match) -> Iterator[ExportedEntry]:
    """The entries that everybody may know, in their order. Where a game keeps actions of its own secret for ever, what
    these cost would tell of them: then those of private balances stay with their players and the hosts."""
    rows = LedgerEntry.objects.filter(match=match)
    if not match.rules.secret_for_ever <= MatchType.secret_for_ever:
        rows = rows.filter(asset__in=match.rules.public_assets)
    for entry in rows.select_related("giver", "receiver", "submission").order_by("pk"):
        if not is_private_for_all(match, entry.submission):
            yield ExportedEntry(row=entry.submission.number, **entry.told())
