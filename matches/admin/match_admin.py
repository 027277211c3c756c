"""Matches in the admin: the list, and the addresses of all pages of one match."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import Case, Count, IntegerField, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from matches.admin import (
    command_pages,
    console,
    draft_pages,
    draft_urls,
    formats,
    invitations_page,
    overview,
    players_table,
    preview,
    rehearsal,
    unsaved,
)
from matches.admin.commands import amending
from matches.admin.hosted import LongList, hosted_matches, is_id
from matches.admin.paging import SortedPaginator
from matches.games.registry import all_games
from matches.models import Match, Player
from matches.services.commands import ONLY_OBSERVES, NotAHost, need_role, open_console
from matches.services.deadlines import advance_if_due
from matches.services.invitations import revoke, send_again
from matches.services.roster import renew_invitation

_NOT_HOSTED = "There is no such match among those that you host."
_OPENING_COMMITS = (
    "If you open a match here, you see its settings and secrets, so you can never play in it afterwards. Its log and "
    "balances are in the lists once you have opened it."
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


@admin.register(Match)
class MatchAdmin(LongList):
    """Hosts see the matches they host, superusers all; nobody one in which they play."""

    about = "Matches"
    list_display = ["title", "status_badge", "again", "game_title", "player_count", "next_deadline", "hosted_by"]
    list_filter = ["status", GameFilter]
    search_fields = ["title", "public_id"]
    search_help_text = "Title, or the code in the match's address"
    list_per_page = list_max_show_all = 20
    paginator = SortedPaginator
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
            .prefetch_related("hosts")
            .order_by("calm", "rank", "next_deadline_at", "-created_at")
        )

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        noted = {"note": _OPENING_COMMITS} if request.user.is_superuser else {}
        return super().changelist_view(request, {**noted, **(extra_context or {})})

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        return ("calm", "rank", "next_deadline_at", "-created_at")

    # -- the list --------------------------------------------------------------------------------

    @admin.display(description="status")
    def status_badge(self, match: Match) -> SafeString:
        if match.fault or match.failures or not match.rules.is_known:
            return format_html('<span class="badge badge--garnet">{}</span>', "Fault")
        return format_html(
            '<span class="badge badge--{}">{}</span>', console.BADGES[match.status], match.get_status_display()
        )

    @admin.display(description="game", ordering="game")
    def game_title(self, match: Match) -> str:
        return match.rules.title

    @admin.display(description="players", ordering="counted")
    def player_count(self, match: Any) -> int:
        return int(match.counted)

    @admin.display(description="next deadline or start", ordering="next_deadline_at", empty_value="–")
    def next_deadline(self, match: Match) -> str | None:
        return formats.instant(match.next_deadline_at) if match.next_deadline_at else None

    @admin.display(description="hosts")
    def hosted_by(self, match: Match) -> str:
        return ", ".join(person.username for person in match.hosts.all())

    @admin.display(description="again")
    def again(self, match: Match) -> SafeString:
        return format_html(
            '<a href="{}" aria-label="Duplicate {}">Duplicate…</a>',
            reverse("admin:matches_match_duplicate", args=[match.pk]),
            match.title,
        )

    # -- pages -----------------------------------------------------------------------------------

    def get_urls(self) -> list[URLPattern]:
        def admin_view(view: Any) -> Any:
            return self.admin_site.admin_view(view)

        found = [
            path("overview/", admin_view(self.overview_view), name="matches_match_overview"),
            path("people/", admin_view(self.people_view), name="matches_match_people"),
            path("<path:object_id>/settings/", admin_view(self.settings_view), name="matches_match_settings"),
            path("<path:object_id>/amend/", admin_view(self.amend_view), name="matches_match_amend"),
            path("<path:object_id>/preview/", admin_view(self.preview_view), name="matches_match_preview"),
            path("<path:object_id>/rehearsals/", admin_view(self.rehearsals_view), name="matches_match_rehearsals"),
            path("<path:object_id>/do/<slug:name>/", admin_view(self.command_view), name="matches_match_command"),
            path("<path:object_id>/invitation/", admin_view(self.invitation_view), name="matches_match_invitation"),
            *draft_urls.urls(self, self._hosted),
            *super().get_urls(),
        ]
        return unsaved.keeping(found)

    def page(self, request: HttpRequest, title: str, match: Match | None = None) -> dict[str, Any]:
        """The context that the admin's own templates need on every page."""
        return {
            **self.admin_site.each_context(request),
            "is_nav_sidebar_enabled": False,
            "title": title,
            "opts": self.opts,
            "shown_match": match,
            "media": self.media,
        }

    def _hosted(self, request: HttpRequest, object_id: str) -> Match:
        """The match, brought up to now. A match of other hosts is treated as missing. Observers only look: whatever
        they send is refused here, and again by the services."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        found = unquote(object_id)
        # Without what the list counts and sorts by, which takes ten times as long.
        match = Match.objects.filter(pk=found).first() if is_id(found) else None
        if match is None:
            raise Http404(_NOT_HOSTED)
        try:
            role = need_role(match, request.user)
            open_console(match, request.user)
        except NotAHost:
            raise Http404(_NOT_HOSTED) from None
        if request.method not in ("GET", "HEAD") and not role.acts:
            raise PermissionDenied(ONLY_OBSERVES)
        advance_if_due(match)
        match.refresh_from_db()  # also after a failure, which leaves a fault to show
        return match

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        return draft_pages.add(self, request)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        return console.show(self, request, self._hosted(request, object_id))

    def settings_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._form_page(draft_pages.change_settings, request, object_id)

    def amend_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._form_page(amending.change_running, request, object_id)

    def _form_page(self, page: Callable[..., HttpResponse], request: HttpRequest, object_id: str) -> HttpResponse:
        """For those who may send its form. Observers are told so, at the match's page, which shows all settings."""
        match = self._hosted(request, object_id)
        if need_role(match, request.user).acts:
            return page(self, request, match)
        messages.error(request, ONLY_OBSERVES)
        return redirect("admin:matches_match_change", match.pk)

    def preview_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return preview.show(self, request, self._hosted(request, object_id))

    def rehearsals_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return rehearsal.show(self, request, self._hosted(request, object_id))

    def command_view(self, request: HttpRequest, object_id: str, name: str) -> HttpResponse:
        return command_pages.command_page(self, request, self._hosted(request, object_id), name)

    def invitation_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Renew the link to an open place; or send an invitation again, or revoke it (POST only)."""
        match = self._hosted(request, object_id)
        if request.method == "POST" and "do" in request.POST:
            again, gone = (partial(do, match, request.user) for do in (send_again, revoke))
            invitations_page.follow_up(request, again, gone)
            return redirect("admin:matches_match_invitations", match.pk)
        if request.method == "POST":
            place = invitations_page.asked_for(match.players, request.POST.get("player", ""))
            invitations_page.renew(request, place, partial(renew_invitation, match, request.user))
        return redirect("admin:matches_match_change", match.pk)

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        raise PermissionDenied("Matches are cancelled, never deleted.")

    def overview_view(self, request: HttpRequest) -> HttpResponse:
        if not self.has_view_permission(request):
            return redirect("admin:index")  # which says what they may do instead
        return overview.show(self, request)

    def people_view(self, request: HttpRequest) -> HttpResponseBase:
        if not self.has_add_permission(request):
            raise PermissionDenied
        return players_table.people(request)
