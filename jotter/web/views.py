"""What people write down for themselves: only whoever wrote it ever gets it."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from jotter.queries.notebook import as_json
from jotter.queries.unsent import unsent_of
from jotter.services import notebook as notebooks
from jotter.services import unsent as unsent_forms
from jotter.web.panel import panel_context
from matches.infra import rate_limits
from matches.infra.nul import NUL
from matches.services.errors import Refused
from matches.web.match_page import MatchPage, open_match_page

NOT_FIELDS = frozenset({"type", "key", "csrfmiddlewaretoken"})
OF_THE_PAGE = "_"
"""What a page says about a form, besides its fields, begins so: no field of an action does."""
LONGEST_NAME = 40
"""Characters of what a page calls itself."""

_TOO_FAST = "That was too fast. It is kept with your next change."


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def unsent(request: HttpRequest, public_id: str) -> HttpResponse:
    """What a player has typed and not sent, as JSON. A POST keeps what was typed into a form: its fields as in the form
    itself, with `_part`, `_words` and `_page`; with `_discard` it is forgotten. It answers 204, or with a code."""
    if not request.user.is_authenticated:
        return _refused(401, "signed_out")
    page = open_match_page(request, public_id)
    if request.method == "POST":
        return _keep_unsent(request, page)
    if page.viewer.player is None:
        return _refused(403, "not_a_player")
    return JsonResponse({"forms": [typed._asdict() for typed in unsent_of(page.viewer)]})


def _keep_unsent(request: HttpRequest, page: MatchPage) -> HttpResponse:
    if rate_limits.action_rates().take(f"unsent:{request.user.pk}"):
        return _refused(429, "too_many_requests")
    sent = request.POST
    values = [
        (name, text)
        for name in sent
        for text in sent.getlist(name)
        if name not in NOT_FIELDS and not name.startswith(OF_THE_PAGE)
    ]
    words, sender = sent.get("_words", ""), sent.get("_page", "")[:LONGEST_NAME]
    if any(NUL in text for pair in (*values, (words, sender)) for text in pair):
        return _refused(400, "malformed")
    form, part = sent.get("type", ""), sent.get("_part", "")
    try:
        unsent_forms.keep(page.viewer, form, part, [] if "_discard" in sent else values, words, sender)
    except Refused as refused:
        return _refused(refused.status, refused.code)
    return HttpResponse(status=204)


def _refused(status: int, code: str) -> HttpResponse:
    return JsonResponse({"code": code}, status=status)


@login_required
@never_cache
def notebook(request: HttpRequest, public_id: str) -> HttpResponse:
    """A person's notes and marks; a POST keeps the notes."""
    page = open_match_page(request, public_id)
    if request.method != "POST":
        return _show(request, page)
    text = request.POST.get("text", "")
    if rate_limits.action_rates().take(f"notebook:{request.user.pk}"):
        return _answer(request, page, _TOO_FAST, 429, text)
    try:
        book = notebooks.write(page.viewer, text, request.POST.get("seen", ""))
    except Refused as refused:
        return _answer(request, page, refused.message, refused.status, text)
    if _is_script(request):
        return JsonResponse({"seen": notebooks.version_of(book)})
    return redirect(f"{page.address()}#notebook")


@login_required
@require_POST
def mark(request: HttpRequest, public_id: str) -> HttpResponse:
    """Mark a player or a lot, or take a mark away."""
    page = open_match_page(request, public_id)
    if rate_limits.action_rates().take(f"notebook:{request.user.pk}"):
        return _show(request, page, error=_TOO_FAST, status=429)
    try:
        notebooks.mark(page.viewer, request.POST.get("target", ""), request.POST.get("mark", ""))
    except Refused as refused:
        return _show(request, page, error=refused.message, status=refused.status)
    return redirect(f"{page.address()}#notebook")


@login_required
@require_safe
@never_cache
def export(request: HttpRequest, public_id: str) -> HttpResponse:
    """A person's own notes and marks as a file."""
    page = open_match_page(request, public_id)
    answer = JsonResponse(as_json(page.viewer), json_dumps_params={"ensure_ascii": False, "indent": 2})
    answer["Content-Disposition"] = f'attachment; filename="notes-{page.match.public_id}.json"'
    return answer


def _is_script(request: HttpRequest) -> bool:
    return "X-Requested-With" in request.headers


def _answer(request: HttpRequest, page: MatchPage, error: str, status: int, text: str) -> HttpResponse:
    if _is_script(request):
        return JsonResponse({"error": error}, status=status)
    return _show(request, page, error=error, typed=text, status=status)


def _show(
    request: HttpRequest, page: MatchPage, *, error: str = "", typed: str | None = None, status: int = 200
) -> HttpResponse:
    own = panel_context(page.viewer)
    if typed is not None:
        own["text"] = typed[: notebooks.LONGEST]
    context = page.context("notebook", error=error, own=own)
    return render(request, "jotter/notebook.html", context, status=status)
