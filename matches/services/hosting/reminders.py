"""Reminding the players from whom the match still waits for something."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from matches.engine.step import to_player
from matches.infra.moments import moment_in_words
from matches.models import Match, Player, Submission, clock
from matches.services.absences import away_now
from matches.services.commands import command, command_row, need_status
from matches.services.errors import CommandRefused
from matches.services.storage import log
from matches.services.storage.retry import as_rule_failure, retrying

NOT_AGAIN_FOR = timedelta(hours=6)

_PAYLOAD = log.canonical({"command": "remind"})


@retrying
def remind(match: Match, host: Any, *, key: str = "") -> list[str]:
    """Tell each player of whom something is asked, who has not done it and is not away; their handles. The log says
    that it was done, and not whom it concerned: that would show who had acted.

    Raises `CommandRefused` if nobody is missing, or if somebody was reminded less than six hours ago; `NotAHost`; and
    for the same `key` a second time `AlreadyDone`.
    """
    with command(match, host, key=key) as writer:
        need_status(writer, "open", otherwise="Only in a running match is there something to be reminded of.")
        if (again := next_reminder(writer.match)) and again > writer.now:
            raise CommandRefused(_TOO_SOON)
        missing = _missing(writer.match, writer.state, writer.time)
        if not missing:
            raise CommandRefused("Nobody is missing: all have done what is asked of them.")
        entry = writer.record(command_row(writer, host, "remind", key=key))
        for player, until in missing:
            closes = {} if until is None else {"until": until.isoformat(), "closes": moment_in_words(until)}
            writer.announce(entry, to_player(player.handle), "reminded", host=host.username, **closes)
        writer.touch(players={player.pk for player, _ in missing})
        writer.save()
        return [player.handle for player, _ in missing]


_TOO_SOON = "The players were reminded less than six hours ago. Once in six hours is enough."


def next_reminder(match: Match) -> datetime | None:
    """When the match's players may be reminded again; None if they never were."""
    rows = match.log.filter(kind=Submission.Kind.COMMAND, player=None, payload=_PAYLOAD).order_by("-number")
    last = rows.values_list("received_at", flat=True).first()
    return None if last is None else last + NOT_AGAIN_FOR


def who_is_missing(match: Match) -> list[Player]:
    """People of whom something is asked now and who have not done it; for hosts only."""
    if not match.state or match.status != Match.Status.OPEN:
        return []
    with as_rule_failure():
        state = match.rules.decode_state(match.state)
        time = max(match.clock.time(clock.now()), state.core.time)
    return [player for player, _ in _missing(match, state, time)]


def _missing(match: Match, state: Any, time: timedelta) -> list[tuple[Player, datetime | None]]:
    """These people, each with the instant until when they can do it, if there is one."""
    found = []
    with as_rule_failure():
        people = match.players.filter(user__isnull=False, is_bot=False).exclude(pk__in=away_now(match))
        for player in people.order_by("position", "pk"):
            asked = match.rules.private_view(state, player.handle, time).asked
            if asked:
                found.append((player, _until(match, [ask.until for ask in asked if ask.until is not None])))
    return found


def _until(match: Match, times: list[int | float]) -> datetime | None:
    return match.clock.instant(timedelta(seconds=min(times))) if times else None
