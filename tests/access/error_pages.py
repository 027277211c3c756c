"""Error pages for tests that meet thousands of them: each is rendered for each person once, then only its status."""

from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.views import defaults

Page = Callable[[HttpRequest, Exception], HttpResponse]


@pytest.fixture
def error_pages_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is refused or not there is told in the same page at every address, and tests/web/test_error_pages.py reads
    it; a test of who gets where needs the status."""
    for name in ("page_not_found", "permission_denied"):
        monkeypatch.setattr(defaults, name, _rendered_once(getattr(defaults, name)))


def _rendered_once(page: Page) -> Page:
    known: dict[Any, int] = {}

    def answer(request: HttpRequest, exception: Exception) -> HttpResponse:
        reader = request.user.pk
        if reader not in known:
            known[reader] = page(request, exception).status_code
        return HttpResponse(status=known[reader])

    return answer
