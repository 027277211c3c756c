"""Marking notices as read."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from matches.infra.nul import without_nul
from matches.pages import rendering
from matches.services import notices


@login_required
@require_POST
def read(request: HttpRequest) -> HttpResponse:
    """Mark the notices named by `token` as read, or all of them with `all`. Scripts get the remaining ones."""
    tokens = None if "all" in request.POST else list(map(without_nul, request.POST.getlist("token")[:100]))
    notices.mark_read(request.user, tokens)
    if request.htmx:  # type: ignore[attr-defined]
        return HttpResponse(rendering.notices_html(request.user))
    return redirect(_way_back(request))


def _way_back(request: HttpRequest) -> str:
    """The path of the page with the form: never another site."""
    try:
        path = urlsplit(request.headers.get("Referer", "")).path
    except ValueError:
        path = ""
    return path if path.startswith("/") and url_has_allowed_host_and_scheme(path, None) else "/me/"
