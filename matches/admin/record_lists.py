"""Read-only lists for hosts: log (its rows in words), ledger, holdings, announcements and bids of their matches."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from matches.admin import draft_pages, formats, players_table
from matches.admin.changelist import LatestValues, MatchFilter, Records, column
from matches.admin.commands.base import SAID, Sentences
from matches.admin.commands.publishing import start_of
from matches.admin.formats import key_in_words, value_in_words
from matches.engine.sentences import counted, joined
from matches.engine.step import EVERYONE, HOSTS
from matches.models import Announcement, Bid, Holding, LedgerEntry, Match, Submission, ledger
from matches.pages.texts import in_round_words
from matches.queries import matches as match_queries
from matches.queries.access import is_open, keeps_balances, only_open
from matches.queries.feed import describe_for_hosts
from matches.queries.host_acts import command_in_words
from matches.queries.log import is_private_for_all
from matches.services.commands import Payload
from matches.services.opening import BOTS


class LogFilter(admin.SimpleListFilter):
    """Filters by the kind of row."""

    title = "what"
    parameter_name = "what"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("commands", "Hosts' commands"),
            ("peeks", "Private data that hosts looked at"),
            ("actions", "Players' actions"),
            ("clock", "Deadlines and openings"),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        kinds = Submission.Kind
        if self.value() == "commands":
            return queryset.filter(kind=kinds.COMMAND, user__isnull=False)
        if self.value() == "peeks":
            return match_queries.looks_among(queryset)
        if self.value() == "actions":
            return queryset.filter(kind=kinds.ACTION)
        if self.value() == "clock":
            return queryset.filter(actor="clock")
        return queryset


def _who(row: Submission) -> str:
    kind, _, name = row.actor.partition(":")
    if kind == "host" and row.player is not None:
        return f"{name} (host) for {row.player.handle}"
    return f"{name} (host)" if kind == "host" else name or kind


@admin.register(Submission)
class LogAdmin(Records):
    """Who did what, when. What players submitted is hidden until the match is over, and votes for ever."""

    about = "The log: who did what, and when"
    list_display = [
        column("row", lambda row: f"{row.number}"),
        "match",
        column("when", lambda row: formats.local(row.received_at)),
        column("who", _who),
        column("what", lambda row: row_in_words(row, row.match)),
        column("verdict", lambda row: verdict(row, row.match)),
    ]
    list_filter = [MatchFilter, LogFilter]
    list_select_related = ["match", "player"]
    ordering = ["-pk"]


class BalanceRecords(Records):
    """Rows about balances; private ones appear once their match is over, unless its rules keep them secret for ever."""

    note = (
        "Private balances appear here once the match is over, unless its rules keep them secret for ever. Until then "
        "you can look at one player's balances on the match's page, but you must give a reason, and everybody reads it."
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return only_open(super().get_queryset(request), self.match_path)


@admin.register(LedgerEntry)
class LedgerAdmin(BalanceRecords):
    """Every transfer. Nothing is edited: a correction is a new entry, made on the match's page."""

    about = "The ledger: what moved, from whom to whom"
    list_display = [
        column("when", lambda entry: formats.local(entry.at)),
        "match",
        column("from", lambda entry: entry.giver.handle if entry.giver else None, empty_value="bank"),
        column("to", lambda entry: entry.receiver.handle if entry.receiver else None, empty_value="bank"),
        "asset",
        column("amount", lambda entry: ledger.units(entry.asset, entry.amount)),
        "reason",
        "note",
    ]
    list_filter = [MatchFilter, ("asset", LatestValues), ("reason", LatestValues)]
    search_fields = ["giver__handle", "receiver__handle"]
    search_help_text = "A player's handle"
    list_select_related = ["match", "giver", "receiver"]
    ordering = ["-pk"]


def _held(holding: Holding) -> str:
    return ledger.units(holding.asset, holding.amount) + (" (on credit)" if holding.amount < 0 else "")


@admin.register(Holding)
class HoldingAdmin(BalanceRecords):
    """Everybody's balances: the sums of the ledger."""

    about = "Holdings: what everybody has"
    match_path = "player__match"
    list_display = [
        column("player", lambda holding: holding.player.handle),
        column("match", lambda holding: holding.player.match.title),
        "asset",
        column("amount", _held),
    ]
    list_filter = [MatchFilter, ("asset", LatestValues)]
    list_select_related = ["player__match"]
    ordering = ["player__match", "player__position", "asset"]


def _told(item: Announcement) -> str:
    if item.audience in (EVERYONE, HOSTS):
        return describe_for_hosts(item)
    if not item.match.is_over:
        return f"Told privately; {SEALED}"
    kept = item.kind == "vote_drawn" or keeps_balances(item.match.rules)
    return f"Told privately; {KEPT}" if kept else describe_for_hosts(item)


@admin.register(Announcement)
class AnnouncementAdmin(Records):
    """Announcements to everyone and to the hosts; private ones once the match is over, if they tell of no vote."""

    about = "Announcements: what people were told"
    list_display = [
        column("when", lambda item: formats.local(item.at)),
        "match",
        column("to", lambda item: item.audience.partition(":")[2] or item.audience),
        column("what", _told),
    ]
    list_filter = [MatchFilter]
    list_select_related = ["match"]
    ordering = ["-pk"]


def _unless_sealed(show: Callable[[Bid], str]) -> Callable[[Bid], str]:
    def shown(bid: Bid) -> str:
        return show(bid) if bid.public or (bid.match.is_over and is_open(bid.match, bid.asset)) else "sealed"

    return shown


@admin.register(Bid)
class BidAdmin(Records):
    """The auction book. Sealed bids are hidden here too, until the match is finished."""

    about = "The bids: who bid what, and when"
    list_display = [
        column("when", lambda bid: formats.local(bid.placed_at)),
        "match",
        column("player", lambda bid: bid.player.handle),
        column("lot", _unless_sealed(lambda bid: bid.lot)),
        column("amount", _unless_sealed(lambda bid: ledger.units(bid.asset, bid.amount))),
        column("status", _unless_sealed(lambda bid: bid.get_status_display())),
    ]
    list_filter = [MatchFilter]
    list_select_related = ["match", "player"]
    ordering = ["-pk"]


# -- rows of the log in words, as far as the match's hosts may know them -------------------------------------

_LONGEST = 300
SEALED = "hidden from hosts until the match is over"
KEPT = "hidden from hosts for ever"


def _outage(payload: Payload) -> str:
    since, until = (formats.instant(datetime.fromisoformat(payload[name])) for name in ("since", "until"))
    return f"The site was down from {since} until {until}"


def _put_off(payload: Payload) -> str:
    were_open = counted(payload["open_places"], "place was", "places were")
    return f"Postponed the start to {start_of(payload)}: {were_open} open"


def _places_settled(payload: Payload) -> str:
    handles = joined(payload["handles"])
    return f"Bots took open places: {handles}" if payload["choice"] == BOTS else f"Began without {handles}"


_OF_OTHERS: Sentences = {
    "put_off": _put_off,
    "open_places": _places_settled,
    "not_opened": lambda payload: "Could not start. " + " ".join(payload["problems"]),
    "open": lambda payload: f"The match began; SHA-256 of its seed: {payload['seed_hash']}",
    "ended": lambda payload: "The match is over",
    "outage": lambda payload: f"{_outage(payload)}: moved every deadline by {in_round_words(payload['by'])}",
    "outage_start": lambda payload: f"{_outage(payload)}: postponed the start to {start_of(payload)}",
    "fault": lambda payload: "The rules failed",
    "grow_blood_garnets": lambda payload: "Blood garnets grew",
    "question": lambda payload: "Asked the hosts a question",
    "take_place": lambda payload: f"Took {payload['player']}'s place",
    "back": lambda payload: f"{payload['player']} is back",
    "ready": lambda payload: f"{payload['player']} is ready",
}
"""What the site does by itself, and what players do."""

_SENTENCES: Sentences = {
    **SAID,
    **_OF_OTHERS,
    **draft_pages.SENTENCES,
    **players_table.SENTENCES,
}


def is_hidden(row: Submission, match: Match) -> bool:
    """Whether a row's content is hidden: an action, before the match is over or if it stays secret for ever."""
    is_action = row.kind == Submission.Kind.ACTION
    return is_action and (not match.is_over or is_private_for_all(match, row, but_hosts=True))


def _action(row: Submission) -> str:
    """Return “bid: amount 17, seat W”, and why it was refused."""
    payload = json.loads(row.payload)
    if isinstance(payload, dict):
        kind = key_in_words(payload.pop("type", "action"))
        said = f"{kind}: {value_in_words(payload)}" if payload else kind
    else:
        said = value_in_words(payload)
    said = said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1]}…"
    return f"{said}. {row.message}" if row.message else said


def verdict(row: Submission, match: Match) -> str:
    """Return the verdict on a row. The code of a refusal is hidden as long as the action, which it would reveal."""
    if row.accepted:
        return "accepted"
    return "refused" if is_hidden(row, match) else f"refused: {row.code}"


def row_in_words(row: Submission, match: Match) -> str:
    """Return a row of the log in words, as far as the match's hosts may know it now."""
    if row.kind == Submission.Kind.ACTION:
        hidden = f"Action, {KEPT if match.is_over else SEALED}"
        return hidden if is_hidden(row, match) else _action(row)
    payload = json.loads(row.payload)
    if row.kind == Submission.Kind.DEADLINE:
        return f"The deadline at match time {in_round_words(payload['deadline'] / 1_000_000)} passed"
    name = payload["command"]
    said = _SENTENCES.get(name)
    text = said(payload) if said else command_in_words(match, payload, {})
    text = text[:1].upper() + text[1:]
    reason = str(payload.get("reason") or "").strip()
    text = f"{text}: {reason}" if reason else text
    return text if row.accepted else f"Refused ({row.code}). {text}"
