"""Views for writing, opening channels and reporting, and for hosts to moderate and to choose."""

import re
from typing import Any

from django.contrib import messages as flashes
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST
from msgspec.structs import asdict

from accounts.sign_in import form_login_required
from matches.engine.sentences import counted
from matches.services.commands import AlreadyDone
from matches.services.errors import Refused
from matches.web.views.table import new_key
from seasons.models import Season
from seasons.services.bringing import place_of
from talk.models import Channel, SeasonTalkChoices, TalkChoices
from talk.queries import messages, rights
from talk.queries.channels import ChannelView, NoSuchChannel
from talk.queries.home import Home
from talk.queries.match_home import MatchHome
from talk.queries.messages import Shown
from talk.queries.rights import Choices, SeasonChoices
from talk.queries.season_home import SeasonHome
from talk.services import limits, moderating, posting
from talk.services.channels import CLOSABLE, choose, choose_in, close, mute_room, reopen
from talk.web.page import Opener, TalkPage
from talk.web.reading import show_channel

# -- writing: a message, and a new private channel -------------------------------------------------------

_MOST_NAMED = 100


@require_POST
@form_login_required
def write(request: HttpRequest, opener: Opener, public_id: str, channel: str) -> HttpResponse:
    """Store a message. Without scripts the channel's page comes back; scripts (`X-Talk`) get only the form."""
    talk = opener(request, public_id)
    found = talk.channel(channel)
    text, key = request.POST.get("text", ""), request.POST.get("key", "")[:100]
    try:
        limits.count_one(request.user)
        posting.post(talk.home.row, request.user, channel, text, key, publish="publish" in request.POST)
    except NoSuchChannel:
        raise Http404("no such channel") from None
    except Refused as refused:
        show = _form if "X-Talk" in request.headers else show_channel
        return show(request, talk, found, text=text, error=refused.message, status=refused.status)
    if "X-Talk" in request.headers:
        return _form(request, talk, found)
    return redirect(f"{talk.home.address('channel', found.channel)}#newest")


def _form(
    request: HttpRequest, talk: TalkPage, channel: ChannelView, *, status: int = 200, **more: str
) -> HttpResponse:
    context = talk.context() | {"channel": channel, "key": new_key(), **more}
    response = render(request, "talk/form.html", context, status=status)
    response["X-Talk"] = "form"
    return response


@require_POST
@form_login_required
def mute(request: HttpRequest, opener: Opener, public_id: str, channel: str) -> HttpResponse:
    """Switch notices of a room off (`muted`) or on."""
    talk = opener(request, public_id)
    found = talk.channel(channel)
    if found.pk is None:
        raise Http404("nobody has written there")
    muted = "muted" in request.POST
    mute_room(found.pk, request.user, muted=muted)
    said = "You get no more notices about this room, unless somebody mentions you."
    flashes.success(request, said if muted else "You get notices about this room again.")
    return redirect(talk.home.address("channel", found.channel))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def begin(request: HttpRequest, opener: Opener, public_id: str) -> HttpResponse:
    """Choose the people of a private channel and open it."""
    talk = opener(request, public_id)
    chosen = request.POST.getlist("to")[:_MOST_NAMED] if request.method == "POST" else request.GET.getlist("to")[:1]
    if request.method != "POST":
        return _choose(request, talk, chosen)
    try:
        limits.count_one(request.user)
        address = posting.open_private(talk.home.row, request.user, chosen, request.POST.get("title", ""))
    except Refused as refused:
        return _choose(request, talk, chosen, error=refused.message, status=refused.status)
    title = " ".join(request.POST.get("title", "").split())
    if title and title != talk.channel(address).title:
        flashes.info(request, "You already have this room with these people. It keeps its name.")
    return redirect(talk.home.address("channel", address))


def _choose(
    request: HttpRequest, talk: TalkPage, chosen: list[str], *, error: str = "", status: int = 200
) -> HttpResponse:
    home = talk.home
    others = [each for handle, each in home.people.items() if handle != home.handle and home.may_join(each)]
    return talk.render(
        request,
        "talk/begin.html",
        status=status,
        others=[{"handle": each.handle, "name": each.shown_name} for each in others],
        has_bots=any(each.is_bot and not each.user_id for each in home.people.values()),
        picked=chosen,
        error=error,
        title=request.POST.get("title", ""),
        why_not_begin=home.why_no_private[1],
        to_ask=home.begins == rights.QUESTIONS,
    )


@require_POST
@form_login_required
def release(request: HttpRequest, opener: Opener, public_id: str, token: str) -> HttpResponse:
    """Release a text of one's own confessional, or keep it private."""
    home = opener(request, public_id).home
    if not isinstance(home, SeasonHome):
        raise Http404("a match has no confessionals")
    try:
        posting.release(home.season, request.user, token, publish="publish" in request.POST)
    except posting.NoSuchMessage:
        raise Http404("no such message") from None
    except Refused as refused:
        flashes.error(request, refused.message)
    else:
        flashes.success(request, "Saved. You can change it until the season ends.")
    return redirect(home.address("channel", rights.CONFESSIONAL))


# -- the host's choices about talk, before the match begins ----------------------------------------------

_HELP = {
    "public": "Everybody can read it, and players and hosts can write.",
    "spectators": "If you do not choose this, only players and hosts can write.",
    "team": "For games with teams: only the players of the team can read and write in it.",
    "private": "Two players, or a group that they choose.",
    "speeches": "A player who gives a Token of Life can add a few words, which everybody reads with the gift.",
    "hosts_read": "We tell players so wherever they write. If you do not choose this, you read a private message only "
    "if one of its readers reports it.",
    "rests": "Nobody can write in the season’s lounge, teams’ rooms and private rooms until this match is over.",
}

_HELP_IN_SEASONS = {
    "out": "They can read and write there with those who are in. Otherwise members lose the lounge when they go out.",
    "team": "For a cast with teams: the members of a team who are in can read and write in it.",
    "private": "Two members who are in, or an alliance of up to 20, from the beginning of the season to its end.",
    "hosts_read": "We tell members so wherever they write. If you do not choose this, you read a private message only "
    "if one of its readers reports it.",
    "published": "We tell members so wherever they write in private.",
    "spectators": "Everybody with an account can read and write there, except members who are still in.",
    "confessionals": "Each member writes to you alone, and says for each text whether everybody may read it later.",
}


@require_http_methods(["GET", "HEAD", "POST"])
def choices(request: HttpRequest, opener: Opener, public_id: str) -> HttpResponse:
    """Show what was chosen; hosts can change it until the match or season begins."""
    talk = opener(request, public_id)
    home = talk.home
    if request.method != "POST":
        fields = _fields(home, home.chosen)
        return talk.render(request, "talk/choices.html", fields=fields, is_fixed=home.has_begun)
    if not home.is_host:
        raise PermissionDenied
    try:
        chosen = _chosen(request, home)
    except ValueError:
        raise SuspiciousOperation("no such choice") from None
    try:
        if isinstance(home, MatchHome) and isinstance(chosen, Choices):
            choose(home.match, request.user, chosen)
        elif isinstance(home, SeasonHome) and isinstance(chosen, SeasonChoices):
            choose_in(home.season, request.user, chosen)
    except Refused as refused:
        context = {"fields": _fields(home, chosen), "error": refused.message}
        return talk.render(request, "talk/choices.html", status=refused.status, **context)
    flashes.success(request, f"You have saved the talk settings of this {home.of}.")
    return redirect(home.address("choices"))


def _chosen(request: HttpRequest, home: Home) -> Choices | SeasonChoices:
    """The choices that a host ticked. Raises `ValueError`."""
    ticked: dict[str, Any] = {name: name in request.POST for name in home.chosen.__struct_fields__}
    if "confessionals" in ticked:
        ticked["confessionals"] = SeasonTalkChoices.Confessionals(request.POST.get("confessionals", "none")).value
    return Choices(**ticked) if isinstance(home, MatchHome) else SeasonChoices(**ticked)


def _fields(home: Home, chosen: Choices | SeasonChoices) -> list[dict[str, object]]:
    model, words = (TalkChoices, _HELP) if isinstance(chosen, Choices) else (SeasonTalkChoices, _HELP_IN_SEASONS)
    in_season = isinstance(home.row, Season) or place_of(home.row) is not None
    found = []
    for name, value in asdict(chosen).items():
        field: Any = model._meta.get_field(name)
        if name != "rests" or in_season:
            label = str(field.verbose_name)
            options = [(key, text, key == value) for key, text in field.choices or ()]
            found.append(
                {
                    "name": name,
                    "label": label[:1].upper() + label[1:],
                    "help": words[name],
                    "on": value,
                    "options": options,
                }
            )
    return found


# -- closing rooms of a season for a time ----------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def quiet(request: HttpRequest, opener: Opener, public_id: str) -> HttpResponse:
    """Close kinds of rooms for some hours, or open them again."""
    talk = opener(request, public_id)
    home = talk.home
    if not (isinstance(home, SeasonHome) and home.is_host):
        raise Http404("no such page")
    typed = {name: request.POST.get(name, "") for name in ("hours", "why")}
    kinds = request.POST.getlist("kinds")
    context: dict[str, Any] = {"typed": typed, "key": new_key()}
    if request.method == "POST":
        try:
            if "reopen" in request.POST:
                reopen(home.season, request.user)
                done = "opened the rooms again"
            else:
                whole = re.fullmatch(r"\d{1,9}", typed["hours"].strip(), re.ASCII)
                key = request.POST.get("key", "")[:100]
                done = close(home.season, request.user, kinds, int(whole[0]) if whole else 0, typed["why"], key=key)
        except AlreadyDone:
            return redirect(home.address("quiet"))
        except Refused as refused:
            context |= {"error": refused.message, "wrong": refused.field, "status": refused.status}
        else:
            flashes.success(request, f"You {done}.")
            return redirect(home.address("quiet"))
    labels = dict(Channel.Kind.choices)
    context["kinds"] = [(kind, labels[kind], kind in kinds) for kind in map(str, CLOSABLE)]
    context["now_quiet"] = [
        (", ".join(labels[kind] for kind in each.kinds), each.until, each.why) for each in home.quiets
    ]
    return talk.render(request, "talk/quiet.html", **context)


# -- reporting a message, and what hosts do about it -----------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def report(request: HttpRequest, opener: Opener, public_id: str, token: str) -> HttpResponse:
    """Report a message to the hosts."""
    talk = opener(request, public_id)
    message = messages.one_message(talk.home, token)
    if message is None or message.hidden_at is not None:
        raise Http404("no such message")
    (line,) = messages.shown_to(talk.home, [message])
    hosts_read = message.channel.kind not in (rights.TEAM, rights.PRIVATE) or talk.home.chosen.hosts_read
    reason = request.POST.get("reason", "")
    if request.method != "POST":
        answer = moderating.answer_to(talk.home, message)
        return _ask(request, talk, "talk/report.html", line, hosts_read=hosts_read, answer=answer)
    try:
        limits.count_one(request.user)
        moderating.report(message, request.user, reason)
    except Refused as refused:
        return _ask(request, talk, "talk/report.html", line, reason, refused, hosts_read=hosts_read)
    flashes.success(request, f"We have sent your report to the hosts of this {talk.home.of}.")
    return redirect(talk.home.address("channel", talk.channel(message.channel.token).channel))


def _ask(
    request: HttpRequest,
    talk: TalkPage,
    template: str,
    line: Shown,
    reason: str = "",
    refused: Refused | None = None,
    **more: Any,
) -> HttpResponse:
    """The form for a reason, with the message and any refusal."""
    context = {"line": line, "reason": reason, "error": refused.message if refused else "", **more}
    return talk.render(request, template, status=refused.status if refused else 200, **context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def hide(request: HttpRequest, opener: Opener, public_id: str, token: str) -> HttpResponse:
    """Hide a message, or (`leave`) let a reported one stay; then return to its room or to the list of reports."""
    talk = opener(request, public_id)
    found = moderating.to_hide(talk.home, token)
    if found is None:
        raise Http404("no such message")
    line, is_public = found
    reason = request.POST.get("reason", "")
    context: dict[str, Any] = {"is_public": is_public, "is_reported": moderating.is_reported(talk.home, token)}
    if request.method != "POST":
        return _ask(request, talk, "talk/hide.html", line, **context)
    try:
        if "leave" in request.POST:
            moderating.leave_as_it_is(talk.home.row, request.user, token, reason)
        else:
            moderating.hide(talk.home.row, request.user, token, reason)
    except Refused as refused:
        return _ask(request, talk, "talk/hide.html", line, reason, refused, **context)
    said = "You left the message as it is." if "leave" in request.POST else "You hid it."
    if "leave" not in request.POST and (count := moderating.quoting(talk.home, token)):
        quote = "quotes it still shows" if count == 1 else "quote it still show"
        said += f" {counted(count, 'message')} that {quote} its words."
    flashes.success(request, said)
    message = messages.one_message(talk.home, token)
    if message is None or "reports" in request.GET:
        return redirect(talk.home.address("reports"))
    return redirect(f"{talk.home.address('channel', talk.channel(message.channel.token).channel)}?message={token}")


@require_http_methods(["GET", "HEAD"])
@login_required
def reports(request: HttpRequest, opener: Opener, public_id: str) -> HttpResponse:
    """List what readers have reported, for hosts."""
    talk = opener(request, public_id)
    if not talk.home.moderates:
        raise Http404("no such page")
    return talk.render(request, "talk/reports.html", reported=moderating.reported_in(talk.home))
