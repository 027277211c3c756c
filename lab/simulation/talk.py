"""What people have written to each other, and what they were told came of it."""

from __future__ import annotations

from dataclasses import dataclass

from lab.simulation.prepared import Stage


@dataclass(eq=False)
class Sent:
    """A message under its key, sent once or more often. `token`: of the stored message, once that was answered."""

    user: int
    stage: Stage
    channel: str
    text: str
    key: str
    token: str = ""


class Talk:
    """All messages of a run."""

    def __init__(self) -> None:
        self.sent: list[Sent] = []
