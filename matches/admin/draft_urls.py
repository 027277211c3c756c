"""The addresses of the pages with which drafts are made quickly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from matches.admin import duplicate_page, invitations_page, names_page
from matches.models import Match
from matches.services.commands import ONLY_OBSERVES, need_role

Page = Callable[[Any, HttpRequest, Match], HttpResponse]


def urls(model_admin: Any, hosted: Callable[[HttpRequest, str], Match]) -> list[URLPattern]:
    """They go before Django's own. `hosted` finds the match that a person may manage."""
    guarded = model_admin.admin_site.admin_view

    def of_a_match(page: Page) -> Any:
        def view(request: HttpRequest, object_id: str) -> HttpResponse:
            match = hosted(request, object_id)
            if not need_role(match, request.user).acts:
                raise PermissionDenied(ONLY_OBSERVES)
            return page(model_admin, request, match)

        return guarded(view)

    return [
        path("<path:object_id>/duplicate/", of_a_match(duplicate_page.show), name="matches_match_duplicate"),
        path("<path:object_id>/names/", of_a_match(names_page.show), name="matches_match_names"),
        path("<path:object_id>/invitations/", of_a_match(invitations_page.show), name="matches_match_invitations"),
    ]
