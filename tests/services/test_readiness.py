"""The ready check: a fast match of few begins as soon as all its people are ready, and never later than announced."""

from typing import Any

import pytest
from django.test import Client

from matches.models import Match
from matches.services import hosting
from matches.services.absences import ready, say_ready
from matches.services.creation import create_match
from matches.services.errors import CommandRefused, NotAPlayer
from matches.services.joining import add_player
from matches.services.replay import verify
from seasons.engine.season import Entry
from seasons.services import running
from tests.fixtures.any_game import DUEL, SLUG
from tests.fixtures.present import START
from tests.seasons.test_predictions import Watched
from tests.services.conftest import HOUR, person

pytestmark = [pytest.mark.django_db]


class Duel:
    def __init__(self, **config: Any) -> None:
        self.host = person("dora")
        self.users = [person("ann"), person("bob")]
        self.pk = create_match(DUEL, "A duel", hosts=(self.host,), config=config).pk
        for user in self.users:
            add_player(self.match, user.username, user=user)
        hosting.publish(self.match, self.host, START + HOUR)

    @property
    def match(self) -> Match:
        return Match.objects.get(pk=self.pk)

    def says(self, number: int) -> None:
        say_ready(self.pk, self.users[number].pk)


def test_it_begins_once_all_are_ready(present: Any) -> None:
    duel = Duel(move_time="40s")
    duel.says(0)
    duel.says(0)
    assert (ready(duel.match), duel.match.status) == (["ann"], "scheduled")
    browser = Client()
    browser.force_login(duel.users[1])
    page = browser.get(duel.match.get_absolute_url()).text
    assert "I am ready" in page
    assert "Ready: ann." in " ".join(page.split())
    place = f"/api/v1/matches/{duel.match.public_id}/place/"
    assert browser.post(place, {"do": "ready"}, content_type="application/json").json() == {"accepted": True}
    match = duel.match
    assert (match.status, match.opened_at, verify(match)) == ("open", START, [])
    assert match.announcements.filter(kind="everybody_ready").count() == 1
    assert [row.user_id for row in match.log.filter(payload__contains='"ready"')] == [user.pk for user in duel.users]
    with pytest.raises(CommandRefused):
        duel.says(0)


def test_who_was_ready_for_another_start_or_in_a_place_before_does_not_count(present: Any) -> None:
    duel = Duel(move_time="40s")
    duel.says(0)
    hosting.publish(duel.match, duel.host, START + 2 * HOUR)
    assert ready(duel.match) == []
    duel.says(0)
    newcomer = person("zoe")
    Match.objects.get(pk=duel.pk).players.filter(handle="ann").update(user=newcomer)
    assert ready(duel.match) == []
    duel.says(1)
    assert duel.match.status == "scheduled"
    say_ready(duel.pk, newcomer.pk)
    assert duel.match.status == "open"


def test_slow_matches_and_strangers_are_not_asked(present: Any) -> None:
    duel = Duel(move_time="1d")
    assert ready(duel.match) is None
    with pytest.raises(CommandRefused):
        duel.says(0)
    with pytest.raises(NotAPlayer):
        say_ready(duel.pk, duel.host.pk)


def test_who_still_plays_elsewhere_in_the_season_keeps_the_announced_start(present: Any) -> None:
    watched = Watched(present)
    people = [Entry("ann"), Entry("bob")]
    duel = running.add_match(watched.season, watched.host, DUEL, config={"move_time": "40s"}, players=people)
    hosting.publish(duel, watched.host, START + 20 * HOUR)
    hosting.start_now(running.add_match(watched.season, watched.host, SLUG), watched.host)
    for name in ("ann", "bob"):
        say_ready(duel.pk, watched.people[name].pk)
    duel.refresh_from_db()
    assert (duel.start_problem, duel.starts_at, ready(duel)) == ("", START + 20 * HOUR, ["ann", "bob"])
