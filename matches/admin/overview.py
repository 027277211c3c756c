"""The overview of all that a host looks after, and the part of it that an open page asks for again."""

from __future__ import annotations

import hashlib
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render

from matches.models import clock
from matches.pages.desk import MOST, entries_for


def show(model_admin: Any, request: HttpRequest) -> HttpResponse:
    """The page; with `?part=1` the list alone, or nothing (304) if it is what the asker has already.

    It is asked for whenever a socket says that something has changed (`matches.live.desks`), and every few seconds in
    any case: what hosts see of thirty matches, such as who is missing, is in no frame.
    """
    entries = entries_for(request.user)
    needs = [need for entry in entries for need in entry.needs if need.kind != "unread"]
    shown = {"entries": entries, "now": clock.now(), "most": MOST, "asked": len(needs)}
    if "part" not in request.GET:
        return render(request, "admin/matches/match/overview.html", model_admin.page(request, "All my matches") | shown)
    answer = render(request, "admin/matches/match/overview_list.html", shown)
    # What is left until a deadline counts down in the page itself.
    mark = hashlib.sha256(repr((entries, len(needs))).encode()).hexdigest()[:32]
    answer.headers["ETag"] = f'"{mark}"'
    if request.headers.get("If-None-Match") == answer.headers["ETag"]:
        return HttpResponseNotModified()
    return answer
