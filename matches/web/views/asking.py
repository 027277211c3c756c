"""Requests that change nothing: what the rules would answer to a form now, and what-ifs."""

from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST, require_safe

from matches.engine.actions import decode_action
from matches.engine.errors import MALFORMED, Rejected
from matches.engine.game import AnyGame
from matches.engine.views import PrivateView, PublicView, Remedy
from matches.games.registry import UnknownGame, game_of
from matches.infra import rate_limits
from matches.infra.rate_limits import TOO_FAST
from matches.models import Player, clock
from matches.pages.forms import FormError, FormState, read_action, typed_in
from matches.pages.fragments import template_of
from matches.services.errors import Refused
from matches.web.match_page import MatchPage, open_match_page

# -- forecasts -------------------------------------------------------------------------------------------


@require_POST
def preview(request: HttpRequest, public_id: str) -> HttpResponse:
    """Answer what the rules would say to a form now, as a sentence. Stores nothing."""
    page = open_match_page(request, public_id)
    if page.player is None:
        return HttpResponse(status=403)
    if rate_limits.action_rates().take(request.user.pk):
        return HttpResponse(_text({"kind": "open", "message": TOO_FAST}), status=429)
    return HttpResponse(_forecast(page, page.player, request.POST))


def _forecast(page: MatchPage, player: Player, sent: QueryDict) -> str:
    """What a form would do, or why it would be refused, as HTML."""
    try:
        action = read_action(page.match.rules.actions, sent).action
        rejection = page.position.would_refuse(player, action)
    except FormError as error:
        return _text({"kind": "open", "message": next(iter(error.form_state.errors.values()))})
    except Refused as refused:
        return _text({"kind": "bad", "message": refused.message})
    return _text(_effect(page, player, action) if rejection is None else _refusal(page, player, action, rejection))


def _refusal(page: MatchPage, player: Player, action: dict[str, Any], rejection: Rejected) -> dict[str, Any]:
    """Why an action would be refused, and what would make it possible."""
    return {"kind": "bad", "message": rejection.message, "remedy": remedy_of(page, player, action, rejection)}


def remedy_of(page: MatchPage, player: Player, action: dict[str, Any], rejection: Rejected) -> Remedy | None:
    """Return what would make a refused action possible, from the player's views; None if nothing would."""
    game = page.match.rules
    public, own = page.position.public, page.position.private_of(player)
    if rejection.code == MALFORMED or public is None or own is None:
        return None
    return game.remedy(public, own, decode_action(game.actions, action), rejection)


def _effect(page: MatchPage, player: Player, action: dict[str, Any]) -> dict[str, Any]:
    """The effect of an acceptable action, from the player's views."""
    effect, game = None, page.match.rules
    public, own = page.position.public, page.position.private_of(player)
    if public is not None and own is not None:
        effect = game.forecast(public, own, decode_action(game.actions, action))
    return page.shown.context() | {
        "kind": "good",
        "game_part": template_of(page.match.game, "forecast"),
        "action": action,
        "forecast": effect,
        "own": own,
        "me": page.shown.people.get(player.handle),
    }


def _text(context: dict[str, Any]) -> str:
    return render_to_string("matches/forecast.html", context)


# -- what-ifs --------------------------------------------------------------------------------------------
# Anybody may ask what-ifs.


@require_safe
def ask(request: HttpRequest, public_id: str) -> HttpResponse:
    """Answer the what-if in `?type=…` and its fields from what the viewer may see of the match."""
    page = open_match_page(request, public_id)
    game, own = page.match.rules, page.position.private_of(page.player)
    found = _answer(request, game, page.position.public, own)
    return _show_question(request, "matches/ask.html", game, page.context("ask", own=own, **found))


@require_safe
def ask_of_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer a what-if about a match type, without a match."""
    try:
        game = game_of(slug)
    except UnknownGame:
        raise Http404("no such game") from None
    found = _answer(request, game, None, None)
    return _show_question(request, "matches/game_ask.html", game, {"game": game, "now": clock.now(), **found})


def _answer(
    request: HttpRequest, game: AnyGame, public: PublicView | None, private: PrivateView | None
) -> dict[str, Any]:
    """The question, its answer, the form with its errors, and a status; an empty form if the URL has no question."""
    if not game.questions:
        raise Http404("nothing to ask")
    if "type" not in request.GET:
        return {"form_state": FormState(), "status": 200}
    if rate_limits.wait_to_ask(request, request.user.pk):
        return {"form_state": replace(typed_in(request.GET), errors={"": rate_limits.TOO_FAST}), "status": 429}
    try:
        form = read_action(game.questions, request.GET)
    except FormError as error:
        return {"form_state": error.form_state, "status": 422}
    try:
        answer = game.ask(form.action, public, private)
    except Rejected as rejection:
        return {"form_state": form.refused(rejection.field, rejection.message), "status": 422}
    return {"form_state": form.form_state, "question": form.action, "answer": answer, "status": 200}


def _show_question(request: HttpRequest, template: str, game: AnyGame, context: dict[str, Any]) -> HttpResponse:
    """Return one form with its answer for a page that stays open, otherwise a page with all what-ifs."""
    kind = context["form_state"].type
    if request.htmx and kind in game.questions:  # type: ignore[attr-defined]
        template = "matches/question.html"
    more = {"kind": kind, "kinds": tuple(game.questions), "is_known": kind in game.questions}
    response = render(request, template, context | more, status=context["status"])
    response["Cache-Control"] = "no-store, private" if request.user.is_authenticated else "no-cache"
    return response
