"""What a host can do to a match: each a button, a form where it needs one, and a page that says in
words what will come of it before it is done. Here are the commands; `command_pages` shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from matches.admin import decide, timing, words
from matches.admin.command_forms import (
    CancelForm,
    CommandForm,
    CorrectForm,
    ExtendForm,
    HostsForm,
    NoForm,
    PeekForm,
    PublishForm,
    ReasonForm,
)
from matches.admin.given import Given
from matches.models import Match
from matches.models.ledger import shown_amount
from matches.services import creation, hosting, roster

DRAFT, SCHEDULED = Match.Status.DRAFT, Match.Status.SCHEDULED
OPEN, PAUSED, FINISHED = Match.Status.OPEN, Match.Status.PAUSED, Match.Status.FINISHED
CANCELLED = Match.Status.CANCELLED


class Command(msgspec.Struct, frozen=True):
    """`label` is on the button; `consequence` says what will come of it, `run` does it and gives
    what is told then. `statuses` are those in which it can be given."""

    name: str
    label: str
    icon: str
    statuses: Sequence[str]
    consequence: Callable[[Given], list[str]]
    run: Callable[[Given], str]
    form: type[CommandForm] = NoForm
    danger: bool = False
    suits: Callable[[Match], bool] = lambda match: True

    def may(self, match: Match) -> bool:
        """Whether it can be given to this match now."""
        return match.status in self.statuses and self.suits(match)


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
    hosting.switch_blood_garnets(given.match, given.host, on, key=given.key)
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
        Command("publish", "Publish…", "bell", _BEFORE, timing.publish_words, timing.publish, PublishForm),
        Command("start", "Start now", "hourglass", _BEFORE, timing.start_words, timing.start),
        Command("resume", "Resume", "clock", (PAUSED,), timing.resume_words, timing.resume),
        Command("extend", "Extend…", "clock", (OPEN,), timing.extend_words, timing.extend, ExtendForm),
        Command("pause", "Pause…", "pause", (OPEN,), timing.pause_words, timing.pause, ReasonForm),
        Command(
            "close",
            "Close the deadline early…",
            "gavel",
            (OPEN,),
            timing.close_words,
            timing.close,
            ReasonForm,
            danger=True,
        ),
        Command("correct", "Correct a balance…", "garnet", (*_BEGUN, FINISHED), _correct_words, _correct, CorrectForm),
        Command("decide", "Decide for a player…", "check", (OPEN,), decide.consequence, decide.run, decide.DecideForm),
        Command("blood", "Blood garnets…", "blood-garnet", (*_BEFORE, *_BEGUN, FINISHED), _blood_words, _blood),
        Command("hosts", "Hosts…", "users", tuple(Match.Status), _hosts_words, _hosts, HostsForm),
        Command("unpublish", "Unpublish", "eye", (SCHEDULED,), timing.unpublish_words, timing.unpublish),
        Command(
            "fault", "Try again", "refresh", tuple(Match.Status), timing.fault_words, timing.clear_fault, suits=_FAULTY
        ),
        Command(
            "cancel",
            "Cancel…",
            "x",
            (*_BEFORE, *_BEGUN),
            timing.cancel_words,
            timing.cancel,
            CancelForm,
            danger=True,
        ),
        Command("delete", "Delete", "x", (DRAFT,), _delete_words, _delete, danger=True, suits=_NO_LOG),
        Command("peek", "Look at a sealed submission…", "seal", _BEGUN, _peek_words, _never, PeekForm, danger=True),
    )
}
