"""Bids, ledger and result of a match as CSV files."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from matches.infra import rate_limits
from matches.queries.export import TABLES, NotOpen, csv_of
from matches.services.commands import open_console
from matches.web.match_page import open_match_page


@require_safe
def table(request: HttpRequest, public_id: str, what: str) -> HttpResponse:
    """One table: for hosts and observers while the match runs, for everybody once it is over."""
    page = open_match_page(request, public_id)
    if what not in TABLES:
        raise Http404("no such table")
    if rate_limits.wait_to_ask(request, request.user.pk):
        return HttpResponse(rate_limits.TOO_FAST, status=429, content_type="text/plain; charset=utf-8")
    if page.viewer.sees and not page.match.is_over:
        open_console(page.match, request.user)  # who has read it can never play in it
    try:
        text = csv_of(what, page.viewer, page.position)
    except NotOpen as refusal:
        raise PermissionDenied(str(refusal)) from None
    name = f"{public_id}-{what}.csv"
    # The mark at its beginning tells spreadsheets that it is UTF-8.
    return HttpResponse(
        text.encode("utf-8-sig"),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
