"""A player's word for the chance of a match that has not begun."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from matches.infra import rate_limits
from matches.services.errors import Refused
from matches.services.words import give_word
from matches.web.match_page import open_match_page
from matches.web.views.table import show_table

_LONGEST_KEPT = 200
"""Characters of a refused word that come back in its form."""


@login_required
@require_POST
def word(request: HttpRequest, public_id: str) -> HttpResponse:
    """Keep the player's word until the start; a refused one comes back with what was typed and the reason."""
    page = open_match_page(request, public_id)
    typed = request.POST.get("word", "")
    error, status = "", 200
    if rate_limits.action_rates().take(request.user.pk):
        error, status = rate_limits.TOO_FAST, 429
    else:
        try:
            kept = give_word(page.match.pk, request.user.pk, typed)
        except Refused as refused:
            error, status = refused.message, refused.status
    if not error:
        messages.success(request, "Your word is kept until the match begins." if kept else "You have no word now.")
        return redirect(f"{page.address()}#word")
    if page.player is None or not page.shown.info.is_coming:
        messages.error(request, error)
        return redirect(page.address())
    shown = typed[:_LONGEST_KEPT].encode(errors="ignore").decode()
    return show_table(request, page, status=status, word_error=error, typed_word=shown)
