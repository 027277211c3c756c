"""The public page of a person: what they play and host, how it ended, and what they have achieved."""

from __future__ import annotations

import msgspec
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.models import User
from matches.pages.profiles import sections_of
from matches.queries import profiles
from matches.web import spoilers
from matches.web.leafing import leaf

_PLAYED, _HOSTED, _HOSTED_AT_FIRST = 20, 24, 5


@require_safe
def person(request: HttpRequest, username: str) -> HttpResponse:
    """Results, awards, and the matches played; on later pages of these nothing else."""
    found = _person_of(username)
    if found.username != username:
        return redirect("matches:person", found.username)
    if not profiles.is_shown(found):
        return render(request, "people/person.html", _head(request, found) | {"is_shown": False})
    page, place = leaf(request, lambda after: profiles.played_page(found, after, _PLAYED))
    asks = spoilers.hides_results(request) and request.user.pk != found.pk and request.GET.get("results") != "show"
    played = [_as_shown(request, line) for line in page.items] if asks else page.items
    context = _head(request, found) | place | {"is_shown": True, "played": played, "are_hidden": asks}
    if place["is_first"] and asks:
        hosted = profiles.hosted_page(found, "", _HOSTED_AT_FIRST)
        context |= {"hosted": hosted.items, "more_hosted": bool(hosted.last)}
    elif place["is_first"]:
        ends = profiles.ends_of(found)
        hosted = profiles.hosted_page(found, "", _HOSTED_AT_FIRST)
        context |= {
            "tallies": profiles.tallies_of(ends),
            "total": profiles.tally_of(ends),
            "awards": profiles.awards_of(ends),
            "hosted": hosted.items,
            "more_hosted": bool(hosted.last),
            "sections": sections_of(found, request.user),
        }
    return render(request, "people/person.html", context)


def _as_shown(request: HttpRequest, line: profiles.Line) -> profiles.Line:
    """A line without how its match ended, unless the viewer has asked for that."""
    if not spoilers.is_hidden(request, line.match):
        return line
    return msgspec.structs.replace(line, won=None, tokens=None, candidate=None)


@require_safe
def hosted(request: HttpRequest, username: str) -> HttpResponse:
    """Every public match that a person hosts."""
    found = _person_of(username)
    if found.username != username or not profiles.is_shown(found):
        return redirect("matches:person", found.username)
    page, place = leaf(request, lambda after: profiles.hosted_page(found, after, _HOSTED))
    return render(request, "people/hosted.html", _head(request, found) | place | {"hosted": page.items})


@login_required
@require_safe
def me(request: HttpRequest) -> HttpResponse:
    """My own page."""
    return redirect("matches:person", request.user.get_username())


def _person_of(username: str) -> User:
    found = profiles.person_of(username)
    if found is None:
        raise Http404("no such person")
    return found


def _head(request: HttpRequest, found: User) -> dict[str, object]:
    return {
        "name": str(found),
        "username": found.username,
        "is_bot": found.is_bot,
        "since": found.date_joined,
        "is_me": request.user.pk == found.pk,
    }
