"""Seasons in the admin: the list, and the addresses of all pages of one season."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.safestring import SafeString

from matches.admin import unsaved
from matches.admin.hosted import LongList, is_id
from matches.admin.invitations_page import asked_for, follow_up, renew
from matches.services.commands import ONLY_OBSERVES, NotAHost
from seasons.admin import command_pages, console, invitations_page, next_match, season_form
from seasons.models import Season, SeasonRole
from seasons.services.drafting import noted_of
from seasons.services.invitations import renew_invitation, revoke, send_again
from seasons.services.roles import open_console
from seasons.services.running import advance_if_due

_NOT_HOSTED = "There is no such season among those that you host."
_A_PAGE = 100


def looked_after(user: Any) -> QuerySet[Season]:
    """The seasons that a person hosts or observes; all for a superuser. Never one of whose cast they are."""
    seasons = Season.objects.exclude(cast__user=user)
    if user.is_superuser:
        return seasons
    held = SeasonRole.objects.filter(user=user, role__in=SeasonRole.SEEING)
    return seasons.filter(pk__in=held.values("season_id"))


@admin.register(Season)
class SeasonAdmin(LongList):
    """Hosts see the seasons they host, superusers all; nobody one of whose cast they are."""

    about = "Seasons"
    list_display = ["title", "status_badge", "member_count", "hosted_by"]
    list_filter = ["status"]
    search_fields = ["title", "public_id"]
    search_help_text = "Title, or the code in the season's address"
    list_per_page = list_max_show_all = 20
    sortable_by = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Season]:
        counted = looked_after(request.user).annotate(counted=Count("cast"))
        return counted.prefetch_related("roles__user").order_by("-created_at", "-pk")

    @admin.display(description="status")
    def status_badge(self, season: Season) -> SafeString:
        badge = console.BADGES[Season.Status(season.status)]
        return format_html('<span class="badge badge--{}">{}</span>', badge, season.get_status_display())

    @admin.display(description="members")
    def member_count(self, season: Any) -> int:
        return int(season.counted)

    @admin.display(description="hosts")
    def hosted_by(self, season: Season) -> str:
        return ", ".join(role.user.username for role in season.roles.all() if role.role in SeasonRole.ACTING)

    # -- pages -----------------------------------------------------------------------------------

    def get_urls(self) -> list[URLPattern]:
        def page(name: str, view: Any) -> Any:
            guarded = self.admin_site.admin_view(view)
            return path(f"<path:object_id>/{name}/", guarded, name=f"seasons_season_{name}")

        command = path(
            "<path:object_id>/do/<slug:name>/",
            self.admin_site.admin_view(self.command_view),
            name="seasons_season_command",
        )
        pages = (
            page("settings", self.settings_view),
            page("cast", self.cast_view),
            page("next", self.next_view),
            page("invitation", self.invitation_view),
            page("invitations", self.invitations_view),
            page("log", self.log_view),
            page("ledger", self.ledger_view),
        )
        return unsaved.keeping([*pages, command, *super().get_urls()])

    def page(self, request: HttpRequest, title: str, season: Season | None = None) -> dict[str, Any]:
        """The context that the admin's own templates need on every page."""
        return {
            **self.admin_site.each_context(request),
            "is_nav_sidebar_enabled": False,
            "title": title,
            "opts": self.opts,
            "shown_season": season,
            "media": self.media,
        }

    def _hosted(self, request: HttpRequest, object_id: str, *, acts: bool = False) -> tuple[Season, str]:
        """The season, brought up to now, and the viewer's role. One of other hosts is treated as missing. Observers
        only look; with `acts` they may not even do that."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        found = unquote(object_id)
        season = self.get_queryset(request).filter(pk=found).first() if is_id(found) else None
        if season is None:
            raise Http404(_NOT_HOSTED)
        try:
            role = open_console(season, request.user)
        except NotAHost:
            raise Http404(_NOT_HOSTED) from None
        if role not in SeasonRole.ACTING and (acts or request.method not in ("GET", "HEAD")):
            raise PermissionDenied(ONLY_OBSERVES)
        advance_if_due(season)
        return season, role

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        return season_form.add(self, request)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        return console.show(self, request, *self._hosted(request, object_id))

    def settings_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return season_form.change(self, request, self._hosted(request, object_id, acts=True)[0])

    def cast_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return season_form.show_cast(self, request, self._hosted(request, object_id, acts=True)[0])

    def next_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return next_match.show(self, request, self._hosted(request, object_id, acts=True)[0])

    def command_view(self, request: HttpRequest, object_id: str, name: str) -> HttpResponse:
        season, role = self._hosted(request, object_id)
        return command_pages.command_page(self, request, season, name, role)

    def invitation_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Renew the link to an open place; or send an invitation again, or revoke it (POST only)."""
        season, _ = self._hosted(request, object_id)
        if request.method == "POST" and "do" in request.POST:
            follow_up(request, partial(send_again, season, request.user), partial(revoke, season, request.user))
            return redirect("admin:seasons_season_invitations", season.pk)
        if request.method == "POST":
            place = asked_for(season.cast, request.POST.get("member", ""))
            renew(request, place, partial(renew_invitation, season, request.user))
        return redirect("admin:seasons_season_change", season.pk)

    def invitations_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return invitations_page.show(self, request, self._hosted(request, object_id, acts=True)[0])

    def log_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        season, _ = self._hosted(request, object_id)
        return self._records(request, season, "Log", console.rows_of)

    def ledger_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        season, _ = self._hosted(request, object_id)
        return self._records(request, season, "Ledger", console.entries_of)

    def _records(self, request: HttpRequest, season: Season, title: str, rows: Any) -> HttpResponse:
        """A page of rows, the latest first; `?from=` counts from 0."""
        text = request.GET.get("from", "0")
        first = int(text) if is_id(text) and len(text) < 8 else 0
        found = rows(season, first, _A_PAGE + 1)
        context = {
            **self.page(request, title, season),
            "season": season,
            "rows": found[:_A_PAGE],
            "is_log": title == "Log",
            "is_history": title == "History",
            "older": first + _A_PAGE if len(found) > _A_PAGE else None,
        }
        return render(request, "admin/seasons/season/records.html", context)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        season, _ = self._hosted(request, object_id)
        return self._records(request, season, "History", noted_of)

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        raise PermissionDenied("Seasons are ended, never deleted; a draft is deleted on its own page.")
