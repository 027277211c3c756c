"""Refuses requests that contain a NUL character (see `matches.infra.nul`)."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

from matches.infra.nul import NUL, without_nul


class NoNulMiddleware:
    """Refuses addresses with a NUL in them (400), and does not hear cookies that hold one.

    In forms the fields see to it themselves, and in JSON it is escaped.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if NUL in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            raise BadRequest("There is a NUL in the address.")
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if value == without_nul(value)}
        return self.get_response(request)
