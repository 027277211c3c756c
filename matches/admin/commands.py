"""What a host can do to a match: each a button, a form where it needs one, and a page that says in
words what will come of it before it is done. Here are the commands; `command_pages` shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django import forms

from matches import clock
from matches.admin import decide, words
from matches.admin.command_forms import (
    CorrectForm,
    ExtendForm,
    HostsForm,
    NoForm,
    PeekForm,
    PublishForm,
    ReasonForm,
    RequiredReasonForm,
)
from matches.clock import MatchClock
from matches.models import Match
from matches.models.ledger import shown_amount
from matches.selectors import Position
from matches.services import creation, hosting, roster

DRAFT, SCHEDULED = Match.Status.DRAFT, Match.Status.SCHEDULED
OPEN, PAUSED, FINISHED = Match.Status.OPEN, Match.Status.PAUSED, Match.Status.FINISHED
CANCELLED = Match.Status.CANCELLED


class Given(msgspec.Struct):
    """A command as it is given: by whom, about which match, with what, and its one-time key."""

    match: Any
    host: Any
    cleaned: dict[str, Any]
    key: str = ""

    @property
    def position(self) -> Position:
        return Position(self.match)

    @property
    def due(self) -> timedelta | None:
        """The match time of the next deadline."""
        public = self.position.public
        return None if public is None or public.next_deadline is None else timedelta(seconds=public.next_deadline)


class Command(msgspec.Struct, frozen=True):
    """`label` is on the button; `consequence` says what will come of it, `run` does it and gives
    what is told then. `statuses` are those in which it can be given."""

    name: str
    label: str
    icon: str
    statuses: Sequence[str]
    consequence: Callable[[Given], list[str]]
    run: Callable[[Given], str | None]
    form: type[forms.Form] = NoForm
    danger: bool = False
    suits: Callable[[Match], bool] = lambda match: True

    def may(self, match: Match) -> bool:
        """Whether it can be given to this match now."""
        return match.status in self.statuses and self.suits(match)


# -- the start -----------------------------------------------------------------------------------


def _publish_words(given: Given) -> list[str]:
    starts_at: datetime = given.cleaned["starts_at"]
    said = [f"Everyone can see “{given.match}” and its players from now on."]
    said.append(f"It begins by itself {words.instant(starts_at)}, in {words.span(starts_at - clock.now())}.")
    if given.match.joining == Match.Joining.OPEN:
        said.append(f"Until then anyone who is signed in can join, up to {given.match.places} players.")
    said.append("Its settings cannot be changed any more unless you unpublish it; its players can, until it begins.")
    return said


def _publish(given: Given) -> str:
    hosting.publish(given.match, given.host, given.cleaned["starts_at"])
    return f"Published. It begins {words.instant(given.cleaned['starts_at'])}."


def _start_words(given: Given) -> list[str]:
    count = given.match.players.count()
    return [
        f"“{given.match}” begins at this very moment, with its {count} players, and everyone can see it.",
        "Match time counts from now: daily deadlines will come at this time of day.",
        "From then on players and settings are fixed.",
    ]


def _start(given: Given) -> str:
    hosting.start_now(given.match, given.host)
    return "The match has begun."


def _unpublish_words(given: Given) -> list[str]:
    return [
        "The match becomes a draft again: only its hosts and its players can see it.",
        f"It will not begin {words.instant(given.match.starts_at)}. Its players stay in it.",
    ]


def _unpublish(given: Given) -> str:
    hosting.unpublish(given.match, given.host)
    return "It is a draft again."


# -- the clock -----------------------------------------------------------------------------------


def _pause_words(given: Given) -> list[str]:
    said = ["The match's clock stands still. Nothing is taken from players and nothing closes until you resume it."]
    if at := given.match.next_deadline_at:
        left = words.span(max(at - clock.now(), timedelta()))
        said.append(f"The next deadline, {words.instant(at)}, will come {left} after you resume.")
    return [*said, _everybody(given)]


def _everybody(given: Given) -> str:
    reason = given.cleaned.get("reason")
    return f"Everybody is told, with your reason: “{reason}”." if reason else "Everybody is told."


def _pause(given: Given) -> str:
    hosting.pause(given.match, given.host, given.cleaned["reason"])
    return "The match is paused."


def _resume_words(given: Given) -> list[str]:
    said = ["The clock goes on from where it stood, and players can act again."]
    match = given.match
    next_at = MatchClock(clock.now(), match.anchor_time, match.speed).instant(given.due) if given.due else None
    if next_at is not None:
        said.append(f"The next deadline is then {words.instant(next_at)}.")
    return [*said, "Everybody is told."]


def _resume(given: Given) -> str:
    hosting.resume(given.match, given.host)
    return "The match goes on."


def _extend_words(given: Given) -> list[str]:
    by = given.cleaned["by"]
    at = given.match.next_deadline_at
    then = f"; the next one is then {words.instant(at + by)} instead of {words.instant(at)}" if at else ""
    return [
        f"Every deadline comes {words.span(by)} later{then}.",
        "Players can go on acting meanwhile.",
        _everybody(given),
    ]


def _extend(given: Given) -> str:
    hosting.extend(given.match, given.host, given.cleaned["by"], given.cleaned["reason"], key=given.key)
    given.match.refresh_from_db()
    at = given.match.next_deadline_at
    return "Extended." + (f" The next deadline is {words.instant(at)}." if at else "")


def _close_words(given: Given) -> list[str]:
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


def _close(given: Given) -> str:
    expected: timedelta | None = given.cleaned.get("expected")
    hosting.close_deadline(given.match, given.host, given.cleaned["reason"], expected=expected)
    return "The deadline is closed."


def _cancel_words(given: Given) -> list[str]:
    if given.match.status == DRAFT:
        return ["The draft is put away for good. Its players are told; nothing of it is erased."]
    return [
        f"“{given.match}” ends without a result, now and for good. This cannot be undone.",
        "Its log, ledger and bids stay as they are; nothing is paid out or given back by it.",
        _everybody(given),
    ]


def _cancel(given: Given) -> str:
    hosting.cancel(given.match, given.host, given.cleaned["reason"])
    return "The match is cancelled."


def _fault_words(given: Given) -> list[str]:
    return [
        f"The match was set aside after this fault: {given.match.fault or 'unknown'}",
        "It is tried again at once: every deadline that has come meanwhile is passed, each at its own time.",
        "If the fault is still there, nothing changes and it is set aside again.",
    ]


def _clear_fault(given: Given) -> str:
    hosting.clear_fault(given.match, given.host)
    return "The match goes on."


# -- money, secrets, people ----------------------------------------------------------------------


def _blood_words(given: Given) -> list[str]:
    if given.match.blood_garnets:
        return ["Blood garnets of this match's players stop growing. What has grown stays."]
    return [
        "Every 24 h after the pregame, each player's blood garnets grow to 1.1 times what they are.",
        "That goes on after the match is finished, until you switch it off here.",
    ]


def _blood(given: Given) -> str:
    on = not given.match.blood_garnets
    hosting.switch_blood_garnets(given.match, given.host, on)
    return f"Blood garnets {'grow' if on else 'no longer grow'}."


def _correct_words(given: Given) -> list[str]:
    player, asset, amount = (given.cleaned[key] for key in ("player", "asset", "units"))
    held = player.holdings.filter(asset=asset).values_list("amount", flat=True).first() or 0
    verb = "gets" if amount > 0 else "loses"
    now, then = (words.plain_amount(shown_amount(asset, units)) for units in (held, held + amount))
    return [
        f"{player.handle} {verb} {words.units(asset, abs(amount))}: {now} now, {then} afterwards.",
        f"{player.handle} is told, with your reason: “{given.cleaned['reason']}”.",
        "Entries are never edited or deleted. To take it back, book the opposite.",
    ]


def _correct(given: Given) -> str:
    player, asset, amount, reason = (given.cleaned[key] for key in ("player", "asset", "units", "reason"))
    hosting.correct_balance(given.match, given.host, player, asset, amount, reason, key=given.key)
    return f"Booked: {words.units(asset, amount)} for {player.handle}."


def _peek_words(given: Given) -> list[str]:
    player = given.cleaned["player"]
    return [
        f"You will see what {player.handle} has submitted under seal.",
        "Your name, the time and your reason go into the log for good, and the players can read them after the match.",
        f"Your reason: “{given.cleaned['reason']}”.",
    ]


def _hosts_words(given: Given) -> list[str]:
    names = ", ".join(person.username for person in given.cleaned["hosts"])
    said = [f"This match is hosted by {names}."]
    if given.host not in given.cleaned["hosts"]:
        said.append("You are not among them: after this you can no longer look after it.")
    return said


def _hosts(given: Given) -> str:
    roster.set_hosts(given.match, given.host, given.cleaned["hosts"])
    return "The hosts are changed."


def _delete_words(given: Given) -> list[str]:
    return [f"The draft “{given.match}” and its places are erased. Nothing was ever done in it, so nothing is lost."]


def _delete(given: Given) -> str:
    title = str(given.match)
    creation.delete_draft(given.match, given.host)
    return f"“{title}” is deleted."


def _never(given: Given) -> str:
    raise AssertionError("has a page of its own")


_BEFORE, _BEGUN = (DRAFT, SCHEDULED), (OPEN, PAUSED)
_NO_LOG: Callable[[Match], bool] = lambda match: match.log_count == 0  # noqa: E731
_FAULTY: Callable[[Match], bool] = lambda match: bool(match.fault or match.failures)  # noqa: E731

COMMANDS = {
    command.name: command
    for command in (
        Command("publish", "Publish…", "bell", _BEFORE, _publish_words, _publish, PublishForm),
        Command("start", "Start now", "hourglass", _BEFORE, _start_words, _start),
        Command("resume", "Resume", "clock", (PAUSED,), _resume_words, _resume),
        Command("extend", "Extend…", "clock", (OPEN,), _extend_words, _extend, ExtendForm),
        Command("pause", "Pause…", "pause", (OPEN,), _pause_words, _pause, ReasonForm),
        Command("close", "Close the deadline early…", "gavel", (OPEN,), _close_words, _close, ReasonForm, danger=True),
        Command("correct", "Correct a balance…", "garnet", (*_BEGUN, FINISHED), _correct_words, _correct, CorrectForm),
        Command("decide", "Decide for a player…", "check", (OPEN,), decide.consequence, decide.run, decide.DecideForm),
        Command("blood", "Blood garnets…", "blood-garnet", (*_BEFORE, *_BEGUN, FINISHED), _blood_words, _blood),
        Command("hosts", "Hosts…", "users", tuple(Match.Status), _hosts_words, _hosts, HostsForm),
        Command("unpublish", "Unpublish", "eye", (SCHEDULED,), _unpublish_words, _unpublish),
        Command("fault", "Try again", "refresh", tuple(Match.Status), _fault_words, _clear_fault, suits=_FAULTY),
        Command("cancel", "Cancel…", "x", (*_BEFORE, *_BEGUN), _cancel_words, _cancel, RequiredReasonForm, danger=True),
        Command("delete", "Delete", "x", (DRAFT,), _delete_words, _delete, danger=True, suits=_NO_LOG),
        Command("peek", "Look at a sealed submission…", "seal", _BEGUN, _peek_words, _never, PeekForm, danger=True),
    )
}
