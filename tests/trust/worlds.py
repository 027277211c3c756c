"""What the tests of tampering have: matches in which most things that can be stored are stored, and their rows."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.db import models

from matches.models import Match, clock
from matches.services import absences, hosting, leniency, questions, results, roster
from matches.services.invitations import invite
from matches.services.joining import add_player
from matches.services.roster import PlayerChange
from seasons.models import Season
from tests.fixtures.present import START
from tests.services.conftest import DAY, HOUR, Table, person
from tests.trust.fields import OUTSIDE, belonging, label

OF_MATCHES = [each for each in belonging() if label(each).startswith("matches.") and label(each) not in OUTSIDE]
OF_SEASONS = [each for each in belonging() if label(each).startswith("seasons.") and label(each) not in OUTSIDE]
"""The models of which something is compared."""


class Worlds:
    """A match that runs, one that is over, one that is announced, and one that was called off."""

    def __init__(self, present: clock.FixedTime) -> None:
        self.running, self.over, self.coming, self.off = (Table(present) for _ in range(4))
        self.stranger = person("stranger")
        for table in (self.running, self.over):
            _prepare(table)
        for table in (self.coming, self.off):
            _announce(table)
        hosting.cancel(self.off.match, self.off.host, "Too few came.")
        _play(self.running)
        self.over.act("ann", "bid", amount=2)
        self.over.at(9 * DAY).advance()
        results.draws_of(self.over.match)
        present.instant = START + 12 * HOUR

    @property
    def matches(self) -> tuple[Match, ...]:
        return (self.running.match, self.over.match, self.coming.match, self.off.match)


def _prepare(table: Table) -> None:
    match, host = table.match, table.host
    leniency.choose(match, host, bots_stand_in=True)
    hosting.set_roles(match, host, [host, person(f"co{match.pk}")], observers=[person(f"observer{match.pk}")])
    hosting.switch_blood_garnets(match, host, True)
    roster.change_players(
        match, host, [PlayerChange(table.player("ann").pk, {"blood_garnets": Decimal(2), "name": "Ann"})]
    )
    table.open()


def _play(table: Table) -> None:
    match, host, ann = table.match, table.host, table.player("ann")
    table.act("ann", "bid", key="k", amount=3)
    table.at(HOUR).act("bob", "buy_chips", count=2)
    table.act("cat", "bid", amount=99)
    hosting.announce(match, host, "announcement", "Read this.", key="n1")
    asked = questions.ask_hosts(match.pk, table.users["bob"].pk, "May I?", key="q1")
    hosting.answer(match, host, asked.question.token, "You may.", key="r1")
    now = clock.now()
    absences.say_away(match.pk, table.users["cat"].pk, now + DAY, now + 2 * DAY, "away")
    invite(match, host, table.player("cat"), label="for Zoe")
    hosting.correct_balance(match, host, ann, "blood_garnet", 5, "a gift")
    hosting.let_bot_play(match, host, table.player("bob"))
    hosting.pause(match, host, "lunch")
    table.at(3 * HOUR)
    hosting.resume(match, host)


def _announce(table: Table) -> None:
    open_place = add_player(table.match, "zoe")
    hosting.publish(table.match, table.host, START + 3 * DAY)
    invite(table.match, table.host, open_place)


def rows_of(model: type[models.Model], of: Match | Season) -> Any:
    """All rows of a model that belong to that match or season."""
    if model is type(of):
        return model._default_manager.filter(pk=of.pk)
    if isinstance(of, Season):
        return model._default_manager.filter(season=of)
    names = {field.name for field in model._meta.concrete_fields}
    way = next(name for name in ("match", "player", "submission") if name in names)
    return model._default_manager.filter(**{way if way == "match" else f"{way}__match": of})
