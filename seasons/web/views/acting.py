"""What members do on a season's page."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from matches.services.commands import AlreadyDone
from matches.services.errors import CommandRefused
from seasons.services import running
from seasons.web.page import open_season_page

_LONGEST_KEY = 100


@login_required
@require_POST
def name_opponent(request: HttpRequest, public_id: str) -> HttpResponse:
    """The candidate names the opponent in the Death Match."""
    page = open_season_page(request, public_id)
    opponent, key = request.POST.get("opponent", ""), request.POST.get("key", "")[:_LONGEST_KEY]
    try:
        running.name_opponent(page.season, request.user, opponent, key=key)
    except AlreadyDone:
        messages.info(request, "You have named the opponent already.")
    except CommandRefused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, f"{page.names.get(opponent, opponent)} is your opponent in the Death Match.")
    return redirect("seasons:season", public_id)
