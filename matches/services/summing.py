"""The row of the log that covers the rest of a match's exported file, so that nobody can change that unnoticed.

When a match is over, the site writes a row with the hash of all that its file says besides the log itself, and another
one whenever a command has changed that since.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from django.db.models import Q

from matches.engine.canonical import canonical
from matches.engine.errors import MALFORMED
from matches.engine.match_type import MatchType
from matches.models import Holding, LedgerEntry, Match, Submission
from matches.services.verification.voice import is_private_command

SUM_UP = "sum_up"

_NOT_UNDERSTOOD = frozenset({MALFORMED, "unknown_action"})

Facts = dict[str, Any]


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


def facts_of(match: Match) -> Facts:
    """What the file of a match that is over says besides its log, as JSON."""
    entries = list(_entries(match))
    return {
        "id": match.public_id,
        "title": match.title,
        "game": match.game,
        "rules_version": match.rules_version,
        "status": match.status,
        "opened_at": _at(match.opened_at),
        "finished_at": _at(match.finished_at),
        "seed_hash": match.seed_hash if match.opened_at else "",
        "seed": match.seed if match.opened_at else "",
        "ledger": entries,
        "balances": _balances(match, entries),
    }


def digest(match: Match, until: int) -> str:
    """The hash of these facts, and of which rows up to a number stay private."""
    rows = match.log.filter(number__lte=until).order_by("number")
    private = [row.number for row in rows.iterator() if is_private_for_all(match, row)]
    return hashlib.sha256(canonical({**facts_of(match), "private": private}).encode()).hexdigest()


_BEGINS = f'{{"command":"{SUM_UP}",'
SUMS = Q(kind=Submission.Kind.COMMAND, player=None, payload__startswith=_BEGINS)
"""Filters rows of logs that sum up."""


def is_sum(row: Submission) -> bool:
    """Whether this is such a row."""
    return row.kind == Submission.Kind.COMMAND and row.payload.startswith(_BEGINS)


def latest(match: Match) -> Submission | None:
    """The last row that sums up; None where there is none: the match goes on, or ended in an older release."""
    return match.log.filter(SUMS).order_by("-number").first()


def hash_after(row: Submission) -> str | None:
    """The hash of the row that sums up what came of this one, if the next row does."""
    found = Submission.objects.filter(SUMS, match=row.match_id, number=row.number + 1)
    return found.values_list("hash", flat=True).first()


def digest_in(row: Submission) -> str:
    """What such a row says."""
    return str(json.loads(row.payload)["sha256"])


def compare(match: Match) -> list[str]:
    """Whether the match is still as the log sums it up, a sentence if not."""
    row = latest(match)
    if row is None:
        return []
    if not match.is_over:
        return ["By its log the match is over, but it goes on."]
    return [] if digest_in(row) == digest(match, row.number) else ["The match is not what its log sums up at the end."]


def _at(instant: datetime | None) -> str | None:
    """An instant as the database gives it back, also if it was made in a host's zone just now."""
    return instant.astimezone(UTC).isoformat() if instant else None


def _entries(match: Match) -> Iterator[Facts]:
    """The entries that everybody may know, in their order. Where a game keeps actions of its own secret for ever, what
    these cost would tell of them: then those of private balances stay with their players and the hosts."""
    rows = LedgerEntry.objects.filter(match=match)
    if not match.rules.secret_for_ever <= MatchType.secret_for_ever:
        rows = rows.filter(asset__in=match.rules.public_assets)
    for entry in rows.select_related("giver", "receiver", "submission").order_by("pk"):
        if not is_private_for_all(match, entry.submission):
            yield {
                "row": entry.submission.number,
                "giver": entry.giver.handle if entry.giver else None,
                "receiver": entry.receiver.handle if entry.receiver else None,
                "asset": entry.asset,
                "amount": entry.amount,
                "reason": entry.reason,
                "note": entry.note,
                "at": _at(entry.at),
            }


def _balances(match: Match, entries: list[Facts]) -> dict[str, dict[str, int]]:
    """What players have, of assets of which no entry is hidden."""
    shown = Counter(entry["asset"] for entry in entries)
    found: defaultdict[str, dict[str, int]] = defaultdict(dict)
    whole = {asset for asset, count in shown.items() if match.ledger.filter(asset=asset).count() == count}
    held = Holding.objects.filter(player__match=match, asset__in=whole)
    for handle, asset, amount in held.values_list("player__handle", "asset", "amount"):
        found[asset][handle] = amount
    return dict(found)
