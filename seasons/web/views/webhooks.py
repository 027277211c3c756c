"""The page on which hosts look after the webhooks of their season."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest

from notices.webhook_pages import views_of
from seasons.web.page import open_season_page


def _of_host(request: HttpRequest, public_id: str) -> tuple[Any, Any]:
    page = open_season_page(request, public_id)
    if not page.viewer.acts:
        raise Http404("no such season")
    return page, page.season


webhooks, act = views_of(_of_host, "seasons/webhooks.html")
