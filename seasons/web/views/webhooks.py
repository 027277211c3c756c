"""The page on which hosts look after the webhooks of their season."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from notices import webhook_pages
from seasons.web.page import SeasonPage, open_season_page


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, public_id: str) -> HttpResponse:
    """The webhooks with what came of their latest posts; a POST adds one."""
    page = _of_host(request, public_id)
    return webhook_pages.listed(request, page, page.season, "seasons/webhooks.html")


@require_POST
def act(request: HttpRequest, public_id: str, token: str, act: str) -> HttpResponse:
    """A button of one webhook."""
    return webhook_pages.press(request, _of_host(request, public_id).season, token, act)


def _of_host(request: HttpRequest, public_id: str) -> SeasonPage:
    """The season for one of its hosts. For all others there is no such page."""
    page = open_season_page(request, public_id)
    if not page.viewer.acts:
        raise Http404("no such season")
    return page
