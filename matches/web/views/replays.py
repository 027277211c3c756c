"""Views of replays, and of pictures to share."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from matches.pages import pictures
from matches.pages.pictures import Drawing, TooManyPictures
from matches.pages.replays import ROLL, Replay, encoded
from matches.queries.replays import NoReplay, viewpoints
from matches.web.match_page import MatchPage, hides, open_match_page, page_for
from matches.web.spoilers import hides_results, tells_result

AT_ONCE, OPENED = "at-once", "opened"
"""Values of `?sealed=`: whether the replay shows sealed things at once, or only when they were opened."""

_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_FRESH = 600  # seconds
_PLACE = "-"  # the script replaces this by the number of a roll


class _Asked(NamedTuple):
    """The chosen replay: who sees it (a player's handle, or empty for the public), and when sealed things are shown."""

    handle: str
    at_once: bool

    def query(self, **more: Any) -> str:
        """Return the query string for these choices."""
        chosen = {"as": self.handle, "sealed": "" if self.at_once else OPENED}
        return "?" + urlencode({name: value for name, value in (chosen | more).items() if value != ""})


@require_safe
def replay(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the board at row `?at=` of the log, as everybody saw it or with the panel of the player `?as=`."""
    page = open_match_page(request, public_id)
    asked = _asked(request.GET)
    try:
        shown = Replay(page.viewer, asked.handle, at_once=asked.at_once)
    except NoReplay as why:
        return render(request, "matches/replay_closed.html", page.context("replay", why=str(why)), status=404)
    except LookupError:
        raise Http404("this player's view is not shown") from None
    index = shown.index_at(_number(request.GET.get("at", "")))
    return render(request, "matches/replay.html", page.context("replay", **_context(page, shown, asked, index)))


def _context(page: MatchPage, shown: Replay, asked: _Asked, index: int) -> dict[str, Any]:
    frame = shown.frame(index)
    last = len(shown.moments) - 1
    people = page.shown.people
    handles = viewpoints(page.viewer)
    places = {"first": 0, "previous": index - 1, "next": index + 1, "last": last}
    return {
        "frame": frame,
        "server_now": frame.at,  # countdowns are relative to that moment
        "parts": frame.parts,
        "number": index + 1,
        "count": last + 1,
        "roll": ROLL,
        "frames": f"{page.address('replay_frames')}{asked.query(roll=_PLACE)}",
        "here": asked.query(at=frame.row),
        "links": {
            name: asked.query(at=shown.moments[place].row)
            for name, place in places.items()
            if 0 <= place <= last and place != index
        },
        "me": people.get(asked.handle),
        "who": asked.handle,
        "at_once": asked.at_once,
        "seen_by": [person for person in people if person.handle in handles],
        "hides_some": len(handles) < len(people),
        "json": f"/api/v1/matches/{page.match.public_id}/replay/{asked.query()}",
    }


@require_safe
@gzip_page
def frames(request: HttpRequest, public_id: str) -> HttpResponse:
    """Send a roll of frames; `?roll=` is its number, from 0 on."""
    page = open_match_page(request, public_id)
    asked = _asked(request.GET)
    try:
        text = encoded(page.viewer, asked.handle, _number(request.GET.get("roll", "")), at_once=asked.at_once)
    except NoReplay as why:
        return JsonResponse({"code": "match_not_finished", "message": str(why)}, status=404)
    except LookupError:
        raise Http404("there is no such roll, or this player's view is not shown") from None
    response = HttpResponse(text, content_type="application/json")
    if request.user.is_authenticated:
        patch_cache_control(response, private=True, max_age=_FRESH)
    else:
        patch_cache_control(response, public=True, max_age=_FRESH)
    return response


def _asked(given: Mapping[str, str]) -> _Asked:
    return _Asked(given.get("as", ""), given.get("sealed", "") != OPENED)


def _number(text: str) -> int:
    """The whole number in a text; 0 if there is none."""
    return int(text) if _NUMBER.fullmatch(text) else 0


# -- pictures --------------------------------------------------------------------------------------------
# The picture of a match, for links in chats and for recaps.

_RETRY = 2


@require_safe
def picture(request: HttpRequest, public_id: str) -> HttpResponse:
    """Send the public board as PNG. `?v=` is the public version, which gives each version a URL of its own; whatever it
    is, the present board is sent.

    Everybody gets the same picture, whoever asks, with two exceptions: only its own people see a draft, and people who
    hide results do not see a result before they have asked for it. Chats that preview a link have chosen nothing, and
    get the result.
    """
    try:
        page, is_public = page_for(AnonymousUser(), public_id), True
    except Http404:
        page, is_public = page_for(request.user, public_id), False
    if is_public and tells_result(page.position.public) and hides_results(request):
        is_public = False
        if hides(request, page_for(request.user, public_id)):
            hidden = pictures.without_result(page.match.title, page.match.rules.title)
            return answer_with(request, hidden, public_id, is_public=False)
    drawing = pictures.drawing_of(page.position, page.shown)
    is_present = request.GET.get("v") == str(page.match.public_version)
    return answer_with(request, drawing, public_id, is_public=is_public, is_present=is_present)


def answer_with(
    request: HttpRequest, drawing: Drawing, name: str, *, is_public: bool, is_present: bool = False
) -> HttpResponse:
    """Return a drawing as a PNG file called `name`. `is_present`: the requested URL is that of this version, so caches
    may keep it for a while."""
    etag = f'"{drawing.digest}"'
    if etag in request.headers.get("If-None-Match", ""):
        return _cached(HttpResponseNotModified(), etag, is_public, is_present)
    try:
        response = HttpResponse(pictures.png_of(drawing), content_type="image/png")
    except TooManyPictures:
        busy = HttpResponse("The site is busy drawing pictures. Try again soon.", status=503, content_type="text/plain")
        busy["Retry-After"], busy["Cache-Control"] = str(_RETRY), "no-store"
        return busy
    response["Content-Disposition"] = f'inline; filename="{name}.png"'
    return _cached(response, etag, is_public, is_present)


def _cached(response: HttpResponse, etag: str, is_public: bool, is_present: bool) -> HttpResponse:
    response["ETag"] = etag
    if not is_public:
        response["Cache-Control"] = "no-store, private"
    elif is_present:
        patch_cache_control(response, public=True, max_age=_FRESH)
    else:
        patch_cache_control(response, public=True, no_cache=True)
    return response
