"""Views for reading talk: channels and what is new in them, search, and export."""

from datetime import timedelta
from itertools import pairwise
from typing import Any
from urllib.parse import quote, urlencode

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from msgspec import to_builtins

from matches.models import clock
from matches.queries.paging import Page
from matches.web.match_page import leaf
from matches.web.views.table import new_key
from talk.queries import export as exports
from talk.queries import messages, rights, unread
from talk.queries.channels import ChannelView, rooms_page
from talk.queries.messages import said_at
from talk.services.channels import mark_seen
from talk.web.page import Opener, TalkPage

A_PAGE = 50
_SOON = timedelta(minutes=10)
_LONGEST_SEARCH = 100


@require_safe
def first_channel(request: HttpRequest, opener: Opener, public_id: str) -> HttpResponse:
    """Show the first channel with unread messages, or else the first channel."""
    talk = opener(request, public_id)
    if not talk.channels:
        return talk.render(request, "talk/nothing.html")
    return show_channel(request, talk, next((each for each in talk.channels if each.unread), talk.channels[0]))


@require_safe
def channel(request: HttpRequest, opener: Opener, public_id: str, channel: str) -> HttpResponse:
    """Show a channel: who may read it, a form, and its messages, the newest at the foot. `?message=` shows the page
    with that message and those around it."""
    talk = opener(request, public_id)
    found = talk.channel(channel)
    if token := request.GET.get("message", ""):
        before = messages.page_with(talk.home, found, token, A_PAGE // 2)
        query = f"?{urlencode({'after': before})}" if before else ""
        return redirect(f"{request.path}{query}#message-{quote(token)}")
    return show_channel(request, talk, found)


def show_channel(
    request: HttpRequest, talk: TalkPage, channel: ChannelView, *, text: str = "", error: str = "", status: int = 200
) -> HttpResponse:
    """Render a channel's page; `text` and `error` are of a message that was refused."""
    page, leafing = leaf(request, lambda after: messages.messages_page(talk.home, channel, A_PAGE, after))
    if leafing["is_first"]:
        _see(request, channel)
    context = {
        "channel": channel,
        "told": unread.takes_part(talk.home),
        "has_form": channel.may_write or channel.closed == "quiet",  # for drafts
        "lines": page.items,
        **_laid_out(page.items, _first_new(page.items, channel.unread) if leafing["is_first"] else ""),
        "text": text,
        "error": error,
        "key": new_key(),
        "gifts": said_at(talk.home) if channel.kind == rights.PUBLIC and leafing["is_first"] else [],
    }
    return talk.render(request, "talk/channel.html", status=status, **context, **leafing)


def _first_new(lines: list[messages.Shown], unread: int) -> str:
    """The id of the oldest of so many unread messages, among the latest ones; empty if there is none."""
    new = [line.id for line in lines if not line.mine and not line.hidden][:unread]
    return new[-1] if new else ""


def _laid_out(lines: list[messages.Shown], first_new: str) -> dict[str, Any]:
    """Where new messages begin, and the ids of messages that closely follow one by the same author."""
    following = {
        line.id
        for line, before in pairwise(lines)
        if line.id != first_new and (line.name, line.role) == (before.name, before.role) and line.at - before.at < _SOON
    }
    return {"first_new": first_new, "following": following}


def _see(request: HttpRequest, channel: ChannelView) -> None:
    if request.user.is_authenticated and channel.pk is not None and channel.unread:
        mark_seen(channel.pk, request.user, channel.latest)


@never_cache
@require_safe
def latest(request: HttpRequest, opener: Opener, public_id: str, channel: str) -> HttpResponse:
    """Return only the latest messages of a channel, for an open page to refresh."""
    talk = opener(request, public_id)
    found = talk.channel(channel)
    page = messages.messages_page(talk.home, found, A_PAGE)
    _see(request, found)
    context = talk.context() | {
        "lines": page.items,
        **_laid_out(page.items, request.GET.get("new", "")),
        "older": page.last,
        "channel": found,
        "moderates": talk.home.moderates,
    }
    return render(request, "talk/lines.html", context)


@never_cache
@require_safe
def channels(request: HttpRequest, opener: Opener, public_id: str) -> HttpResponse:
    """Return only the list of channels, for an open page to refresh; `?in=` is the channel shown there."""
    talk = opener(request, public_id)
    shown = request.GET.get("in", "")
    context = talk.context() | {"talk_channels": talk.channels, "channel": {"channel": shown}}
    return render(request, "talk/channels.html", context)


@require_safe
def rooms(request: HttpRequest, opener: Opener, public_id: str) -> HttpResponse:
    """List all rooms that the viewer may read, a page at a time."""
    talk = opener(request, public_id)
    page, leafing = leaf(request, lambda after: rooms_page(talk.home, A_PAGE, after))
    return talk.render(request, "talk/rooms.html", rooms=page.items, **leafing)


@require_safe
def confessionals(request: HttpRequest, opener: Opener, public_id: str) -> HttpResponse:
    """List what members have released from their confessionals, once the season has ended."""
    talk = opener(request, public_id)
    page, leafing = leaf(request, lambda after: messages.released(talk.home, A_PAGE, after))
    return talk.render(request, "talk/confessionals.html", found=page.items, **leafing)


@never_cache
@require_safe
def unread_count(request: HttpRequest, opener: Opener, public_id: str) -> HttpResponse:
    """Return the number of unread messages and their authors, for the tab."""
    talk = opener(request, public_id)
    count = unread.unread_in(talk.home)
    return render(request, "talk/unread.html", {"unread": count, "news": unread.news_in(talk.home) if count else ""})


@require_safe
def search(request: HttpRequest, opener: Opener, public_id: str) -> HttpResponse:
    """Show the messages that the viewer may read and that contain the words of `?q=`."""
    talk = opener(request, public_id)
    words = request.GET.get("q", "").strip()[:_LONGEST_SEARCH]
    none: Page[messages.Shown] = Page([], "")
    page, leafing = leaf(request, lambda after: messages.search(talk.home, words, A_PAGE, after) if words else none)
    places = {each.token: each for each in talk.channels}
    found = [(line, places.get(line.channel)) for line in page.items]
    return talk.render(request, "talk/search.html", words=words, found=found, **leafing)


@never_cache
@require_safe
def export(request: HttpRequest, opener: Opener, public_id: str) -> HttpResponse:
    """Download everything that the viewer may read, as JSON or plain text."""
    talk = opener(request, public_id)
    form = request.GET.get("format", "text")
    if form not in ("text", "json"):
        raise Http404("no such format")
    now, name = clock.now(), f"talk-{talk.home.id}.{'json' if form == 'json' else 'txt'}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    if form == "text":
        text = exports.as_text(talk.home, now)
        return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=headers)
    found = to_builtins(exports.exported(talk.home, now))
    return JsonResponse(found, json_dumps_params={"ensure_ascii": False, "indent": 1}, headers=headers)
