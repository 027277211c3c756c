"""Verifies a season: exports it as a file, proves that, and compares stored data with it."""

import json

from matches.infra.structs import filled
from matches.infra.text import iso
from matches.models import Match, Submission
from seasons.engine import season as rules
from seasons.engine import verification
from seasons.engine.state import ENDED, Brought, SeasonState, account
from seasons.engine.verification import (
    FORMAT,
    VERSION,
    Exported,
    ExportedEntry,
    ExportedMatch,
    ExportedMember,
    ExportedRow,
)
from seasons.models import Season
from seasons.services.writer import Writer


def verify(season: Season) -> list[str]:
    """Return the differences found, one sentence each; empty if there are none."""
    rows = _log_of(season)
    broken = verification.broken_in(rows, season.log_count, season.log_head)
    if broken is not None:
        return [f"The log's chain of hashes breaks at row {broken}."]
    if not season.state:
        return [] if season.status == Season.Status.DRAFT else ["The season has begun, and has no state."]
    try:
        state = rules.decode(season.state)
        file = as_file(season, state, rows)
        if found := verification.prove(file):
            return found
        if season.status != (Season.Status.ENDED if state.phase == ENDED else Season.Status.RUNNING):
            found = [f"The season is {season.status}, but its phase is {state.phase}."]
        return [*found, *_compare_ends(season, file)]
    except Exception as error:  # any error in reading is a finding
        return [f"What is stored cannot be read: {type(error).__name__}: {error}."]


def _compare_ends(season: Season, file: Exported) -> list[str]:
    """Compare each match as it stands now with the result that the season has of it."""
    writer = Writer(season, season.started_at or season.created_at)
    ended = {match.key: match.result for match in file.matches if match.result is not None}
    over = {key: writer.matches[key].match.is_over for key in ended}
    found = [f"Match {key} is not over, but the season has its result." for key in ended if not over[key]]
    return found + [
        f"Match {key} did not end as the season says."
        for key, result in ended.items()
        if over[key] and result != writer.peek(key)
    ]


def _log_of(season: Season) -> tuple[ExportedRow, ...]:
    rows = season.log.order_by("number")
    return tuple(ExportedRow(row.previous_hash, row.hash, row.content_hash(), row.facts()) for row in rows)


def as_file(season: Season, state: SeasonState, log: tuple[ExportedRow, ...] = ()) -> Exported:
    """Return the season's export: its log (read unless it is given), ledger and cast, and what its matches' own logs
    have."""
    log = log or _log_of(season)
    results = verification.results_in(log)
    opened = season.matches.select_related("match").filter(opened_at__isnull=False).order_by("number")
    return Exported(
        format=FORMAT,
        version=VERSION,
        id=season.public_id,
        title=season.title,
        started_at=iso(season.started_at) or "",
        ended_at=iso(season.ended_at),
        seed_hash=season.seed_hash,
        seed=season.seed,
        state=season.state,
        cast=[filled(ExportedMember, each, account=account(state.purses, each.handle)) for each in season.cast.all()],
        matches=[
            ExportedMatch(
                key=each.key,
                id=each.match.public_id,
                title=each.match.title,
                game=each.match.game,
                brought=opened_with(each.match),
                result=results.get(each.key),
            )
            for each in opened
        ],
        log=log,
        ledger=[
            ExportedEntry(row=entry.row.number, match=entry.match.key if entry.match else "", **entry.told())
            for entry in season.ledger.select_related("row", "giver", "receiver", "match").order_by("pk")
        ],
    )


def opened_with(match: Match) -> dict[str, Brought]:
    """Return what each player had when the match opened, by the match's own log."""
    row = match.log.filter(kind=Submission.Kind.COMMAND, payload__contains='"command":"open"').first()
    players = json.loads(row.payload)["players"] if row else []
    return {player["handle"]: Brought(player["garnets"], player["priority"]) for player in players}


def proved(raw: object) -> list[str]:
    """Prove an exported season by replaying it; return what does not agree. Raises `ValueError`."""
    return verification.prove(verification.read(raw))
