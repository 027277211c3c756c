"""Who hosts a match, what they have said, and asking them in private."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from matches.infra import rate_limits
from matches.infra.nul import without_nul
from matches.queries import announcements
from matches.services.errors import Refused
from matches.services.questions import ask_hosts, note_read
from matches.web.match_page import MatchPage, open_match_page
from matches.web.views.table import new_key

_LONGEST_KEPT = 4000
"""Characters of a refused question that come back in its form."""


@require_safe
def hosts(request: HttpRequest, public_id: str) -> HttpResponse:
    """Everything that hosts have said, corrected words too; for players their own questions, and the form."""
    return _show(request, open_match_page(request, public_id))


@login_required
@require_POST
def ask(request: HttpRequest, public_id: str) -> HttpResponse:
    """A player's private question to the hosts. Refused ones come back with what was typed and the reason."""
    page = open_match_page(request, public_id)
    text = request.POST.get("text", "")
    if page.player is None:
        return _show(request, page, error="Only this match's players can ask its hosts.", typed=text, status=403)
    if rate_limits.action_rates().take(request.user.pk):
        return _show(request, page, error=rate_limits.TOO_FAST, typed=text, status=429)
    try:
        ask_hosts(page.match.pk, request.user.pk, text, without_nul(request.POST.get("key", "")[:100]))
    except Refused as refused:
        return _show(request, page, error=refused.message, typed=text, status=refused.status)
    messages.success(request, "Your question is sent. Only you and the hosts can read it.")
    return redirect(f"{page.address('hosts')}#questions")


@login_required
@require_POST
def read(request: HttpRequest, public_id: str) -> HttpResponse:
    """This person has read what hosts have said so far."""
    page = open_match_page(request, public_id)
    note_read(page.match, request.user, page.now)
    if "X-Requested-With" in request.headers:
        return HttpResponse(status=204)
    return redirect(page.address("hosts"))


def _show(
    request: HttpRequest, page: MatchPage, *, error: str = "", typed: str = "", status: int = 200
) -> HttpResponse:
    notes, until = announcements.notes_of(page.match), announcements.read_until(page.match, request.user)
    unread = [note.now.token for note in notes if until is None or note.now.since > until]
    context = page.context(
        "hosts",
        notes=notes,
        unread=unread if request.user.is_authenticated else [],
        error=error,
        typed=_shown_again(typed),
        **asking(page),
    )
    response = render(request, "matches/hosts.html", context, status=status)
    if request.user.is_authenticated:
        response["Cache-Control"] = "no-store, private"
    return response


def asking(page: MatchPage) -> dict[str, Any]:
    """What the form for questions needs."""
    if page.player is None:
        return {}
    return {"question_key": new_key(), "questions": announcements.own_questions(page.match, page.player)}


def _shown_again(typed: str) -> str:
    """What was typed, as far as a page can show it: half of a surrogate pair cannot be sent back."""
    return typed[:_LONGEST_KEPT].encode(errors="ignore").decode()
