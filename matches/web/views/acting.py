"""Handles the actions that players send by a form."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST

from matches.engine.actions import DECISIONS
from matches.engine.errors import Rejected
from matches.engine.sentences import NO_PLAYER
from matches.infra import rate_limits
from matches.pages import fragments, rendering
from matches.pages.extensions import take_gift_words
from matches.pages.forms import LONGEST_TEXT, FormError, FormState, read_action, typed_in
from matches.pages.fragments import template_of
from matches.pages.rendering import Parts
from matches.pages.texts import moment_in_words
from matches.services.actions import Answer, MovedOn
from matches.services.errors import KeyConflict, Refused
from matches.services.group.queue import submit
from matches.web.match_page import MatchPage, open_match_page
from matches.web.views.asking import remedy_of
from matches.web.views.table import SIGNED_OUT, new_key, show_table

SENT_BEFORE = (
    "What you sent earlier from this page arrived, although you got no reply. What you are sending now is different, so"
    " the site has not accepted it. Send it again if you still want to."
)

OLD = timedelta(minutes=1)
"""After this time a repeated answer is no answer to what somebody wants now, so the page says that it is old."""
SENT_ON = "You already sent this from this page on {at}, and the site"
DONE_BEFORE = f"{SENT_ON} did it then. Send it again if you want it done once more."
REFUSED_BEFORE = f"{SENT_ON} refused it then: {{message}} Send it again if you want it done now."


class Piece(NamedTuple):
    """A piece of HTML for a page that stays open: where it goes (a CSS selector), how it is inserted, and the HTML."""

    target: str
    swap: str
    html: str


@require_POST
def act(request: HttpRequest, public_id: str) -> HttpResponse:
    """Carry out an action of the match's player. A refused form comes back with what was typed and the reason (422)."""
    page = open_match_page(request, public_id)
    if not request.user.is_authenticated:
        return _refuse(request, page, typed_in(request.POST), SIGNED_OUT, 401)
    if page.player is None:
        return _refuse(request, page, typed_in(request.POST), NO_PLAYER, 403)
    try:
        form = read_action(page.match.rules.actions, request.POST)
    except FormError as error:
        return _come_back(request, page, error.form_state, 422)
    if rate_limits.action_rates().take(request.user.pk):
        return _come_back(request, page, form.refused("", rate_limits.TOO_FAST), 429)
    unsure = form.action["type"] in DECISIONS and request.POST.get("sure") != _sure_of(form.action)
    if unsure and _would_be_taken(page, form.action):  # what the rules refuse anyway needs no confirmation
        return _ask_once_more(request, page, form.action)
    key = request.POST.get("key", "")[:100]
    seen = request.headers.get("X-Match-Seen", "")
    known = rendering.shown_as_of(page.match, page.player, seen) if seen else {}
    if form.action["type"] == "give_tokens" and "words" in request.POST:
        try:
            take_gift_words(page.viewer, request.POST["words"])
        except Refused as refused:
            wrong = replace(form.form_state, errors={"words": refused.message})
            return _come_back(request, page, wrong, refused.status)
    try:
        answer = submit(page.match.pk, request.user.pk, form.action, key, request.POST.get("meant_for", "")[:100])
    except Refused as refused:
        now = open_match_page(request, public_id) if isinstance(refused, MovedOn) else page
        message = SENT_BEFORE if isinstance(refused, KeyConflict) else refused.message
        return _come_back(request, now, form.refused("", message), refused.status)
    if page.now - answer.given_at > OLD:
        return _come_back(request, page, _of_before(form.form_state, answer), 409)
    if not answer.accepted:
        remedy = remedy_of(page, page.player, form.action, Rejected(answer.code, answer.message))
        return _come_back(request, page, form.refused(answer.field, answer.message, remedy), 422)
    return _done(request, page.after(answer), form.action, answer, known)


def _of_before(form_state: FormState, answer: Answer) -> FormState:
    """Say in a form that was sent earlier what became of it then. It is not carried out again."""
    said = DONE_BEFORE if answer.accepted else REFUSED_BEFORE
    errors = {"": said.format(at=moment_in_words(answer.given_at), message=answer.message)}
    return replace(form_state, errors=errors, was_sent=True)


def _would_be_taken(page: MatchPage, action: dict[str, Any]) -> bool:
    """Whether the rules would accept this action of the player now."""
    try:
        return page.player is not None and page.position.would_refuse(page.player, action) is None
    except Refused:
        return False


def _sure_of(action: dict[str, Any]) -> str:
    """The value that confirms this choice and no other."""
    return json.dumps(action, sort_keys=True)


def _ask_once_more(request: HttpRequest, page: MatchPage, action: dict[str, Any]) -> HttpResponse:
    """Ask for confirmation before anything is done: with a button next to the form or, without scripts, on a page."""
    asked = {"action": action, "sure": _sure_of(action), "chosen": action.get("to", [action.get("player")])}
    if request.htmx:  # type: ignore[attr-defined]
        return _fragments(page, [], action["type"], verdict="asked", asked=asked)
    names = [name for name in request.POST if name not in ("csrfmiddlewaretoken", "sure")]
    sent = [(name, value[:LONGEST_TEXT]) for name in names for value in request.POST.getlist(name)]
    return render(request, "matches/sure.html", page.context("match", asked=asked, sent=sent))


def _done(request: HttpRequest, page: MatchPage, action: dict[str, Any], answer: Answer, known: Parts) -> HttpResponse:
    """Show the receipt in words: on the page that sent the form or, without scripts, on the next one. `known`: the
    parts that the page shows now, by the versions that it named; empty if they are not cached here."""
    said = _receipt(page, action, answer)
    if not request.htmx:  # type: ignore[attr-defined]
        messages.success(request, said)
        # without it the browser would keep the form's fragment, which leads to the errors
        return redirect(f"{page.address()}#")
    parts = rendering.public_parts(page.position, page.now)
    if page.player is not None:
        parts |= rendering.private_parts(page.position, page.player, page.now)
    return _fragments(page, _changed(known, parts), action["type"], said=said, at=_given_at(page, answer))


def _changed(known: Parts, parts: Parts) -> list[Piece]:
    """What must change on a page that shows the parts `known`: whole parts, or single fragments of public ones."""
    pieces = []
    for name, html in parts.items():
        found = None
        if name in known:
            found = fragments.changed(known[name], html) if name in rendering.PUBLIC_PARTS else None
            if known[name] == html:
                continue
        if found is None:
            pieces.append(_whole(name, html))
        else:
            pieces += [Piece(f"[data-fragment]#{ident}", "outerMorph", text) for ident, text in found.items()]
    return pieces


def _whole(name: str, html: str) -> Piece:
    return Piece(f"#part-{name}", "innerMorph", html)


def _receipt(page: MatchPage, action: dict[str, Any], answer: Answer) -> SafeString:
    template = template_of(page.match.game, "receipt")
    context = page.shown.context() | {"action": action, "receipt": answer.receipt, "at": _given_at(page, answer)}
    return SafeString(" ".join(render_to_string(template, context).split()))


def _given_at(page: MatchPage, answer: Answer) -> datetime:
    return datetime.fromisoformat(answer.receipt["at"]) if answer.receipt else page.now


def _come_back(request: HttpRequest, page: MatchPage, form_state: FormState, status: int) -> HttpResponse:
    """Show the form again as typed, with the errors at their fields."""
    if not request.htmx or page.player is None:  # type: ignore[attr-defined]
        return show_table(request, page, form_state=form_state, status=status)
    own = rendering.private_parts(page.position, page.player, page.now, form_state=form_state)
    error, was_sent, piece = form_state.error(form_state.type), form_state.was_sent, _whole("act", own["act"])
    return _fragments(page, [piece], form_state.type, error=error, was_sent=was_sent, status=status)


def _refuse(request: HttpRequest, page: MatchPage, form_state: FormState, message: str, status: int) -> HttpResponse:
    """Refuse a form of somebody who cannot act in this match (any more)."""
    if request.htmx:  # type: ignore[attr-defined]
        return _fragments(page, [], form_state.type, error=message, status=status, signed_out=status == 401)
    context = page.context("match", message=message, form_state=form_state, signed_out=status == 401)
    return render(request, "matches/refused.html", context, status=status)


def _fragments(
    page: MatchPage, pieces: list[Piece], kind: str, *, status: int = 200, verdict: str = "", **more: Any
) -> HttpResponse:
    """Return pieces for a page that stays open: the answer, what has changed, and a new key for the form."""
    key = new_key() if kind in page.match.rules.actions and status not in (401, 403) else ""
    context = page.shown.context() | {"pieces": pieces, "kind": kind, "key": key, **more}
    context["part"] = page.match.part_of_play(context["view"])
    response = HttpResponse(render_to_string("matches/answer.html", context), status=status)
    response["X-Match-Answer"] = verdict or ("accepted" if status == 200 else "refused")
    response["X-Match-Version"] = str(page.match.public_version)
    response["X-Match-Own-Version"] = str(page.player.version) if page.player is not None else ""
    return response
