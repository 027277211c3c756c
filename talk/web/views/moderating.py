"""Reporting a message, and what hosts do about it."""

from __future__ import annotations

from django.contrib import messages as flashes
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from matches.services.errors import Refused
from talk.models import Message
from talk.queries import messages, rights
from talk.queries import reports as queries
from talk.queries.messages import Shown
from talk.queries.reports import Decision
from talk.services import limits, moderating
from talk.web.page import TalkPage, open_talk


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def report(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Show a message to the hosts."""
    talk = open_talk(request, public_id)
    message = messages.one_message(talk.viewer, token)
    if message is None or message.hidden_at is not None:
        raise Http404("no such message")
    (line,) = messages.shown_to(talk.viewer, [message])
    is_public = message.channel.kind == rights.PUBLIC
    reason = request.POST.get("reason", "")
    if request.method != "POST":
        answer = queries.answer_to(talk.viewer, message)
        return _ask(request, talk, "talk/report.html", line, is_public, answer=answer)
    try:
        limits.count_one(request.user)
        moderating.report(message, request.user, reason)
    except Refused as refused:
        return _ask(request, talk, "talk/report.html", line, is_public, reason, refused)
    flashes.success(request, "The hosts of this match will read it.")
    return redirect(talk.address("channel", _address_of(talk, message)))


def _ask(
    request: HttpRequest,
    talk: TalkPage,
    template: str,
    line: Shown,
    is_public: bool,
    reason: str = "",
    refused: Refused | None = None,
    answer: Decision | None = None,
) -> HttpResponse:
    """The form with the message and a reason; after a refusal with what is wrong, after a report with the `answer`."""
    error = refused.message if refused else ""
    context = {"line": line, "is_public": is_public, "reason": reason, "error": error, "answer": answer}
    return talk.render(request, template, status=refused.status if refused else 200, **context)


def _address_of(talk: TalkPage, message: Message) -> str:
    return next(channel.address for channel in talk.channels if channel.pk == message.channel_id)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def hide(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Hide a message, or (`leave`) decide that it stays."""
    talk = open_talk(request, public_id)
    found = queries.to_hide(talk.viewer, token)
    if found is None:
        raise Http404("no such message")
    line, is_public = found
    reason = request.POST.get("reason", "")
    if request.method != "POST":
        return _ask(request, talk, "talk/hide.html", line, is_public)
    try:
        if "leave" in request.POST:
            moderating.leave_as_it_is(talk.match, request.user, token, reason)
        else:
            moderating.hide(talk.match, request.user, token, reason)
    except Refused as refused:
        return _ask(request, talk, "talk/hide.html", line, is_public, reason, refused)
    flashes.success(request, "That is noted." if "leave" in request.POST else "The message is hidden.")
    return redirect(talk.address("reports"))


@require_http_methods(["GET", "HEAD"])
@login_required
def reports(request: HttpRequest, public_id: str) -> HttpResponse:
    """What readers have reported, for hosts."""
    talk = open_talk(request, public_id)
    if not queries.may_moderate(talk.viewer):
        raise Http404("no such page")
    return talk.render(request, "talk/reports.html", reported=queries.reported_in(talk.viewer))
