"""Views of a match's main page with the board, its rules, and its hosts' announcements."""

import secrets
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.forms import DateTimeField
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.sign_in import form_login_required
from matches.infra import rate_limits
from matches.infra.text import without_nul
from matches.models import Holding, Match, ledger
from matches.pages import fragments, rendering, styles
from matches.pages.ahead import ahead_of, example_board
from matches.pages.forms import FormState
from matches.pages.fragments import OWN_PART, has_several, is_told, own_part_of, template_of, with_tokens
from matches.queries import announcements
from matches.queries import matches as match_queries
from matches.queries.access import is_open, sees_who_is_here
from matches.services.absences import ready
from matches.services.errors import Refused
from matches.services.questions import ask_hosts, note_read, open_questions
from matches.services.roles import is_insider, why_not_play
from matches.web.match_page import MatchPage, open_match_page, page_for

SIGNED_OUT = "You are signed out, so nothing was sent. Sign in again, in another tab if you like, and send it again."


@require_safe
def match(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the match page: the board for everyone, the panel and forms for its player."""
    return show_table(request, open_match_page(request, public_id))


def show_table(
    request: HttpRequest, page: MatchPage, *, form_state: FormState | None = None, status: int = 200, **more: Any
) -> HttpResponse:
    """Render the match page. `form_state`: a form that was refused; `more`: context for other refused forms."""
    chosen = request.GET.get("lot", "")[:80]
    parts = rendering.public_parts(page.position, page.now)
    if page.player is not None:
        parts |= rendering.private_parts(page.position, page.player, page.now, form_state=form_state, chosen=chosen)
    forms, can_join = act_forms(page), _can_join(page)
    address = f"{reverse('matches:act', args=[page.match.public_id])}#act"
    frames = (address, get_token(request), {form["type"]: form["key"] for form in forms})
    context = page.context(
        "match",
        parts=parts | {name: with_tokens(parts[name], *frames) for name in ("act", "panel") if name in parts},
        texts=fragments.checksums(parts),
        has_act=is_told(parts.get("act", "")),
        forms=forms,
        has_several=has_several(parts.get("act", "")),
        form_state=form_state,
        chosen=chosen,
        own_part=own_part_of(page.position) if page.player else "",
        versions={"public": page.match.public_version, "private": page.player.version if page.player else None},
        host=_host_view(page) if page.viewer.sees else None,
        can_join=can_join,
        ahead=ahead_of(page.match) if can_join else None,
        takes_bots=page.match.joining != Match.Joining.PEOPLE,
        may_leave=page.player is not None and page.shown.info.is_coming,
        **more,
        asks_ready=_asks_ready(page),
        who_is_here=not page.match.is_over and sees_who_is_here(page.viewer),
        question_key=new_key() if page.player else "",
        scripts=styles.scripts_for_match(page.match.game),
    )
    return render(request, "matches/match.html", context, status=status)


def _asks_ready(page: MatchPage) -> bool:
    """Whether this player can still say that they are ready."""
    found = ready(page.match) if page.player is not None else None
    return found is not None and page.player is not None and page.player.handle not in found


def act_forms(page: MatchPage) -> list[dict[str, str]]:
    """Return the frames of the player's forms, one for each action of the game, each with a key, so that a form that is
    sent twice counts once. They are there before the start, so that a waiting page can act as soon as it begins."""
    if page.player is None or page.shown.info.is_over:
        return []
    return [{"type": kind, "key": new_key()} for kind in page.match.rules.actions]


def new_key() -> str:
    """Return a new idempotency key for one form."""
    return secrets.token_urlsafe(15)


def _can_join(page: MatchPage) -> bool:
    info = page.shown.info
    free = len(page.shown.people) < info.places
    user = page.viewer.user
    if page.match.joining == Match.Joining.PEOPLE and user.is_authenticated and user.is_bot:
        return False
    return info.open_to_join and page.player is None and free and not why_not_play(page.match, user)


def _host_view(page: MatchPage) -> dict[str, Any]:
    """What a host sees besides the board: who has submitted (not what), and who is in debt. A superuser who has not
    opened the console could still play in the match, and gets only a link to the console."""
    if not is_insider(page.match, page.viewer.user):
        return {"pk": page.match.pk, "unopened": True}
    players = page.match.players.all()
    submitted = [(player.handle, page.position.has_submitted(player)) for player in players]
    return {
        "pk": page.match.pk,
        "submitted": [(handle, done) for handle, done in submitted if done is not None],
        "debts": [(debt.player.handle, _owed(page.match, debt)) for debt in match_queries.in_debt(page.match)],
        "fault": bool(page.match.fault),
        "is_set_aside": page.match.is_set_aside,
        "questions": open_questions(page.match),
        "observes": not page.viewer.is_host,
    }


def _owed(match: Match, debt: Holding) -> str:
    """How much a player owes if that is public, otherwise only what."""
    return ledger.units(debt.asset, -debt.amount) if is_open(match, debt.asset) else ledger.asset_word(debt.asset)


@require_safe
def parts(request: HttpRequest, public_id: str) -> HttpResponse:
    """Send the parts of the match page as JSON, for pages without a WebSocket or after a lost connection. Only an open
    board asks for them, so a result that arrives this way is not hidden."""
    page = page_for(request.user, public_id)
    found = rendering.public_parts(page.position, page.now)
    if page.player is not None:
        found |= rendering.private_parts(page.position, page.player, page.now)
        found[OWN_PART] = own_part_of(page.position)
    body = {
        "version": page.match.public_version,
        "private_version": page.player.version if page.player else None,
        "parts": found,
        "now": page.now.isoformat(),
    }
    response = JsonResponse(body)
    response["Cache-Control"] = "no-store, private" if request.user.is_authenticated else "no-cache"
    return response


@require_safe
def rules(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the rules of this match, with its own numbers."""
    page = open_match_page(request, public_id)
    context = page.context(
        "rules",
        config=page.position.config,
        rules_template=template_of(page.match.game, "rules"),
        designers=page.match.rules.designers,
        example=example_board(page.match.game),
    )
    return render(request, "matches/rules.html", context)


# -- announcements and questions -------------------------------------------------------------------------
# Who hosts a match, what they have announced, and asking them in private.

_LONGEST_KEPT = 4000
"""The most characters of a refused question that come back in its form."""


@require_safe
def hosts(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show all announcements of hosts, with corrected versions; for players also their own questions and the form."""
    return _show(request, open_match_page(request, public_id))


@require_POST
def ask(request: HttpRequest, public_id: str) -> HttpResponse:
    """Send a player's private question to the hosts. A refused one comes back with what was typed and the reason."""
    page = open_match_page(request, public_id)
    text = request.POST.get("text", "")
    if not request.user.is_authenticated:
        typed = FormState(values={"Your question": [_shown_again(text)]})
        context = page.context("hosts", message=SIGNED_OUT, form_state=typed, signed_out=True)
        return render(request, "matches/refused.html", context, status=401)
    if page.player is None:
        return _show(request, page, error="Only this match's players can ask its hosts.", typed=text, status=403)
    if rate_limits.action_rates().take(request.user.pk):
        return _show(request, page, error=rate_limits.TOO_FAST, typed=text, status=429)
    try:
        ask_hosts(page.match.pk, request.user.pk, text, without_nul(request.POST.get("key", "")[:100]))
    except Refused as refused:
        return _show(request, page, error=refused.message, typed=text, status=refused.status)
    messages.success(request, "Your question has been sent. Only you, the hosts and their observers can read it.")
    return redirect(f"{page.address('hosts')}#questions")


@form_login_required
@require_POST
def read(request: HttpRequest, public_id: str) -> HttpResponse:
    """Note that this person has read what hosts have announced, up to the newest that their page showed."""
    page = open_match_page(request, public_id)
    try:
        until = DateTimeField().clean(request.POST.get("until"))
    except ValidationError:
        until = None
    notes = announcements.notes_of(page.match) if until else []
    if shown := [note.now.since for note in notes if note.now.since <= until]:
        note_read(page.match, request.user, max(shown))
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
    """Return the context of the form for questions."""
    if page.player is None:
        return {}
    return {"question_key": new_key(), "questions": announcements.own_questions(page.match, page.player)}


def _shown_again(typed: str) -> str:
    """What was typed, as far as a page can show it: half a surrogate pair cannot be encoded."""
    return typed[:_LONGEST_KEPT].encode(errors="ignore").decode()
