"""A season as files: standings and ledger as CSV, the whole season as JSON."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from matches.engine.canonical import canonical
from seasons.queries import export
from seasons.queries.access import note_look
from seasons.web.page import open_season_page


def _download(text: str, name: str, kind: str) -> HttpResponse:
    response = HttpResponse(text, content_type=f"{kind}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_safe
def standings(request: HttpRequest, public_id: str) -> HttpResponse:
    """The standings as CSV."""
    page = open_season_page(request, public_id)
    return _download(export.standings_csv(page.season), f"season-{public_id}-standings.csv", "text/csv")


@require_safe
def ledger(request: HttpRequest, public_id: str) -> HttpResponse:
    """The ledger as CSV: of one member (`?of=handle`), or whole."""
    page = open_season_page(request, public_id)
    handle = request.GET.get("of", "")
    if not export.may_read_ledger(page.viewer, handle):
        raise Http404("not yet, or not yours")
    note_look(page.viewer)
    name = f"season-{public_id}-{'account' if handle else 'ledger'}.csv"
    return _download(export.ledger_csv(page.season, handle), name, "text/csv")


@require_safe
def whole(request: HttpRequest, public_id: str) -> HttpResponse:
    """The whole season as JSON, after its end."""
    page = open_season_page(request, public_id)
    try:
        found = export.exported(page.season)
    except export.NotYet:
        raise Http404("the season has not ended") from None
    return _download(canonical(found), f"season-{public_id}.json", "application/json")
