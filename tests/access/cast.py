"""Everybody who may come to a match, and the same match as a draft, in play, and finished."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from django.contrib.auth.models import Group
from django.test import Client

from accounts.models import ApiToken, User
from matches.engine.rehearsal import report_of
from matches.models import Match, Rehearsal, clock
from matches.services.creation import create_match
from matches.services.deadlines import advance
from matches.services.hosting import publish
from matches.services.joining import add_player
from matches.services.rehearsals import setup_of
from matches.services.roles import HOSTS
from seasons.models import Season
from seasons.services import running
from seasons.services.cast import add_member
from seasons.services.drafts import create_season
from tests.fixtures.any_game import SLUG, SMALL
from tests.fixtures.made_once import made_once
from tests.fixtures.proven import proven

SEED = bytes(range(100, 132))
START = datetime(2031, 5, 17, 13, tzinfo=UTC)

ROLES = (
    "visitor",  # without an account
    "stranger",  # with one, and nothing else
    "player",  # plays in these matches
    "elsewhere",  # plays in another match only
    "playing host",  # runs another match, plays in these
    "other host",  # runs another match
    "host",  # runs these matches
    "playing boss",  # superuser, plays in these matches
    "boss",  # superuser
)
STAFF = {"playing host", "other host", "host"}
BOSSES = {"playing boss", "boss"}
PLAYERS = ("player", "playing host", "playing boss")


def rehearsal_of(match: Match) -> Rehearsal:
    """A rehearsal of this match, as one of its hosts asked for it before it began; only one match was played in it."""
    setup = setup_of(match)
    report = report_of(match.rules, setup.config, setup.roster, SEED, lambda which: which > 0)
    made: Rehearsal = match.rehearsals.create(
        made_at=match.created_at,
        begins_at=START,
        seed=SEED.hex(),
        played_with=msgspec.to_builtins(setup),
        report=msgspec.to_builtins(report),
    )
    return made


@contextmanager
def cast_at(instant: datetime) -> Iterator[Cast]:
    """Everybody, at an instant, which lasts to the end of the block."""
    with clock.fixed(instant):
        yield made_once((Cast, instant), Cast)


class Cast:
    """`people` by role; `matches` by status: draft, open (in its sealed pregame), finished, and a rehearsal of each.
    `other` is another match.
    `seasons` by the same statuses have the same host and people."""

    def __init__(self) -> None:
        self.people = {role: self._person(role) for role in ROLES[1:]}
        self.matches = {status: self._match(status) for status in ("draft", "open", "finished")}
        self.rehearsals = {status: rehearsal_of(match) for status, match in self.matches.items()}
        self.seasons = {status: self._season(status) for status in ("draft", "open", "finished")}
        self.other = create_match(SLUG, "Another", hosts=(self.people["other host"], self.people["playing host"]))
        add_player(self.other, "eve", user=self.people["elsewhere"])
        self.token, self.secret = ApiToken.issue(self.people["player"], "a program")

    @staticmethod
    def _person(role: str) -> User:
        name = role.replace(" ", "_")
        make = User.objects.create_superuser if role in BOSSES else User.objects.create_user
        person = make(name, f"{name}@example.org", None)
        if role in STAFF:
            person.is_staff = True
            person.save()
            person.groups.add(Group.objects.get(name=HOSTS))
        return person

    def _match(self, status: str) -> Match:
        host = self.people["host"]
        match = create_match(SLUG, f"The {status} one", by=host, config=SMALL)
        for role in PLAYERS:
            add_player(match, role.replace(" ", "_"), user=self.people[role], garnets=5)
        if status != "draft":
            publish(match, host)
        if status == "finished":
            with clock.fixed(clock.now() + timedelta(days=9)):
                advance(match.pk)
        match.refresh_from_db()
        assert match.status == status
        return match

    def _season(self, status: str) -> Season:
        host = self.people["host"]
        season = create_season(f"The {status} season", host)
        for role in PLAYERS:
            add_member(season, host, role.replace(" ", "_"), user=self.people[role], garnets=5)
        if status != "draft":
            running.begin(season, host)
        if status == "finished":
            running.command(season, host, {"end": True})
        return season

    def browser(self, role: str, **how: Any) -> Client:
        """A browser in which this person is signed in."""
        client = Client(**how)
        if role == "visitor":
            return client
        client.force_login(self.people[role])
        return proven(client)
