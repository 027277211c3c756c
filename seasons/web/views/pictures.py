"""The picture of a season, for links in chats."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from matches.web.views.pictures import answer_with
from seasons.pages import pictures
from seasons.queries import standing
from seasons.queries.access import SeasonHidden, access_season
from seasons.services.advancing import advance_if_due


@require_safe
def picture(request: HttpRequest, public_id: str) -> HttpResponse:
    """The standings as PNG, the same for everybody. A draft has none: nobody passes its address on."""
    try:
        season = access_season(public_id, AnonymousUser()).season
    except SeasonHidden:
        raise Http404("no such season") from None
    advance_if_due(season)
    state = standing.state_of(season)
    scene = pictures.scene_of(season, state, standing.standings(season, state))
    is_present = request.GET.get("v") == scene.version
    return answer_with(request, pictures.drawing_of(scene), public_id, is_public=True, is_present=is_present)
