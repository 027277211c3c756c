"""The page on which hosts look after the webhooks of their match."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from matches.web.match_page import MatchPage, open_match_page
from notices.match_webhooks import pages


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, public_id: str) -> HttpResponse:
    """The webhooks with what came of their latest posts; a POST adds one."""
    page = _of_host(request, public_id)
    return pages.listed(request, page, page.match, "match_webhooks/list.html")


@require_POST
def act(request: HttpRequest, public_id: str, token: str, act: str) -> HttpResponse:
    """A button of one webhook."""
    return pages.act(request, _of_host(request, public_id).match, token, act)


def _of_host(request: HttpRequest, public_id: str) -> MatchPage:
    """The match for one of its hosts. For all others there is no such page."""
    page = open_match_page(request, public_id)
    if not page.viewer.is_host:
        raise Http404("no such match")
    return page
