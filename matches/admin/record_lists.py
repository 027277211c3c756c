"""Read-only lists for hosts: log, ledger, holdings, announcements and bids of their matches."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from matches.admin import formats, log_rows
from matches.admin.hosted import LatestValues, MatchFilter, Records
from matches.engine.step import EVERYONE, HOSTS
from matches.models import Announcement, Bid, Holding, LedgerEntry, Submission
from matches.queries import amounts
from matches.queries import matches as match_queries
from matches.queries.balances import only_open
from matches.queries.feed import describe_for_hosts


class LogFilter(admin.SimpleListFilter):
    """By what a row is about."""

    title = "what"
    parameter_name = "what"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("commands", "Hosts' commands"),
            ("peeks", "Looks at what is private"),
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


@admin.register(Submission)
class LogAdmin(Records):
    """Who did what, when. What players submitted is hidden until the match is finished."""

    about = "The log: who did what, and when"
    list_display = ["number_", "match", "at", "who", "what", "verdict"]
    list_filter = [MatchFilter, LogFilter]
    list_select_related = ["match", "player"]
    ordering = ["-pk"]
    sortable_by = ()

    @admin.display(description="row")
    def number_(self, row: Submission) -> str:
        return f"{row.number}"

    @admin.display(description="when")
    def at(self, row: Submission) -> str:
        return formats.local(row.received_at)

    @admin.display(description="who")
    def who(self, row: Submission) -> str:
        kind, _, name = row.actor.partition(":")
        if kind == "host" and row.player is not None:
            return f"{name} (host) for {row.player.handle}"
        return f"{name} (host)" if kind == "host" else name or kind

    @admin.display(description="what")
    def what(self, row: Submission) -> str:
        return log_rows.row_in_words(row, row.match)

    @admin.display(description="verdict")
    def verdict(self, row: Submission) -> str:
        return log_rows.verdict(row, row.match)


class BalanceRecords(Records):
    """Rows about balances; private ones are listed when their match is over."""

    note = (
        "Balances that players keep to themselves are listed when the match is over. Until then you can look at one "
        "player's on the match's page, with a reason that everybody reads."
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return only_open(super().get_queryset(request), self.match_path)


@admin.register(LedgerEntry)
class LedgerAdmin(BalanceRecords):
    """Every transfer. Nothing is edited: a correction is a new entry, made on the match's page."""

    about = "The ledger: what moved, from whom to whom"
    list_display = ["at_", "match", "giver_", "receiver_", "asset", "amount_", "reason", "note"]
    list_filter = [MatchFilter, ("asset", LatestValues), ("reason", LatestValues)]
    search_fields = ["giver__handle", "receiver__handle"]
    search_help_text = "A player's handle"
    list_select_related = ["match", "giver", "receiver"]
    ordering = ["-pk"]
    sortable_by = ()

    @admin.display(description="when")
    def at_(self, entry: LedgerEntry) -> str:
        return formats.local(entry.at)

    @admin.display(description="from", empty_value="bank")
    def giver_(self, entry: LedgerEntry) -> str | None:
        return entry.giver.handle if entry.giver else None

    @admin.display(description="to", empty_value="bank")
    def receiver_(self, entry: LedgerEntry) -> str | None:
        return entry.receiver.handle if entry.receiver else None

    @admin.display(description="amount")
    def amount_(self, entry: LedgerEntry) -> str:
        return amounts.units(entry.asset, entry.amount)


@admin.register(Holding)
class HoldingAdmin(BalanceRecords):
    """Everybody's balances: the sums of the ledger."""

    about = "Holdings: what everybody has"
    match_path = "player__match"
    list_display = ["player_", "match_", "asset", "amount_"]
    list_filter = [MatchFilter, ("asset", LatestValues)]
    list_select_related = ["player__match"]
    ordering = ["player__match", "player__position", "asset"]
    sortable_by = ()

    @admin.display(description="player")
    def player_(self, holding: Holding) -> str:
        return holding.player.handle

    @admin.display(description="match")
    def match_(self, holding: Holding) -> str:
        return holding.player.match.title

    @admin.display(description="amount")
    def amount_(self, holding: Holding) -> str:
        debt = " (on credit)" if holding.amount < 0 else ""
        return amounts.units(holding.asset, holding.amount) + debt


@admin.register(Announcement)
class AnnouncementAdmin(Records):
    """What was told to everyone and to the hosts; private announcements after the match."""

    about = "Announcements: what was told"
    list_display = ["at_", "match", "audience_", "text"]
    list_filter = [MatchFilter]
    list_select_related = ["match"]
    ordering = ["-pk"]
    sortable_by = ()

    @admin.display(description="when")
    def at_(self, item: Announcement) -> str:
        return formats.local(item.at)

    @admin.display(description="to")
    def audience_(self, item: Announcement) -> str:
        return item.audience.partition(":")[2] or item.audience

    @admin.display(description="what")
    def text(self, item: Announcement) -> str:
        if item.audience not in (EVERYONE, HOSTS) and not item.match.is_over:
            return f"Told privately; {log_rows.SEALED}"
        return describe_for_hosts(item)


@admin.register(Bid)
class BidAdmin(Records):
    """The auction book. Sealed bids are hidden here too, until the match is finished."""

    about = "The auction book"
    list_display = ["at_", "match", "player_", "lot_", "amount_", "status_"]
    list_filter = [MatchFilter]
    list_select_related = ["match", "player"]
    ordering = ["-pk"]
    sortable_by = ()

    @staticmethod
    def _hidden(bid: Bid) -> bool:
        return not bid.public and not bid.match.is_over

    @admin.display(description="when")
    def at_(self, bid: Bid) -> str:
        return formats.local(bid.placed_at)

    @admin.display(description="player")
    def player_(self, bid: Bid) -> str:
        return bid.player.handle

    @admin.display(description="lot")
    def lot_(self, bid: Bid) -> str:
        return "sealed" if self._hidden(bid) else bid.lot

    @admin.display(description="amount")
    def amount_(self, bid: Bid) -> str:
        return "sealed" if self._hidden(bid) else amounts.units(bid.asset, bid.amount)

    @admin.display(description="status")
    def status_(self, bid: Bid) -> str:
        return "sealed" if self._hidden(bid) else bid.get_status_display()
