"""A running match whose players can be reached by mail."""

import pytest
from allauth.account.models import EmailAddress

from matches.models import clock
from notices.deliveries import send_due
from notices.models import Notice
from notices.outbox import pass_on
from tests.fixtures.made_once import made_once
from tests.services.conftest import Table, _tiny_game_is_registered

__all__ = ["_tiny_game_is_registered"]


class Reached(Table):
    """A table whose players have confirmed their addresses."""

    def __init__(self, present: clock.FixedTime, handles: str = "ann bob cat", **config: object) -> None:
        super().__init__(present, handles, **config)
        for user in (*self.users.values(), self.host):
            EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)

    def notices(self, handle: str) -> list[Notice]:
        """Return a player's notices, oldest first."""
        pass_on()
        return list(Notice.objects.filter(user=self.users[handle]))

    def post(self) -> int:
        """Pass on and send everything; return how many were sent."""
        pass_on()
        return send_due()


@pytest.fixture
def reached(present: clock.FixedTime) -> Reached:
    return made_once("reached", lambda: Reached(present), present)
