"""Who asks, where only a player of the match may: for what a player reads and sends besides actions."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from matches.api.actions import count, key_of
from matches.api.replies import not_signed_in
from matches.api.requests import require_csrf, signed_in
from matches.api.views import viewer_of_match
from matches.queries.access import Viewer
from matches.services.actions import not_a_player


def player_of_match(request: HttpRequest, public_id: str) -> Viewer:
    """The match as one of its players sees it. Raises `ApiError` for visitors, `NotAPlayer` for all others."""
    viewer = viewer_of_match(request, public_id)
    if not viewer.user.is_authenticated:
        raise not_signed_in()
    if viewer.player is None:
        raise not_a_player(viewer.match)
    return viewer


def sender_of(request: HttpRequest, public_id: str = "") -> Any:
    """The signed-in person who sends something, to a match or not; that is counted. Raises `ApiError`."""
    user = signed_in(request, public_id, to_act=True)
    require_csrf(request)
    count(user.pk)
    return user


def one_key(request: HttpRequest) -> str:
    """The Idempotency-Key, empty without one. Raises `ApiError`."""
    key = request.headers.get("Idempotency-Key")
    return key_of([] if key is None else [key])
