"""Addresses outside the console that hosts hand on."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import reverse

from matches.models import Player
from matches.services.joining import invitation_of


def invitation_link(request: HttpRequest, player: Player) -> str:
    """The whole link that lets whoever opens it take this place."""
    return request.build_absolute_uri(reverse("matches:invitation", args=[invitation_of(player)]))
