"""Tells a player's open pages, on whatever devices, that what they have typed and not sent has changed. Nobody else
hears it, and what it is they ask for themselves: the request decides who may read it."""

from __future__ import annotations

from typing import Any

from matches.live.messages import Hint
from matches.live.publisher import publisher
from matches.models import Match


def on_unsent(*, match: Match, user_id: int, page: str, **_: Any) -> None:
    """A receiver of `unsent_changed`. `page` knows by its name that it need not ask."""
    facts = (("match", match.public_id), ("page", page))
    publisher.hint(Hint("unsent", match.pk, facts, frozenset({user_id})))
