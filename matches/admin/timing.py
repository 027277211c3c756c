"""Starting, stopping and moving a match in time: what will come of it in words, and the doing."""

from __future__ import annotations

from datetime import datetime, timedelta

from matches.admin import words
from matches.admin.given import Given
from matches.models import Match, clock
from matches.models.clock import MatchClock
from matches.services import hosting

# -- the start -----------------------------------------------------------------------------------


def publish_words(given: Given) -> list[str]:
    starts_at: datetime = given.cleaned["starts_at"]
    said = [f"Everyone can see “{given.match}” and its players from now on."]
    said.append(f"It begins by itself {words.instant(starts_at)}, in {words.span(starts_at - clock.now())}.")
    if given.match.joining == Match.Joining.OPEN:
        said.append(f"Until then anyone who is signed in can join, up to {given.match.places} players.")
    said.append("Its settings cannot be changed any more unless you unpublish it; its players can, until it begins.")
    return said


def publish(given: Given) -> str:
    hosting.publish(given.match, given.host, given.cleaned["starts_at"])
    return f"Published. It begins {words.instant(given.cleaned['starts_at'])}."


def start_words(given: Given) -> list[str]:
    count = given.match.players.count()
    return [
        f"“{given.match}” begins at this very moment, with its {count} players, and everyone can see it.",
        "Match time counts from now: daily deadlines will come at this time of day.",
        "From then on players and settings are fixed.",
    ]


def start(given: Given) -> str:
    hosting.start_now(given.match, given.host)
    return "The match has begun."


def unpublish_words(given: Given) -> list[str]:
    return [
        "The match becomes a draft again: only its hosts and its players can see it.",
        f"It will not begin {words.instant(given.match.starts_at)}. Its players stay in it.",
    ]


def unpublish(given: Given) -> str:
    hosting.unpublish(given.match, given.host)
    return "It is a draft again."


# -- the clock -----------------------------------------------------------------------------------


def pause_words(given: Given) -> list[str]:
    said = ["The match's clock stands still. Nothing is taken from players and nothing closes until you resume it."]
    if at := given.match.next_deadline_at:
        left = words.span(max(at - clock.now(), timedelta()))
        said.append(f"The next deadline, {words.instant(at)}, will come {left} after you resume.")
    return [*said, _everybody(given)]


def _everybody(given: Given) -> str:
    reason = given.cleaned.get("reason")
    return f"Everybody is told, with your reason: “{reason}”." if reason else "Everybody is told."


def pause(given: Given) -> str:
    hosting.pause(given.match, given.host, given.cleaned["reason"])
    return "The match is paused."


def resume_words(given: Given) -> list[str]:
    said = ["The clock goes on from where it stood, and players can act again."]
    match = given.match
    next_at = MatchClock(clock.now(), match.anchor_time, match.speed).instant(given.due) if given.due else None
    if next_at is not None:
        said.append(f"The next deadline is then {words.instant(next_at)}.")
    return [*said, "Everybody is told."]


def resume(given: Given) -> str:
    hosting.resume(given.match, given.host)
    return "The match goes on."


def extend_words(given: Given) -> list[str]:
    by = given.cleaned["by"]
    at = given.match.next_deadline_at
    then = f"; the next one is then {words.instant(at + by)} instead of {words.instant(at)}" if at else ""
    return [
        f"Every deadline comes {words.span(by)} later{then}.",
        "Players can go on acting meanwhile.",
        _everybody(given),
    ]


def extend(given: Given) -> str:
    hosting.extend(given.match, given.host, given.cleaned["by"], given.cleaned["reason"], key=given.key)
    given.match.refresh_from_db()
    at = given.match.next_deadline_at
    return "Extended." + (f" The next deadline is {words.instant(at)}." if at else "")


def close_words(given: Given) -> list[str]:
    at = given.match.next_deadline_at
    if at is None:
        return ["There is no deadline to close."]
    early = words.span(max(at - clock.now(), timedelta()))
    return [
        f"The deadline of {words.instant(at)} passes at this very moment, {early} early.",
        "Whoever meant to act until then cannot any more. What falls due at it is settled at once.",
        f"Everything behind it comes {early} earlier, too. This cannot be undone.",
        _everybody(given),
    ]


def close(given: Given) -> str:
    expected: timedelta | None = given.cleaned.get("expected")
    hosting.close_deadline(given.match, given.host, given.cleaned["reason"], expected=expected)
    return "The deadline is closed."


def cancel_words(given: Given) -> list[str]:
    if given.match.status == Match.Status.DRAFT:
        return ["The draft is put away for good. Its players are told; nothing of it is erased."]
    return [
        f"“{given.match}” ends without a result, now and for good. This cannot be undone.",
        "Its log, ledger and bids stay as they are; nothing is paid out or given back by it.",
        _everybody(given),
    ]


def cancel(given: Given) -> str:
    hosting.cancel(given.match, given.host, given.cleaned["reason"])
    return "The match is cancelled."


def fault_words(given: Given) -> list[str]:
    return [
        f"The match was set aside after this fault: {given.match.fault or 'unknown'}",
        "It is tried again at once: every deadline that has come meanwhile is passed, each at its own time.",
        "If the fault is still there, nothing else changes, and you see it here again.",
    ]


def clear_fault(given: Given) -> str:
    hosting.clear_fault(given.match, given.host)
    return "The fault is cleared, and the match is tried again."
