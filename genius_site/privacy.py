"""Keeps personal pages out of all caches, of proxies and browsers."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class PrivatePagesMiddleware:
    """Marks every response made for a signed-in person `no-store, private`.

    A response that did not use the session (static files, the health check) is not personal and stays as it is.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        session = getattr(request, "session", None)
        if session is not None and session.accessed and request.user.is_authenticated:
            response["Cache-Control"] = "no-store, private"
        return response
