"""If this site does not have the rules of a match, every page of the match says so."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from matches.queries.access import RulesNotHere


class UnknownRulesMiddleware:
    """Turns `RulesNotHere`, raised by any page, into a page that says what is missing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, RulesNotHere):
            return None
        return render(
            request, "matches/unknown_rules.html", {"title": error.title, "problem": error.message}, status=503
        )
