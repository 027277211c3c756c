"""The character NUL: no text of ours holds it, PostgreSQL cannot store it; whoever sends it only looks for faults."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

NUL = "\x00"


class NoNulMiddleware:
    """Refuses addresses with a NUL in them (400), and does not hear cookies that hold one.

    In forms the fields see to it themselves, and in JSON it is escaped.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if NUL in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            raise BadRequest("There is a NUL in the address.")
        for name in [name for name, value in request.COOKIES.items() if NUL in value]:
            del request.COOKIES[name]
        return self.get_response(request)
