"""Whether a request was sent by a page of this site, for views that say themselves what is wrong."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware


class _Check(CsrfViewMiddleware):
    """Gives the reason back instead of a page, and leaves the log to whoever answers."""

    def _reject(self, request: HttpRequest, reason: str) -> Any:
        return reason


def _changes_something(request: HttpRequest) -> HttpResponse:
    """Stands for a view that is not exempt."""
    return HttpResponse()


_check = _Check(_changes_something)


def has_csrf_token(request: HttpRequest) -> bool:
    """Whether it was the site's own page that made the browser send this."""
    _check.process_request(request)
    return _check.process_view(request, _changes_something, (), {}) is None
