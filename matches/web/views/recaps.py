"""The recap of a match, to paste into a chat."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from matches.pages.context import headline_of
from matches.pages.sharing import alt_of, picture_path, recap_of
from matches.web.match_page import open_match_page


@require_safe
def recap(request: HttpRequest, public_id: str) -> HttpResponse:
    """A text for each round and for the result, with the picture of the board: what everybody may know, for everybody
    the same."""
    page = open_match_page(request, public_id)
    headline = headline_of(page.position, page.shown.people)
    context = page.context(
        "recap",
        chapters=recap_of(page.position, page.shown),
        picture=picture_path(page.match),
        alt=alt_of(page.match, headline),
    )
    return render(request, "matches/recap.html", context)
