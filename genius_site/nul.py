"""Refuses requests that contain a NUL character (see `matches.infra.nul`), and reads every form as UTF-8."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

from matches.infra.nul import NUL, without_nul


class NoNulMiddleware:
    """Refuses addresses that contain a NUL (400), and ignores cookies that do.

    Form fields refuse it themselves, and JSON escapes it. Whatever encoding a request names, it is read as UTF-8, as
    browsers send it: Python knows encodings that take as long as the square of a text, and some that are none.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if NUL in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            raise BadRequest("There is a NUL in the address.")
        request.encoding = None  # type: ignore[assignment]
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if value == without_nul(value)}
        return self.get_response(request)
