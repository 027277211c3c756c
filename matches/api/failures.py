"""Django's error pages: JSON below /api/, where programs read them, and pages everywhere else."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views import defaults

from matches.api.replies import refusal
from matches.api.requests import respond


def _for_programs(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def _forget_unreadable_form(request: HttpRequest) -> None:
    """A form that cannot be read (a strange charset, broken parts) fails again each time somebody looks into it, and
    the error pages do: they ask for a CSRF token."""
    try:
        _ = request.POST
    except Exception:
        request._mark_post_parse_error()  # type: ignore[attr-defined]


def bad_request(request: HttpRequest, exception: Any) -> HttpResponse:
    """400: a host that is not ours, a body beyond every limit, a form that cannot be read."""
    if _for_programs(request):
        return respond(refusal(400, "bad_request", "This request cannot be read."))
    _forget_unreadable_form(request)
    return defaults.bad_request(request, exception)


def permission_denied(request: HttpRequest, exception: Any) -> HttpResponse:
    """403."""
    if _for_programs(request):
        return respond(refusal(403, "forbidden", "You may not do this."))
    _forget_unreadable_form(request)
    return defaults.permission_denied(request, exception)


def page_not_found(request: HttpRequest, exception: Any) -> HttpResponse:
    """404."""
    if _for_programs(request):
        return respond(refusal(404, "not_found", "There is nothing at this address."))
    _forget_unreadable_form(request)
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """500: what no view foresaw."""
    if _for_programs(request):
        return respond(refusal(500, "internal_error", "Something failed on our side. It has been noted."))
    _forget_unreadable_form(request)
    return defaults.server_error(request)
