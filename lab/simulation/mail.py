"""Mail leaves the site here: into a list of the world that runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.mail.backends.base import BaseEmailBackend

from lab.simulation.process import present


class Backend(BaseEmailBackend):
    """Django's interface to the simulated mail server."""

    def send_messages(self, email_messages: Sequence[Any]) -> int:
        process = present()
        if process is not None:
            for message in email_messages:
                process.world.post.take(message)
        return len(email_messages)
