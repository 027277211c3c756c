"""One's notices: the list, and marking them as read."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from matches.infra.nul import without_nul
from matches.web.leafing import leaf
from notices.pages import bell
from notices.queries import own, unread_talk
from notices.services import presence, reading

_A_PAGE = 30


@login_required
@require_safe
def listed(request: HttpRequest) -> HttpResponse:
    """All of one's notices: the unread ones by match, what is to be done first; then the read ones."""
    page, place = leaf(request, lambda after: own.read_page(request.user, after, _A_PAGE))
    unread = own.unread(request.user) if place["is_first"] else []
    told = {each.url for each in unread}
    context = {
        # What a notice has told already is not there twice.
        "talk": [each for each in unread_talk.by_channel(request.user) if each.url not in told]
        if place["is_first"]
        else [],
        "unread": own.by_match(unread),
        "count": len(unread),
        "most": own.MOST_UNREAD,
        "read": own.by_match(page.items),
    }
    return render(request, "notices/list.html", context | place)


@login_required
@require_POST
def read(request: HttpRequest) -> HttpResponse:
    """Mark the notices named by `token` as read, one match's with `match`, or all of them with `all`. Scripts get what
    their page is to show then."""
    match = without_nul(request.POST.get("match", ""))
    everything = "all" in request.POST or bool(match)
    tokens = None if everything else list(map(without_nul, request.POST.getlist("token")[:100]))
    reading.mark_read(request.user, tokens, match)
    if request.htmx:  # type: ignore[attr-defined]
        return JsonResponse(bell.fragments(own.unread(request.user)))
    return redirect(_way_back(request))


@login_required
@require_POST
def here(request: HttpRequest) -> HttpResponse:
    """The person has touched a page of theirs."""
    presence.touch(request.user)
    return HttpResponse(status=204)


def _way_back(request: HttpRequest) -> str:
    """The path of the page with the form: never another site."""
    try:
        path = urlsplit(request.headers.get("Referer", "")).path
    except ValueError:
        path = ""
    return path if path.startswith("/") and url_has_allowed_host_and_scheme(path, None) else "/notices/"
