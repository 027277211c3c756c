"""Views with which people write, open channels, report, and with which hosts moderate and choose."""

from __future__ import annotations

from django.contrib import messages as flashes
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST
from msgspec.structs import asdict

from matches.services.errors import Refused
from matches.web.views.table import new_key
from talk.models import Message, TalkChoices
from talk.queries import messages, rights
from talk.queries import reports as queries
from talk.queries.channels import ChannelView, NoSuchChannel
from talk.queries.messages import Shown
from talk.queries.reports import Decision
from talk.queries.rights import CHOICES, Choices
from talk.services import limits, moderating, posting
from talk.services.channels import choose
from talk.web.page import TalkPage, open_talk
from talk.web.reading import show_channel

# -- writing ---------------------------------------------------------------------------------------------
# Writing: a message, and a new private channel.

_MOST_NAMED = 100


@require_POST
@login_required
def write(request: HttpRequest, public_id: str, channel: str) -> HttpResponse:
    """Store a message. Without scripts the channel's page comes back; scripts get the form alone (`X-Talk`)."""
    talk = open_talk(request, public_id)
    found = talk.channel(channel)
    text, key = request.POST.get("text", ""), request.POST.get("key", "")[:100]
    try:
        limits.count_one(request.user)
        posting.post(talk.match, request.user, channel, text, key)
    except NoSuchChannel:
        raise Http404("no such channel") from None
    except Refused as refused:
        return _come_back(request, talk, found, text, refused)
    if "X-Talk" in request.headers:
        return _form(request, talk, found)
    return redirect(talk.address("channel", found.channel))


def _come_back(request: HttpRequest, talk: TalkPage, channel: ChannelView, text: str, refused: Refused) -> HttpResponse:
    """The form as it was typed, with what is wrong."""
    if "X-Talk" in request.headers:
        return _form(request, talk, channel, text=text, error=refused.message, status=refused.status)
    return show_channel(request, talk, channel, text=text, error=refused.message, status=refused.status)


def _form(
    request: HttpRequest, talk: TalkPage, channel: ChannelView, *, status: int = 200, **more: str
) -> HttpResponse:
    context = talk.page.shown.context() | {"channel": channel, "key": new_key(), **more}
    response = render(request, "talk/form.html", context, status=status)
    response["X-Talk"] = "form"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def begin(request: HttpRequest, public_id: str) -> HttpResponse:
    """Choose the players of a private channel, and open it."""
    talk = open_talk(request, public_id)
    chosen = request.POST.getlist("to")[:_MOST_NAMED] if request.method == "POST" else request.GET.getlist("to")[:1]
    if request.method != "POST":
        return _choose(request, talk, chosen)
    try:
        limits.count_one(request.user)
        address = posting.open_private(talk.match, request.user, chosen)
    except Refused as refused:
        return _choose(request, talk, chosen, error=refused.message, status=refused.status)
    return redirect(talk.address("channel", address))


def _choose(
    request: HttpRequest, talk: TalkPage, chosen: list[str], *, error: str = "", status: int = 200
) -> HttpResponse:
    me = talk.viewer.player
    others = [person for person in talk.people if not person.is_bot and not person.is_open]
    others = [person for person in others if me is None or person.handle != me.handle]
    return talk.render(request, "talk/begin.html", status=status, others=others, picked=chosen, error=error)


# -- choosing --------------------------------------------------------------------------------------------
# The host's choices about talk, before the match begins.

_HELP = {
    "public": "Everybody can read it; players and hosts write.",
    "spectators": "Otherwise only players and hosts do.",
    "team": "For games with teams: only the players of the team read and write in it.",
    "private": "Two players, or a group that they choose.",
    "speeches": "Whoever gives a Token of Life can add a few words, which everybody reads with the gift.",
    "hosts_read": "Players read this wherever they write. Otherwise you read a private message only if one of its "
    "readers reports it.",
}


@require_http_methods(["GET", "HEAD", "POST"])
def choices(request: HttpRequest, public_id: str) -> HttpResponse:
    """Everybody reads what was chosen; hosts choose, until the match begins."""
    talk = open_talk(request, public_id)
    if request.method != "POST":
        return talk.render(request, "talk/choices.html", fields=_fields(rights.chosen_for(talk.match)))
    if not talk.viewer.is_host:
        raise PermissionDenied
    chosen = Choices(**{name: name in request.POST for name in CHOICES})
    try:
        choose(talk.match, request.user, chosen)
    except Refused as refused:
        context = {"fields": _fields(chosen), "error": refused.message}
        return talk.render(request, "talk/choices.html", status=refused.status, **context)
    flashes.success(request, "Saved: that is how people can talk in this match.")
    return redirect(talk.address("choices"))


def _fields(chosen: Choices) -> list[dict[str, object]]:
    return [
        {
            "name": name,
            "label": str(TalkChoices._meta.get_field(name).verbose_name).capitalize(),  # type: ignore[union-attr]
            "help": _HELP[name],
            "on": on,
        }
        for name, on in asdict(chosen).items()
    ]


# -- moderating ------------------------------------------------------------------------------------------
# Reporting a message, and what hosts do about it.


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
    return next(channel.channel for channel in talk.channels if channel.pk == message.channel_id)


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
