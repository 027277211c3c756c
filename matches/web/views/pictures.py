"""The picture of a match, for links in chats and for recaps."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from matches.pages import pictures
from matches.pages.pictures import Drawing, TooManyPictures
from matches.web.match_page import hides, page_for
from matches.web.spoilers import hides_results, tells_result

_FRESH = 600  # seconds, at the address of the version that is shown
_RETRY = 2


@require_safe
def picture(request: HttpRequest, public_id: str) -> HttpResponse:
    """The public board as PNG. `?v=` is the public version, so that each has an address of its own; whatever it says,
    the present board is shown.

    Everybody gets the same one, so it is not looked at who asks, with two exceptions: a draft, which only its people
    see, and a result, which those who hide results do not see before they have asked for it. Chats that preview a link
    have chosen nothing, and get it.
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
    """A drawing as PNG, called `name`. `is_present`: the address that was asked for is that of what is shown, so it may
    be kept for a while."""
    etag = f'"{drawing.digest}"'
    if etag in request.headers.get("If-None-Match", ""):
        return _cached(HttpResponseNotModified(), etag, is_public, is_present)
    try:
        response = HttpResponse(pictures.png_of(drawing), content_type="image/png")
    except TooManyPictures:
        busy = HttpResponse("Too many pictures are being drawn. Try again soon.", status=503, content_type="text/plain")
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
