"""Matches in the admin site: the list, the URLs of all pages of one match, and the overview of all of them."""

from typing import Any, ClassVar

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Case, Count, IntegerField, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from matches.admin import (
    console,
    draft_pages,
    formats,
    invitations_page,
    players_table,
    preview,
    rehearsal,
)
from matches.admin.changelist import column, hosted_matches
from matches.admin.commands import COMMANDS
from matches.admin.commands.amending import taking_back
from matches.admin.commands.base import Command
from matches.admin.console_admin import ACTED, SEEN, TOLD, ConsoleAdmin
from matches.admin.invitations_page import OF_A_MATCH
from matches.games.registry import all_games
from matches.models import Match, Player, Role, clock
from matches.pages.desk import MOST, entries_for
from matches.queries.announcements import ROLES, hosts_of
from matches.services.belonging import group_of
from matches.services.commands import need_role, open_console
from matches.services.deadlines import advance_if_due

# -- the overview of all that a host looks after, of which open pages reload a part --------------------------


def show_overview(model_admin: Any, request: HttpRequest) -> HttpResponse:
    """Show the overview; with `?part=1` only the list.

    Open pages reload it whenever a socket says that something has changed (`matches.live.desks`), and every few seconds
    in any case: what hosts see of thirty matches, such as who is missing, is in no frame.
    """
    entries = entries_for(request.user)
    needs = [need for entry in entries for need in entry.needs if need.kind != "unread"]
    shown = {"entries": entries, "now": clock.now(), "most": MOST, "asked": len(needs)}
    if "part" in request.GET:
        return render(request, "admin/matches/match/overview_list.html", shown)
    return render(request, "admin/matches/match/overview.html", model_admin.page(request, "All my matches") | shown)


# -- the list, and the URLs of all pages of one match --------------------------------------------------------

_OPENING_COMMITS = (
    "If you open a match here, you see its settings and secrets, so you can never play in it afterwards. Its log and "
    "balances appear in the lists once you have opened it."
)
_URGENT_FIRST = (
    Match.Status.OPEN,
    Match.Status.PAUSED,
    Match.Status.SCHEDULED,
    Match.Status.DRAFT,
    Match.Status.FINISHED,
    Match.Status.CANCELLED,
)


class GameFilter(admin.SimpleListFilter):
    title = "game"
    parameter_name = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(slug, game.title) for slug, game in all_games().items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        return queryset.filter(game=self.value()) if self.value() else queryset


def _status_badge(match: Match) -> SafeString:
    badge, status = console.BADGES[match.status], match.get_status_display()
    if match.fault or match.failures or not match.rules.is_known:
        badge, status = "garnet", "Fault"
    return format_html('<span class="badge badge--{}">{}</span>', badge, status)


def _duplicate(match: Match) -> SafeString:
    address = reverse("admin:matches_match_duplicate", args=[match.pk])
    return format_html('<a href="{}" aria-label="Duplicate {}">Duplicate…</a>', address, match.title)


@admin.register(Match)
class MatchAdmin(ConsoleAdmin):
    """Hosts see the matches they host, superusers all; nobody sees one in which they play."""

    about = "Matches"
    list_display = [
        "title",
        column("status", _status_badge),
        column("game", lambda match: match.rules.title),
        "player_count",
        "next_deadline",
        column("hosts", lambda match: ", ".join(hosts_of(match))),
        column("duplicate", _duplicate),
    ]
    list_filter = ["status", GameFilter]
    search_fields = ["title", "public_id"]
    search_help_text = "Title, or the code in the match's address"
    list_per_page = list_max_show_all = 20
    sortable_by = ("title", "player_count", "next_deadline")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        faulty = When(fault="", failures=0, then=Value(1))
        players = Player.objects.filter(match=OuterRef("pk")).order_by().values("match")
        order = [When(status=status, then=Value(rank)) for rank, status in enumerate(_URGENT_FIRST)]
        return (
            hosted_matches(request.user)
            .annotate(
                calm=Case(faulty, default=Value(0), output_field=IntegerField()),
                rank=Case(*order, default=Value(9), output_field=IntegerField()),
                counted=Coalesce(Subquery(players.annotate(count=Count("pk")).values("count")), 0),
            )
            .prefetch_related(ROLES)
            .order_by("calm", "rank", "next_deadline_at", "-created_at")
        )

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        noted = {"note": _OPENING_COMMITS} if request.user.is_superuser else {}
        return super().changelist_view(request, {**noted, **(extra_context or {})})

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        return ("calm", "rank", "next_deadline_at", "-created_at")

    # -- the list --------------------------------------------------------------------------------

    @admin.display(description="players", ordering="counted")
    def player_count(self, match: Any) -> int:
        return int(match.counted)

    @admin.display(description="next deadline or start", ordering="next_deadline_at", empty_value="–")
    def next_deadline(self, match: Match) -> str | None:
        return formats.instant(match.next_deadline_at) if match.next_deadline_at else None

    # -- pages -----------------------------------------------------------------------------------

    commands = COMMANDS
    invitations = OF_A_MATCH
    pages: ClassVar = {
        "settings": (draft_pages.change_settings, TOLD),
        "preview": (preview.show, SEEN),
        "rehearsals": (rehearsal.show, SEEN),
        "duplicate": (draft_pages.show_duplicate, ACTED),
        "names": (draft_pages.show_names, ACTED),
        "invitations": (invitations_page.show, ACTED),
    }

    def get_urls(self) -> list[URLPattern]:
        admin_view = self.admin_site.admin_view
        return [
            path("overview/", admin_view(self.overview_view), name="matches_match_overview"),
            path("people/", admin_view(self.people_view), name="matches_match_people"),
            *self.page_urls(),
            *super().get_urls(),
        ]

    def after(self, subject: Match, command: Command) -> HttpResponse:
        """After publishing a match of a season, return to the season's page, where its hosts work."""
        group = group_of(subject) if command.name == "publish" else None
        return super().after(subject, command) if group is None else redirect(group.desk()[1])

    def enter(self, subject: Match, user: Any) -> Role:
        role = need_role(subject, user)
        open_console(subject, user)
        return role

    def bring_up(self, subject: Match) -> None:
        advance_if_due(subject)
        subject.refresh_from_db()  # also after a failure, to show the fault

    def show(self, request: HttpRequest, subject: Match, role: Role) -> HttpResponse:
        return console.show(self, request, subject, role)

    def taking_back(self, command: Command) -> str:
        return taking_back(command.name, *command.history, *command.said)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        return draft_pages.add(self, request)

    def overview_view(self, request: HttpRequest) -> HttpResponse:
        if not self.has_view_permission(request):
            return redirect("admin:index")  # that page says what they may do instead
        return show_overview(self, request)

    def people_view(self, request: HttpRequest) -> HttpResponseBase:
        if not self.has_add_permission(request):
            raise PermissionDenied
        return players_table.people(request)
