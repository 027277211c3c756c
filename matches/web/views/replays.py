"""The replay of a finished match: its page and the frames that the page's script asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from matches.pages.replays import ROLL, Replay, encoded
from matches.queries.replays import NoReplay, viewpoints
from matches.web.match_page import MatchPage, open_match_page

AT_ONCE, OPENED = "at-once", "opened"
"""Values of `?sealed=`: from when on the replay shows what was sealed."""

_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_FRESH = 600  # seconds
_PLACE = "-"  # where the script puts the number of a roll


class _Asked(NamedTuple):
    """Which replay: through whose eyes (a handle, or empty), and when sealed things are shown."""

    handle: str
    at_once: bool

    def query(self, **more: Any) -> str:
        """The address of the page with these choices."""
        chosen = {"as": self.handle, "sealed": "" if self.at_once else OPENED}
        return "?" + urlencode({name: value for name, value in (chosen | more).items() if value != ""})


@require_safe
def replay(request: HttpRequest, public_id: str) -> HttpResponse:
    """The board at row `?at=` of the log, as everybody saw it or with the panel of the player `?as=`."""
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
    frame, lines = shown.frame(index)
    last = len(shown.moments) - 1
    people = page.shown.people
    handles = viewpoints(page.viewer)
    places = {"first": 0, "previous": index - 1, "next": index + 1, "last": last}
    return {
        "frame": frame,
        "server_now": frame.at,  # countdowns are those of that moment
        "parts": {name: "\n".join(part) for name, part in lines.items()},
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
    """A roll of frames, `?roll=`, from 0 on."""
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
    """A typed whole number; 0 if it is none."""
    return int(text) if _NUMBER.fullmatch(text) else 0
