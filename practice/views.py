"""The pages of practice. Only the person who sits at a table ever gets it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from matches.engine.errors import Rejected
from matches.engine.game import AnyGame
from matches.games.registry import UnknownGame, game_of
from matches.infra import rate_limits
from matches.models import clock
from matches.pages.form_state import FormState, with_tokens
from matches.pages.styles import scripts_for_match
from matches.services.errors import Refused
from matches.web.forms import FormError, read_action, with_errors
from practice import services
from practice.page import page_of

_RECEIPT = "receipt"
"""The tag of a message that is shown where a match says it: beside what is asked."""


def _game(slug: str) -> AnyGame:
    try:
        return game_of(slug)
    except UnknownGame:
        raise Http404("no such game") from None


def _too_fast(request: HttpRequest) -> bool:
    return bool(rate_limits.action_rates().take(f"practice:{request.user.pk}"))


@login_required
@never_cache
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """The person's table, or a button that lays one; a POST begins, acts, goes on, or leaves."""
    game = _game(slug)
    if request.method != "POST":
        return _show(request, game)
    if _too_fast(request):
        return _show(request, game, error=rate_limits.TOO_FAST, status=429)
    do = request.POST.get("do", "")
    try:
        if do == "begin":
            services.begin(request.user, game)
        elif do == "leave":
            services.leave(request.user, game)
            return redirect("matches:game", slug)
        elif do == "on":
            if said := services.go_on(request.user, game):
                messages.success(request, said, extra_tags=_RECEIPT)
        else:
            return _act(request, game)
    except services.NoTable:
        pass  # the page says so, and offers a new one
    return _to_table(game)


def _act(request: HttpRequest, game: AnyGame) -> HttpResponse:
    form = None
    try:
        form = read_action(game.actions, request.POST)
        table = services.act(request.user, game, form.action)
    except FormError as error:
        return _show(request, game, form_state=error.form_state, status=422)
    except Rejected as rejected:
        state = form.refused(rejected.field or "", rejected.message) if form else FormState()
        return _show(request, game, form_state=state, status=422)
    except Refused as refused:
        state = with_errors(form.form_state, {"": refused.message}) if form else FormState()
        return _show(request, game, form_state=state, status=refused.status)
    with clock.fixed(clock.now()):
        messages.success(request, SafeString(page_of(table).receipt(form.action)), extra_tags=_RECEIPT)
    return _to_table(game)


def _to_table(game: AnyGame) -> HttpResponse:
    """The fragment is empty: else the browser would take over that of the form, which opens the sheet where something
    is to be mended."""
    return redirect(f"{reverse('practice:table', args=[game.slug])}#")


def _show(
    request: HttpRequest,
    game: AnyGame,
    *,
    form_state: FormState | None = None,
    error: str = "",
    status: int = 200,
) -> HttpResponse:
    found = services.table_of(request.user, game)
    chosen = request.GET.get("lot", "")[:80]
    context = {"game": game, "error": error, "scripts": scripts_for_match(game.slug), "chosen": chosen}
    with clock.fixed(clock.now()):
        if found is not None:
            context |= page_of(found).context(form_state, chosen)
            for part in ("act", "panel"):
                context[part] = with_tokens(str(context[part]), "#act", get_token(request), {})
        return render(request, "practice/table.html", context, status=status)


@login_required
@require_POST
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """What the rules would answer to a form now, as a sentence."""
    game = _game(slug)
    found = services.table_of(request.user, game)
    if found is None:
        raise Http404("no table")
    if _too_fast(request):
        return render(request, "matches/forecast.html", {"kind": "open", "message": rate_limits.TOO_FAST}, status=429)
    with clock.fixed(clock.now()):
        page = page_of(found)
        try:
            action = read_action(game.actions, request.POST).action
            page.play.would(action)
        except FormError as error:
            message = next(iter(error.form_state.errors.values()))
            return render(request, "matches/forecast.html", {"kind": "open", "message": message})
        except Rejected as rejected:
            return render(request, "matches/forecast.html", {"kind": "bad", "message": rejected.message})
        return render(request, "matches/forecast.html", page.forecast(action))
