"""A command as a host gives it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec

from matches.queries.matches import Position


class Given(msgspec.Struct):
    """A command as it is given: by whom, about which match, with what, and its one-time key."""

    match: Any
    host: Any
    cleaned: dict[str, Any]
    key: str = ""

    @property
    def due(self) -> timedelta | None:
        """The match time of the next deadline."""
        public = Position(self.match).public
        return None if public is None or public.next_deadline is None else timedelta(seconds=public.next_deadline)
