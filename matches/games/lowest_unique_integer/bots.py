"""A bot that plays legally from what a player may see."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from matches.engine.draw import Draw
from matches.engine.views import PrivateView, PublicView


def action(public: PublicView, private: PrivateView, now: timedelta, draw: Draw) -> dict[str, Any] | None:
    """What the bot does at `now`, None to wait."""
    return None
