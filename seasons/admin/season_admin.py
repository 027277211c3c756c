"""Seasons in the admin site: the list, and the URLs of all pages of one season."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern
from django.utils.html import format_html
from django.utils.safestring import SafeString

from matches.admin import invitations_page
from matches.admin.changelist import column, is_id
from matches.admin.commands.base import Command
from matches.admin.console_admin import ACTED, SEEN, ConsoleAdmin
from matches.models import Role
from seasons.admin import console, next_match, season_form
from seasons.admin.commands import COMMANDS
from seasons.admin.console import OF_A_SEASON
from seasons.models import Season, SeasonRole
from seasons.services.drafts import noted_of
from seasons.services.roles import open_console
from seasons.services.running import advance_if_due

_A_PAGE = 100


def looked_after(user: Any) -> QuerySet[Season]:
    """Return the seasons that a person hosts or observes, or all for a superuser; never one in whose cast they are."""
    seasons = Season.objects.exclude(cast__user=user)
    if user.is_superuser:
        return seasons
    held = SeasonRole.objects.filter(user=user, role__in=SeasonRole.SEEING)
    return seasons.filter(pk__in=held.values("season_id"))


def _status_badge(season: Season) -> SafeString:
    badge = console.BADGES[Season.Status(season.status)]
    return format_html('<span class="badge badge--{}">{}</span>', badge, season.get_status_display())


@admin.register(Season)
class SeasonAdmin(ConsoleAdmin):
    """Hosts see the seasons they host, superusers all; nobody sees one in whose cast they are."""

    about = "Seasons"
    list_display = [
        "title",
        column("status", _status_badge),
        column("members", lambda season: season.counted),
        column(
            "hosts",
            lambda season: ", ".join(
                each.user.username for each in season.roles.all() if each.role in SeasonRole.ACTING
            ),
        ),
    ]
    list_filter = ["status"]
    search_fields = ["title", "public_id"]
    search_help_text = "Title, or the code in the season's address"
    list_per_page = list_max_show_all = 20
    sortable_by = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Season]:
        counted = looked_after(request.user).annotate(counted=Count("cast"))
        return counted.prefetch_related("roles__user").order_by("-created_at", "-pk")

    # -- pages -----------------------------------------------------------------------------------

    commands = COMMANDS
    invitations = OF_A_SEASON

    def log_page(self, request: HttpRequest, season: Season) -> HttpResponse:
        return self._records(request, season, "Log", console.rows_of)

    def ledger_page(self, request: HttpRequest, season: Season) -> HttpResponse:
        return self._records(request, season, "Ledger", console.entries_of)

    pages: ClassVar = {
        "settings": (season_form.change, ACTED),
        "cast": (season_form.show_cast, ACTED),
        "applications": (console.applications, ACTED),
        "next": (next_match.show, ACTED),
        "invitations": (invitations_page.show, ACTED),
        "log": (log_page, SEEN),
        "ledger": (ledger_page, SEEN),
    }

    def get_urls(self) -> list[URLPattern]:
        return [*self.page_urls(), *super().get_urls()]

    def enter(self, subject: Season, user: Any) -> Role:
        return open_console(subject, user)

    def bring_up(self, subject: Season) -> None:
        advance_if_due(subject)

    def show(self, request: HttpRequest, subject: Season, role: Role) -> HttpResponse:
        return console.show(self, request, subject, role)

    def after(self, subject: Season, command: Command) -> HttpResponse:
        return self.to("change", getattr(subject, "duplicated_as", subject.pk))

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        return season_form.add(self, request)

    def _records(self, request: HttpRequest, season: Season, title: str, rows: Any) -> HttpResponse:
        """A page of rows, the latest first; `?from=` is how many to skip."""
        text = request.GET.get("from", "0")
        first = int(text) if is_id(text) and len(text) < 8 else 0
        found = rows(season, first, _A_PAGE + 1)
        context = {
            **self.page(request, title, season),
            "rows": found[:_A_PAGE],
            "is_log": title == "Log",
            "is_history": title == "History",
            "older": first + _A_PAGE if len(found) > _A_PAGE else None,
        }
        return render(request, "admin/seasons/season/records.html", context)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        season, _ = self.hosted(request, object_id)
        return self._records(request, season, "History", noted_of)
