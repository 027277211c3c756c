"""If a match cannot be shown, every page of it says why: this site does not have its rules, or these fail with what is
stored of it."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from matches.queries.access import NOT_SHOWN, MatchHidden, RulesNotHere, Viewer, access_match, is_legible

_OF_ANOTHER_KIND = (Http404, PermissionDenied, SuspiciousOperation, DatabaseError)


class NotShownMiddleware:
    """Turns `RulesNotHere`, raised by any page, into a page that says what is missing; and whatever a page of a match
    fails with while its position cannot be shown, into one that says that."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, RulesNotHere):
            context = {"title": error.title, "problem": error.message, "comes_back": True}
            return render(request, "matches/not_shown.html", context, status=503)
        if isinstance(error, _OF_ANOTHER_KIND) or (viewer := _viewer(request)) is None or is_legible(viewer.match):
            return None
        context = {"title": viewer.match.title, "problem": NOT_SHOWN, "console": viewer.sees and viewer.match}
        return render(request, "matches/not_shown.html", context, status=503)


def _viewer(request: HttpRequest) -> Viewer | None:
    """Who asks, and for which match; None on other pages, and for those who may not see the match."""
    public_id = request.resolver_match.kwargs.get("public_id") if request.resolver_match else None
    if public_id is None:
        return None
    try:
        return access_match(public_id, request.user)
    except (MatchHidden, RulesNotHere):
        return None
