"""Writing: a message, and a new private channel."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from matches.services.errors import Refused
from matches.web.views.table import new_key
from talk.queries.channels import ChannelView, NoSuchChannel
from talk.services import limits, posting
from talk.web.page import TalkPage, open_talk
from talk.web.views.reading import show_channel

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
    return redirect(talk.address("channel", found.address))


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
