"""Hiding the results of matches from people who do not want to know them yet."""

import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST

from accounts.cookies import name_of
from matches.engine.views import PublicView

# -- spoilers --------------------------------------------------------------------------------------------
# “Hide results until I click”: for people who have chosen it, pages of what has ended ask before they show how.
# The server decides, so that nothing of a result is in the HTML. People with an account choose it in their profile,
# others by a cookie; another cookie has what this browser has been shown. Boards that are open in a browser while a
# match ends, programs, feeds, pushes and mail show results all the same.

HIDE_COOKIE, SHOWN_COOKIE = "results", "shown"
_HIDDEN = "hidden"
_MOST_SHOWN = 80
_A_YEAR = 365 * 24 * 3600
ID = re.compile(r"[a-z0-9]{4,16}")


class ResultHidden(Exception):
    """A page would reveal how something ended to somebody who has not asked for that. `id`: of the match or season;
    `title`: its title; `what`: what kind of thing it is."""

    def __init__(self, id: str, title: str, what: str = "match") -> None:
        super().__init__(id)
        self.id, self.title, self.what = id, title, what


def hides_results(request: HttpRequest) -> bool:
    """Whether this viewer has chosen to hide results."""
    user = request.user
    return user.hides_results if user.is_authenticated else request.COOKIES.get(name_of(HIDE_COOKIE)) == _HIDDEN


def is_hidden(request: HttpRequest, id: str) -> bool:
    """Whether this viewer hides results and has not asked to see this one."""
    return hides_results(request) and id not in _shown(request)


def tells_result(view: PublicView | None) -> bool:
    """Whether it is public by now who has won."""
    return view is not None and view.has_result


def hide(response: HttpResponse, wanted: bool) -> None:
    """Store in a cookie whether a visitor without an account hides results."""
    if wanted:
        _keep(response, HIDE_COOKIE, _HIDDEN)
    else:
        response.delete_cookie(name_of(HIDE_COOKIE))


def show(request: HttpRequest, response: HttpResponse, id: str) -> None:
    """Store in a cookie that this browser shows how a match or season ended."""
    others = [each for each in _shown(request) if each != id]
    _keep(response, SHOWN_COOKIE, ".".join([*others, id][-_MOST_SHOWN:]))


def _shown(request: HttpRequest) -> list[str]:
    return [each for each in request.COOKIES.get(name_of(SHOWN_COOKIE), "").split(".") if ID.fullmatch(each)]


def _keep(response: HttpResponse, name: str, value: str) -> None:
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(name_of(name), value, max_age=_A_YEAR, secure=secure, httponly=True, samesite="Lax")


# -- pages -----------------------------------------------------------------------------------------------
# Pages to choose whether results are hidden, and to show one.


@require_http_methods(["GET", "HEAD", "POST"])
def results(request: HttpRequest) -> HttpResponse:
    """Explain what hiding results means, with a button to switch it."""
    if request.method != "POST":
        return render(request, "matches/results.html", {"hides": hides_results(request)})
    wanted = request.POST.get("hide") == "1"
    response = redirect("matches:results")
    if request.user.is_authenticated:
        request.user.hides_results = wanted
        request.user.save(update_fields=["hides_results"])
    else:
        hide(response, wanted)
    return response


@require_POST
def show_result(request: HttpRequest) -> HttpResponse:
    """Show in this browser how one match or season ended, and go back there."""
    id, back = request.POST.get("id", ""), request.POST.get("next", "")
    if not ID.fullmatch(id):
        return HttpResponseBadRequest("There is no match or season with that id.")
    local = url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    response = redirect(back if local and back.startswith("/") else "/")
    show(request, response, id)
    return response
