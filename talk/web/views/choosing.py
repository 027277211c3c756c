"""The host's choices about talk, before the match begins."""

from __future__ import annotations

from django.contrib import messages as flashes
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from matches.services.errors import Refused
from talk.models import TalkChoices
from talk.queries import rights
from talk.queries.rights import Chosen
from talk.services.choosing import choose
from talk.web.page import open_talk

_HELP = {
    "public": "Everybody can read it; players and hosts write.",
    "spectators": "Otherwise only players and hosts do.",
    "team": "For games with teams: only the players of the team read and write in it.",
    "private": "Two players, or a group that they choose.",
    "speeches": "Whoever gives a Token of Life can add a few words, which are shown with the gift.",
    "hosts_read": "Players are told on every page on which they write. Otherwise you read a private message only if "
    "one of its readers reports it.",
}


@require_http_methods(["GET", "HEAD", "POST"])
def choices(request: HttpRequest, public_id: str) -> HttpResponse:
    """Everybody reads what was chosen; hosts choose, until the match begins."""
    talk = open_talk(request, public_id)
    if request.method != "POST":
        return talk.render(request, "talk/choices.html", fields=_fields(rights.chosen_for(talk.match)))
    if not talk.viewer.is_host:
        raise PermissionDenied
    chosen = Chosen(**{name: name in request.POST for name in Chosen._fields})
    try:
        choose(talk.match, request.user, chosen)
    except Refused as refused:
        context = {"fields": _fields(chosen), "error": refused.message}
        return talk.render(request, "talk/choices.html", status=refused.status, **context)
    flashes.success(request, "That is how people talk in this match.")
    return redirect(talk.address("choices"))


def _fields(chosen: Chosen) -> list[dict[str, object]]:
    return [
        {
            "name": name,
            "label": str(TalkChoices._meta.get_field(name).verbose_name).capitalize(),  # type: ignore[union-attr]
            "help": _HELP[name],
            "on": on,
        }
        for name, on in chosen._asdict().items()
    ]
