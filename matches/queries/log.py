"""Reading the log of a match: its public rows, its fingerprints, a player's receipts, and the export as a file."""

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

_NOT_UNDERSTOOD = frozenset({MALFORMED, "unknown_action", "match_paused", "match_cancelled"})
"""Codes of actions that nobody could read, or that were refused unread, whatever they say."""


def is_private(match: Match, row: Submission, player: Player | None) -> bool:
    """Whether a row of the match's log stays hidden from this player (or from everybody, for None) after the match.

    Players always see their own rows. The row of a private question belongs to the person who asked, whoever has their
    place by now. Replies are shown on the page for questions, and in the log to nobody. See also `is_private_for_all`.
    """
    if player is None:
        is_own = False
    elif row.kind == Submission.Kind.COMMAND:
        is_own = row.actor.startswith("player:") and row.user_id == player.user_id
    else:
        is_own = row.player_id == player.pk
    return not is_own and is_private_for_all(match, row)


def is_private_for_all(match: Match, row: Submission, *, but_hosts: bool = False) -> bool:
    """Whether a row stays hidden from everybody else after the match: private questions, actions that the game keeps
    secret, and those that were malformed or refused unread (in a pause, after a cancellation), because they may have
    been meant as secret ones. `but_hosts`: whether it stays hidden from the hosts too, who read what they judge."""
    if row.kind == Submission.Kind.COMMAND:
        return is_private_command(row)
    if row.kind != Submission.Kind.ACTION:
        return False
    if row.code in _NOT_UNDERSTOOD:
        return True
    payload = json.loads(row.payload)
    kind = payload.get("type") if isinstance(payload, dict) else None
    is_known = row.accepted or (isinstance(kind, str) and kind in match.rules.actions)
    if but_hosts and kind in match.rules.read_by_hosts:
        return not is_known
    return not is_known or kind in match.rules.secret_for_ever


def log_rows(match: Match) -> PagedRows[Submission]:
    """All rows of the match's log, the oldest first. Their numbers have no gaps, so a page is a range of numbers, which
    needs neither counting nor skipping."""

    def read(start: int, count: int) -> list[Submission]:
        return list(match.log.filter(number__gt=start, number__lte=start + count).order_by("number"))

    return PagedRows(match.log_count, read)


class LogRow(msgspec.Struct):
    """A row of the log. `content` is the SHA-256 of `facts` as JSON with sorted keys and no spaces; `hash` is that of
    `previous`, a line feed and `content`. Null facts stay private for ever."""

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


# -- fingerprints ----------------------------------------------------------------------------------------
# The hash of the row with which something closed stands for all rows up to it. At the end of play it is the hash of the
# next row, which everybody may read (`storage.log.ENDED`).
#
# Fingerprints are published only at closes and ends, which everybody sees anyway (`services.writer.closes`). Once a
# match is over its log is public, so each further row that everybody may read gives a new one.

_ENDED = ("match_finished", "match_cancelled")
_CLOSING = Q(announcements__audience=EVERYONE) & (Q(kind=Submission.Kind.DEADLINE) | Q(announcements__kind__in=_ENDED))


def heads_of(rows: Iterable[int]) -> dict[int, str]:
    """Id -> fingerprint, for those of these rows (ids) with which something closed for everybody."""
    ids = list(rows)
    found = Submission.objects.filter(_CLOSING, pk__in=ids).annotate(head=Coalesce(_end_after(""), "hash"))
    return dict(found.values_list("pk", "head")) if ids else {}


def _end_after(way: str) -> Subquery:
    """The hash of the next row if it ends the match. `way` is the lookup of the row, such as `submission__`."""
    after = Submission.objects.filter(ENDS, match=OuterRef(f"{way}match"), number=OuterRef(f"{way}number") + 1)
    return Subquery(after.values("hash"))


def closes_of(match: Match) -> list[tuple[int, str]]:
    """The number and hash of each row of a match whose hash was published as a fingerprint, in order."""
    found = match.log.filter(_CLOSING | ENDS).annotate(ends=_end_after("")).filter(ends=None)
    return list(found.order_by("number").values_list("number", "hash").distinct())


def heads_told(tokens: Iterable[str]) -> Mapping[str, str]:
    """Token -> fingerprint, for those of these announcements to everybody that told of a close."""
    told = Announcement.objects.filter(token__in=list(tokens), audience=EVERYONE)
    closing = told.filter(Q(submission__kind=Submission.Kind.DEADLINE) | Q(kind__in=_ENDED))
    head = Coalesce(_end_after("submission__"), "submission__hash")
    return dict(closing.annotate(head=head).values_list("token", "head"))


def in_words(head: str) -> str:
    """The sentence that gives a fingerprint."""
    return f"Fingerprint of everything so far: {head}"


# -- receipts --------------------------------------------------------------------------------------------


class Receipt(msgspec.Struct):
    """The receipt for an accepted action. `number` counts the player's own receipts; `hash` is the SHA-256 of `salt`,
    `payload` and `match_time` (microseconds), each on a line."""

    number: int
    at: datetime
    payload: str
    match_time: int
    hash: str
    salt: str


def receipts(player: Player) -> PagedRows[Receipt]:
    """A player's receipts, newest first, without row numbers of the log, which would show that others have acted. Their
    own numbers have no gaps, so a page is a range of numbers, which needs neither counting nor skipping."""

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


# -- export ----------------------------------------------------------------------------------------------
# A match that is over as one file, which `matches/proof/check_export.py` proves without this site. It has what
# everybody may read, whoever asks for it: rows that stay private are only hashes.

FORMAT = "genius-match"
VERSION = 1


class ExportedClose(msgspec.Struct, frozen=True):
    """The number of a row that closed something or ended the match, and its hash, a published fingerprint."""

    row: int
    hash: str


class ExportedMatch(msgspec.Struct, frozen=True):
    """A whole match as one file. `head`: the latest published fingerprint, the hash of the last row in the file."""

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
    """The match or season is not over yet, so its log and seed are still secret."""


def exported(match: Match) -> dict[str, Any]:
    """The export of a match as JSON values. Raises `NotYet` before the end.

    Its log ends with the last row whose hash was published. Only private questions and refused actions may follow it,
    which the file cannot prove.
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
    """The entries that everybody may know, in order. If a game keeps actions of its own secret for ever, their costs
    would reveal them, so entries of private assets are left out."""
    rows = LedgerEntry.objects.filter(match=match)
    if not match.rules.secret_for_ever <= MatchType.secret_for_ever:
        rows = rows.filter(asset__in=match.rules.public_assets)
    for entry in rows.select_related("giver", "receiver", "submission").order_by("pk"):
        if not is_private_for_all(match, entry.submission):
            yield ExportedEntry(row=entry.submission.number, **entry.told())
