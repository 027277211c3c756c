"""Matches in which most things that can be done are done."""

from decimal import Decimal

from matches.models import clock
from matches.services import hosting, roster
from matches.services.roster import PlayerChange
from tests.fixtures.present import START
from tests.services.conftest import DAY, HOUR, Table


class Worlds:
    """A match that runs, and one that is over."""

    def __init__(self, present: clock.FixedTime) -> None:
        self.running, self.over = Table(present), Table(present)
        for table in (self.running, self.over):
            match, host, ann = table.match, table.host, table.player("ann")
            hosting.switch_blood_garnets(match, host, True)
            roster.change_players(match, host, [PlayerChange(ann.pk, {"blood_garnets": Decimal(2)})])
            present.instant = START
            table.open()
            table.act("ann", "bid", key="k", amount=3)
            table.at(HOUR).act("bob", "buy_chips", count=2)
            table.act("cat", "bid", amount=99)
            hosting.announce(match, host, "announcement", "Read this.", key="n1")
            hosting.correct_balance(match, host, ann, "blood_garnet", 5, "a gift")
            hosting.pause(match, host, "lunch")
            table.at(3 * HOUR)
            hosting.resume(match, host)
        self.over.at(9 * DAY).advance()
        present.instant = START + 12 * HOUR
