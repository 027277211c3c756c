"""What-ifs: questions about a match or a game, and their answers. Anybody may ask, and asking changes nothing."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from matches.engine.errors import Rejected
from matches.engine.game import AnyGame
from matches.engine.views import PrivateView, PublicView
from matches.games.registry import UnknownGame, game_of
from matches.infra import rate_limits
from matches.models import clock
from matches.pages.forms import FormState
from matches.web.forms import FormError, read_action, typed_in, with_errors
from matches.web.match_page import open_match_page


@require_safe
def ask(request: HttpRequest, public_id: str) -> HttpResponse:
    """`?type=…` and the fields: answered from what the viewer may see of the match."""
    page = open_match_page(request, public_id)
    game, own = page.match.rules, page.position.private_of(page.player)
    found = _answer(request, game, page.position.public, own)
    return _show(request, "matches/ask.html", game, page.context("ask", own=own, **found))


@require_safe
def ask_of_game(request: HttpRequest, slug: str) -> HttpResponse:
    """The same without a match."""
    try:
        game = game_of(slug)
    except UnknownGame:
        raise Http404("no such game") from None
    found = _answer(request, game, None, None)
    return _show(request, "matches/game_ask.html", game, {"game": game, "now": clock.now(), **found})


def _answer(
    request: HttpRequest, game: AnyGame, public: PublicView | None, private: PrivateView | None
) -> dict[str, Any]:
    """The question as read, its answer, the form with its errors, and a status; empty if the address has no question
    yet."""
    if not game.questions:
        raise Http404("nothing to ask")
    if "type" not in request.GET:
        return {"form_state": FormState(), "status": 200}
    if rate_limits.wait_to_ask(request, request.user.pk):
        return {"form_state": with_errors(typed_in(request.GET), {"": rate_limits.TOO_FAST}), "status": 429}
    try:
        form = read_action(game.questions, request.GET)
    except FormError as error:
        return {"form_state": error.form_state, "status": 422}
    try:
        answer = game.ask(form.action, public, private)
    except Rejected as rejection:
        return {"form_state": form.refused(rejection.field, rejection.message), "status": 422}
    return {"form_state": form.form_state, "question": form.action, "answer": answer, "status": 200}


def _show(request: HttpRequest, template: str, game: AnyGame, context: dict[str, Any]) -> HttpResponse:
    """The one form with its answer for a page that stays, or else a page with all what-ifs."""
    kind = context["form_state"].type
    if request.htmx and kind in game.questions:  # type: ignore[attr-defined]
        template = "matches/question.html"
    more = {"kind": kind, "kinds": tuple(game.questions), "is_known": kind in game.questions}
    response = render(request, template, context | more, status=context["status"])
    response["Cache-Control"] = "no-store, private" if request.user.is_authenticated else "no-cache"
    return response
