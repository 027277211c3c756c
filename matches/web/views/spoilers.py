"""Choosing whether results are hidden, and showing one."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST

from matches.web import spoilers


@require_http_methods(["GET", "HEAD", "POST"])
def results(request: HttpRequest) -> HttpResponse:
    """What hiding results means, and the button for it."""
    if request.method != "POST":
        return render(request, "matches/results.html", {"hides": spoilers.hides_results(request)})
    wanted = request.POST.get("hide") == "1"
    response = redirect("matches:results")
    if request.user.is_authenticated:
        request.user.hides_results = wanted
        request.user.save(update_fields=["hides_results"])
    else:
        spoilers.hide(response, wanted)
    return response


@require_POST
def show(request: HttpRequest) -> HttpResponse:
    """Show how one match or season ended, in this browser, and go back there."""
    id, back = request.POST.get("id", ""), request.POST.get("next", "")
    if not spoilers.ID.fullmatch(id):
        return HttpResponseBadRequest("There is no match or season of that id.")
    local = url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    response = redirect(back if local and back.startswith("/") else "/")
    spoilers.show(request, response, id)
    return response
