"""A running match with everything that reminds its people."""

from __future__ import annotations

from datetime import timedelta

import pytest

from matches.models import clock
from notices.models import Notice, Reminder
from notices.outbox import pass_on
from notices.reminding import remind, tell_hosts
from tests.fixtures.made_once import made_once
from tests.notices.conftest import Reached, _tiny_game_is_registered
from tests.services.conftest import HOUR

__all__ = ["HOUR", "Reminded", "_tiny_game_is_registered", "table"]

MINUTE = timedelta(minutes=1)
NEAR = "deadline_near"


class Reminded(Reached):
    """A table where bids are asked until 24 h: by default people are reminded at 19.2 h and at 23 h."""

    def __init__(self, present: clock.FixedTime, *args: object, **config: object) -> None:
        super().__init__(present, *args, **config)
        self.began = present.instant

    def opened(self) -> Reminded:
        self.open()
        return self.run()

    def run(self) -> Reminded:
        """Do what worker and beat do."""
        pass_on()
        remind()
        tell_hosts()
        return self

    def let(self, time: timedelta) -> Reminded:
        """Let time pass with everything running: whenever something is due, and every six hours."""
        self.run()
        end = self.present.instant + time
        while (now := self.present.instant) < end:
            due = [*Reminder.objects.filter(due_at__gt=now).values_list("due_at", flat=True)]
            due += [at for at in (self.match.next_deadline_at,) if at is not None and at > now]
            self.present.instant = min([*due, now + 6 * HOUR, end])
            self.advance().run()
        return self

    def reminded(self, handle: str = "ann") -> list[float]:
        """Return when a player was reminded, in hours since the match began."""
        found = Notice.objects.filter(user=self.users[handle], event=NEAR).order_by("at", "pk")
        return [round((notice.at - self.began) / HOUR, 2) for notice in found]

    def hosts_told(self) -> list[str]:
        return list(Notice.objects.filter(user=self.host).order_by("pk").values_list("event", flat=True))


@pytest.fixture
def table(db: None, present: clock.FixedTime) -> Reminded:
    return made_once("reminded", lambda: Reminded(present).opened(), present)
