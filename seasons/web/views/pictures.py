"""The picture of a season, for links in chats."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from matches.pages.pictures import without_result
from matches.web.spoilers import hides_results
from matches.web.views.pictures import answer_with
from seasons.pages import pictures
from seasons.queries import standing
from seasons.queries.access import SeasonHidden, access_season
from seasons.services.advancing import advance_if_due
from seasons.web.page import hides


@require_safe
def picture(request: HttpRequest, public_id: str) -> HttpResponse:
    """The standings as PNG, the same for everybody but those who hide results and have not asked for these. A draft has
    none: nobody passes its address on."""
    try:
        season = access_season(public_id, AnonymousUser()).season
    except SeasonHidden:
        raise Http404("no such season") from None
    advance_if_due(season)
    asks = standing.has_results(season) and hides_results(request)
    if asks and hides(request, access_season(public_id, request.user)):
        return answer_with(request, without_result(season.title, "Season"), public_id, is_public=False)
    state = standing.state_of(season)
    scene = pictures.scene_of(season, state, standing.standings(season, state))
    is_present = request.GET.get("v") == scene.version
    return answer_with(request, pictures.drawing_of(scene), public_id, is_public=not asks, is_present=is_present)
