"""Everybody who may come to a match, and the same match as a draft, in play, and finished."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import Group
from django.test import Client

from accounts.models import ApiToken, User
from matches.models import Match, clock
from matches.services.creation import create_match
from matches.services.deadlines import advance
from matches.services.hosting import publish
from matches.services.hosts_group import HOSTS
from matches.services.joining import add_player

START = datetime(2031, 5, 17, 13, tzinfo=UTC)
GAME = "lowest_unique_integer"

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


class Cast:
    """`people` by role; `matches` by status: draft, open (in its sealed pregame), finished. `other` is another."""

    def __init__(self) -> None:
        self.people = {role: self._person(role) for role in ROLES[1:]}
        self.matches = {status: self._match(status) for status in ("draft", "open", "finished")}
        self.other = create_match(GAME, "Another", hosts=(self.people["other host"], self.people["playing host"]))
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
        match = create_match(GAME, f"The {status} one", by=host, config={"variant": "F8"})
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

    def browser(self, role: str, **how: Any) -> Client:
        """A browser in which this person is signed in."""
        client = Client(**how)
        if role != "visitor":
            client.force_login(self.people[role], backend="django.contrib.auth.backends.ModelBackend")
        return client
