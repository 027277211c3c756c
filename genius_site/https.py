"""Over plain http, pages lead to https (Django's `SecurityMiddleware`); programs are refused before that.

A program that is redirected goes on working, and sends its token in the clear each time before that.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from matches.api.replies import refusal
from matches.api.requests import respond

_MESSAGE = "The API is reached over https alone. Change the address, and make a new token: this one could be read."


class HttpsOnlyApiMiddleware:
    """Belongs before SecurityMiddleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SECURE_SSL_REDIRECT and request.path.startswith("/api/") and not request.is_secure():
            return respond(refusal(403, "https_only", _MESSAGE))
        return self.get_response(request)
