"""Views of practice. Tables are shown with the same templates as matches."""

import re
from datetime import datetime
from functools import cached_property
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST
from msgspec.structs import replace

from matches.engine.actions import decode_action
from matches.engine.errors import Rejected
from matches.engine.game import AnyGame
from matches.games.registry import UnknownGame, game_of
from matches.infra import rate_limits
from matches.models import Match, Player, clock
from matches.pages.context import ContextOutOfTime, People, Person
from matches.pages.forms import FormError, FormState, read_action
from matches.pages.fragments import has_several, is_told, staged, template_of, with_tokens
from matches.pages.rendering import own_parts, table_parts
from matches.pages.styles import scripts_for_match
from matches.queries.match_info import PageInfo
from matches.queries.matches import Position
from matches.services.errors import Refused
from practice import services
from practice.models import PracticeTable
from practice.services import ME, Play, Seat, name_of, play_at


class _Shown(ContextOutOfTime):
    """The context of a match, with the game's URL for what-ifs. Time stands still until the player goes on."""

    @cached_property
    def info(self) -> PageInfo:
        return replace(super().info, url=f"/games/{self._position.match.game}/")

    def context(self) -> dict[str, object]:
        """Add that it is practice, which has no result page."""
        return super().context() | {"is_practice": True}


_MOST_NEWS = 30
_SEED = re.compile(r"[0-9a-f]{64}")


class PracticePage:
    """A table to be shown; `now` is fixed meanwhile."""

    def __init__(self, table: PracticeTable, now: datetime) -> None:
        self.play: Play = play_at(table)
        self.table, self.game, self._now = table, self.play.game, now
        bare = Match(public_id="practice", game=table.game, title="Practice", speed=1)
        self._position = Position(staged(bare, self.play.state, self.play.time, now, table.seed))
        handles = self.play.state.core.handles
        people = People(Person(each, name_of(table, each), n, "", each != ME, False) for n, each in enumerate(handles))
        self.shown = _Shown(self._position, now, people)
        self._me = Player(handle=ME)

    @property
    def is_over(self) -> bool:
        return self.play.due is None

    def context(self, form_state: FormState | None, chosen: str) -> dict[str, Any]:
        """Return the context of the page."""
        progress = self.game.progress(self._position.public)
        own = own_parts(self._position, self.shown, self._me, form_state, chosen)
        if self.is_over:
            own |= {"act": "", "asked": ""}
        return {
            **self.shown.context(),
            "game": self.game,
            "table": True,
            "kept_as": f"practice:{self.game.slug}:{self.table.pk}",
            "parts": table_parts(self._position, self.shown),
            **own,
            "has_act": is_told(own["act"]),
            "has_several": has_several(own["act"]),
            "has_sealed": bool(self._position.has_submitted(self._me)),
            "form_state": form_state,
            "forms": [] if self.is_over else list(self.game.actions),
            "me": self.shown.people.get(ME),
            "where": progress.where,
            "is_over": self.is_over,
            "is_first": not self.table.steps,
            "news": services.sentences(self.table, services.heard_at(self.table)[: -_MOST_NEWS - 1 : -1]),
            **(self._ending() if self.is_over else {}),
        }

    def _ending(self) -> dict[str, Any]:
        outcome = self._position.outcome
        return {
            "outcome": outcome,
            "over": True,
            "story": services.story_at(self.table, self._position),
            "with_a_bot": services.with_a_bot(self.table, self._position),
            "result_template": template_of(self.game.slug, "result"),
        }

    def receipt(self, action: dict[str, Any]) -> str:
        """Return what this action has done, in words."""
        context = self.shown.context() | {"action": action, "receipt": None, "at": self._now}
        return " ".join(render_to_string(template_of(self.game.slug, "receipt"), context).split())

    @property
    def _own(self) -> Any:
        return self._position.private_of(self._me)

    def forecast(self, action: Any) -> dict[str, Any]:
        """Return the forecast of an acceptable action, as context for `matches/forecast.html`."""
        return {
            **self.shown.context(),
            "kind": "good",
            "game_part": template_of(self.game.slug, "forecast"),
            "action": action,
            "forecast": self.game.forecast(self._position.public, self._own, decode_action(self.game.actions, action)),
            "own": self._own,
            "me": self.shown.people.get(ME),
        }


def page_of(table: PracticeTable) -> PracticePage:
    """Return the page of a table as it is now; call it inside `clock.fixed`."""
    return PracticePage(table, clock.now())


# -- views -----------------------------------------------------------------------------------------------
# Only the person who plays at a table ever gets it.

_RECEIPT = "receipt"
"""The tag of messages that appear beside what is asked, as in a match."""


def _game(slug: str) -> AnyGame:
    try:
        return game_of(slug)
    except UnknownGame:
        raise Http404("no such game") from None


def _too_fast(request: HttpRequest) -> bool:
    who = rate_limits.asker_of(request, request.user.pk)
    return bool(rate_limits.action_rates().take(("practice", who)))


def _seat(request: HttpRequest) -> Seat:
    """The owner of the table. A visitor has a session once they begin their first table."""
    if request.user.is_authenticated:
        return Seat(user=request.user)
    return Seat(visitor=request.session.session_key or "")


# Limits new tables of visitors, who can have a new session as often as they like.
_visitors_tables = rate_limits.Buckets(rate=1 / 60, burst=10)


def _begins_too_often(request: HttpRequest) -> bool:
    return not request.user.is_authenticated and bool(_visitors_tables.take(rate_limits.asker_of(request, None)))


def _begin(request: HttpRequest, game: AnyGame, seed: str = "") -> None:
    if not request.user.is_authenticated:
        request.session["practises"] = True  # an empty session is not stored
        request.session.save()
    services.begin(_seat(request), game, seed)


def _seed_of(request: HttpRequest) -> str:
    """The seed of the new table that a move on the front page begins; empty for all other moves."""
    key = request.POST.get("key", "")
    return key if _SEED.fullmatch(key) else ""


def first_table(request: HttpRequest, game: AnyGame) -> dict[str, Any]:
    """Return the front page's context: the board of the person's table, or of a new one, what they can do there
    (`board`, `act`), who they are (`me`), the types of its forms, and `key`: the seed of a new table, for the first
    move."""
    with clock.fixed(clock.now()):
        found = services.table_of(_seat(request), game)
        table = found or services.new_table(Seat(), game, services.seed_of_the_day(game))
        shown = page_of(table).context(None, "")
    return {
        "board": shown["parts"]["board"],
        "act": shown["act"],
        "me": shown["me"],
        "forms": shown["forms"],
        "key": "" if found else table.seed,
    }


@never_cache
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the person's table, or a button that begins one; a POST begins, acts, or goes on."""
    game = _game(slug)
    if request.method != "POST":
        return _show(request, game)
    if _too_fast(request):
        return _show(request, game, error=rate_limits.TOO_FAST, status=429)
    do = request.POST.get("do", "")
    if do == "sit":  # from the front page: return to a table, or begin one
        do = "begin" if services.table_of(_seat(request), game) is None else ""
        if not do:
            return _to_table(game)
    seed = _seed_of(request)
    if seed and services.table_of(_seat(request), game) is not None:
        messages.info(request, "You already have a table, so here it is. Your move was not sent.")
        return _to_table(game)
    if (do == "begin" or seed) and _begins_too_often(request):
        return _show(request, game, error="That is too many new tables. Continue one, or wait a minute.", status=429)
    try:
        if do == "begin":
            _begin(request, game)
        elif do == "on":
            if said := services.go_on(_seat(request), game):
                messages.info(request, said, extra_tags=_RECEIPT)
        else:
            if seed:
                _begin(request, game, seed)
            return _act(request, game)
    except services.NoTable:
        pass  # the page says so and offers a new one
    return _to_table(game)


def _act(request: HttpRequest, game: AnyGame) -> HttpResponse:
    form = None
    try:
        form = read_action(game.actions, request.POST)
        table, asks_more = services.act(_seat(request), game, form.action)
    except FormError as error:
        return _show(request, game, form_state=error.form_state, status=422)
    except Rejected as rejected:
        state = form.refused(rejected.field or "", rejected.message) if form else FormState()
        return _show(request, game, form_state=state, status=422)
    except Refused as refused:
        state = form.refused("", refused.message) if form else FormState()
        return _show(request, game, form_state=state, status=refused.status)
    with clock.fixed(clock.now()):
        said = SafeString(page_of(table).receipt(form.action))
        messages.add_message(request, messages.INFO if asks_more else messages.SUCCESS, said, extra_tags=_RECEIPT)
    return _to_table(game)


def _to_table(game: AnyGame) -> HttpResponse:
    """With an empty fragment: else the browser would keep that of the form, which opens the sheet for corrections."""
    return redirect(f"{reverse('practice:table', args=[game.slug])}#")


def _show(
    request: HttpRequest, game: AnyGame, *, form_state: FormState | None = None, error: str = "", status: int = 200
) -> HttpResponse:
    found = services.table_of(_seat(request), game)
    chosen = request.GET.get("lot", "")[:80]
    context: dict[str, Any] = {"game": game, "error": error, "scripts": scripts_for_match(game.slug), "chosen": chosen}
    with clock.fixed(clock.now()):
        if found is not None:
            context |= page_of(found).context(form_state, chosen)
            for part in ("act", "panel"):
                context[part] = with_tokens(str(context[part]), "#act", get_token(request), {})
        said = next((each for each in messages.get_messages(request) if _RECEIPT in each.tags), None)
        is_done = said is not None and said.level == messages.SUCCESS
        is_sealed = is_done and context.get("has_sealed", False)  # as the receipt does
        context |= {"receipt": said, "is_done": is_done, "is_sealed": is_sealed}
        return render(request, "practice/table.html", context, status=status)


@require_POST
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """Return what the rules would answer to a form now, as a sentence."""
    game = _game(slug)
    found, seed = services.table_of(_seat(request), game), _seed_of(request)
    if found is None and not seed:
        raise Http404("no table")
    if _too_fast(request):
        return render(request, "matches/forecast.html", {"kind": "open", "message": rate_limits.TOO_FAST}, status=429)
    with clock.fixed(clock.now()):
        page = page_of(found or services.new_table(Seat(), game, seed))
        try:
            action = read_action(game.actions, request.POST).action
            page.play.would(action)
        except FormError as error:
            message = next(iter(error.form_state.errors.values()))
            return render(request, "matches/forecast.html", {"kind": "open", "message": message})
        except Rejected as rejected:
            return render(request, "matches/forecast.html", {"kind": "bad", "message": rejected.message})
        return render(request, "matches/forecast.html", page.forecast(action))
