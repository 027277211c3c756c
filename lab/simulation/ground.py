"""What the parts of a world know of the world and of its processes, both of which are made of them."""

from __future__ import annotations

import asyncio
import random
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol

from lab.simulation.database import Seats
from lab.simulation.failures import Failed


class AProcess(Protocol):
    """A simulated process."""

    name: str
    loop: Any
    gate: Any
    inbox: asyncio.Queue[Any] | None
    """Where messages of the channel layer arrive, once somebody listens."""
    is_alive: bool
    skew: float

    def work(self, most: int = 400) -> int:
        """Work until there is nothing to do now, or so many times; how often."""

    @property
    def world(self) -> AWorld:
        """Where it runs."""


class AWorld(Protocol):
    """The world."""

    chance: random.Random
    seats: Seats
    wall: datetime
    """The database's time."""
    seconds: float
    """How long the world has existed."""
    failure: Failed | None

    @property
    def network(self) -> Any:
        """What is on its way between processes."""

    @property
    def journal(self) -> Any:
        """What players have sent, and were answered."""

    @property
    def post(self) -> Any:
        """What was mailed."""

    @property
    def receivers(self) -> Any:
        """The servers to which the site posts news."""

    @property
    def listeners(self) -> list[AProcess]:
        """Its processes."""

    def inside(self, process: Any) -> AbstractContextManager[None]:
        """During the block the product's code runs in this process."""

    def moment(self, name: str) -> None:
        """Something else could happen here. Raises `Died`."""

    def watching(self) -> AbstractContextManager[None]:
        """Around a check inside of a task of a loop."""

    def note(self, line: str) -> None:
        """A line of the trace."""
