"""What left the site: mail, and what programs were sent."""

from __future__ import annotations

from collections import Counter
from typing import Any


class Post:
    """Letters by address and what they say they are."""

    def __init__(self) -> None:
        self.sent: Counter[tuple[str, str]] = Counter()

    def take(self, message: Any) -> None:
        """A letter arrives."""
        for address in message.recipients():
            self.sent[address, message.extra_headers.get("Message-ID", message.subject)] += 1
