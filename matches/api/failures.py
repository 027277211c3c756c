"""Error responses (400, 403, 404, 500, 503): JSON below /api/, HTML pages everywhere else."""

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views import defaults

from matches.api.replies import FAILED, RETRY_AFTER, refusal, reply_to
from matches.api.requests import respond
from matches.services.errors import Busy


def _forget_unreadable_form(request: HttpRequest) -> None:
    """A form that cannot be read (a strange charset, broken parts) fails again each time somebody looks into it, and
    the error pages do: they ask for a CSRF token."""
    try:
        _ = request.POST
    except Exception:
        request._mark_post_parse_error()  # type: ignore[attr-defined]


def _answer(request: HttpRequest, page: Callable[[], HttpResponse], *refused: Any) -> HttpResponse:
    """A refusal (status, code and sentence) for programs, a page for people."""
    if request.path.startswith("/api/"):
        return respond(refusal(*refused))
    _forget_unreadable_form(request)
    return page()


def bad_request(request: HttpRequest, exception: Any) -> HttpResponse:
    """400: a host that is not ours, a body beyond every limit, a form that cannot be read."""
    page = partial(defaults.bad_request, request, exception)
    return _answer(request, page, 400, "bad_request", "This request cannot be read.")


def permission_denied(request: HttpRequest, exception: Any) -> HttpResponse:
    page = partial(defaults.permission_denied, request, exception)
    return _answer(request, page, 403, "forbidden", "You may not do this.")


def page_not_found(request: HttpRequest, exception: Any) -> HttpResponse:
    page = partial(defaults.page_not_found, request, exception)
    return _answer(request, page, 404, "not_found", "There is nothing at this address.")


def server_error(request: HttpRequest) -> HttpResponse:
    """500: what no view foresaw. 503 where the database had no time before there was a view."""
    if isinstance(error := sys.exception(), _BUSY):
        return busy(request, error)
    page = partial(defaults.server_error, request)
    return _answer(request, page, 500, "internal_error", FAILED)


_BUSY = (Busy, OperationalError, InterfaceError)


def busy(request: HttpRequest, error: Exception) -> HttpResponse:
    """503: somebody else's lock is in the way, or the database is away. Looks nothing up."""
    if request.path.startswith("/api/"):
        return respond(reply_to(error))
    return HttpResponse(render_to_string("503.html"), status=503)


class BusyMiddleware:
    """Lets views fail as `busy` says, and every 503 tell when to come back."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 503:
            response.setdefault("Retry-After", RETRY_AFTER)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The answer to an error of a view; None where it is of another kind."""
        return busy(request, error) if isinstance(error, _BUSY) else None
