"""Two at once in a season: hosts who confirm the same settlement, matches that would spend the same garnet."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from matches.models import Match, clock
from matches.services import hosting
from seasons.engine.state import account
from seasons.models import Season, SeasonRole
from seasons.services import applications, running
from seasons.services.applications import Decision
from seasons.services.cast import add_member
from seasons.services.drafts import create_season
from seasons.services.verification import verify
from tests.fixtures.any_game import SLUG
from tests.services.conftest import person
from tests.services.racer import race

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


class Stage:
    """A season of three bots, of whom ann has three garnets, with two hosts."""

    def __init__(self) -> None:
        self.hosts = [person("hanna"), person("otto")]
        self.season = create_season("Races", self.hosts[0], settings={"settlement": "confirmed", "opponent": "none"})
        SeasonRole.objects.create(
            season=self.season, user=self.hosts[1], role=SeasonRole.Role.COHOST, since=self.season.created_at
        )
        for handle, garnets in (("ann", 3), ("bob", 0), ("cat", 0)):
            add_member(self.season, self.hosts[0], handle, is_bot=True, garnets=garnets)
        running.begin(self.season, self.hosts[0])

    def match(self) -> Match:
        return running.add_match(self.season, self.hosts[0], SLUG)

    def both(self, do: str, *matches: Match, **how: Any) -> Counter[str]:
        """Each host does it once, at the same moment."""
        pairs = zip(self.hosts, matches, strict=True)
        return sum(race([{"do": do, "match": m.pk, "user": h.pk, **how} for h, m in pairs]), Counter())

    def settled(self, **how: Any) -> Counter[str]:
        """What comes of it when both confirm the settlement of a match that was cancelled behind the season's back."""
        match = self.match()
        hosting.start_now(match, self.hosts[0])
        self._finish(match)
        return self.both("settle", match, match, **how)

    def _finish(self, match: Match) -> None:
        from matches.services import deadlines

        deadlines_passed = 0
        while (match := Match.objects.get(pk=match.pk)).status == Match.Status.OPEN and deadlines_passed < 60:
            hosting.close_deadline(match, self.hosts[0], "")
            deadlines.advance(match.pk)
            deadlines_passed += 1
        running.sweep()
        assert match.status == Match.Status.FINISHED

    def open_matches(self) -> int:
        return Match.objects.filter(in_season__season=self.season, status=Match.Status.OPEN).count()

    def garnets(self) -> int:
        state = Season.objects.get(pk=self.season.pk).decoded()
        assert state is not None
        return int(account(state.purses, "ann")["garnet"])


@pytest.fixture
def stage(db: None) -> Stage:
    return Stage()


def test_two_hosts_confirm_a_settlement_and_it_is_settled_once(stage: Stage) -> None:
    assert stage.settled() == {"done": 1, "wrong_phase": 1}
    assert stage.season.ledger.filter(reason="returned", receiver__handle="ann", asset="garnet").count() == 1
    assert verify(Season.objects.get(pk=stage.season.pk)) == []


@pytest.mark.services
def test_control_without_the_lock_of_the_season_both_try_to_settle(stage: Stage) -> None:
    assert set(stage.settled(season_unlocked=True)) - {"done", "wrong_phase"}


def test_two_matches_do_not_spend_the_same_garnet(stage: Stage) -> None:
    assert set(stage.both("open_in_season", stage.match(), stage.match())) <= {"done", "command_refused"}
    assert stage.open_matches() == 1
    assert stage.garnets() == 0
    refused = Match.objects.exclude(status=Match.Status.OPEN).get(in_season__season=stage.season)
    assert "plays in another match of the season" in refused.start_problem or refused.status == Match.Status.DRAFT
    assert stage.season.ledger.filter(reason="brought", giver__handle="ann").count() == 1
    assert verify(Season.objects.get(pk=stage.season.pk)) == []


def _clicked_twice(stage: Stage, **how: Any) -> int:
    assert sum(race([{"do": "create_season", "user": stage.hosts[0].pk, **how}] * 2), Counter()) == {"done": 2}
    return Season.objects.filter(title="Clicked twice").count()


def test_two_clicks_on_the_form_of_a_new_season_make_one(stage: Stage) -> None:
    assert _clicked_twice(stage) == 1


@pytest.mark.services
def test_control_without_the_lock_of_the_person_two_clicks_make_two(stage: Stage) -> None:
    assert _clicked_twice(stage, season_unlocked=True) == 2


def _given_at_once(stage: Stage) -> Counter[str]:
    """A ring of three gives all that each has, and one of them gives it a second time in another window."""
    people = {name: person(f"giver{name}") for name in ("ann", "bob", "cat")}
    season = create_season("A ring", stage.hosts[0], settings={"gifts": True})
    for name, user in people.items():
        add_member(season, stage.hosts[0], name, user=user, garnets=2)
    running.begin(season, stage.hosts[0])
    gifts = (("ann", "bob"), ("bob", "cat"), ("cat", "ann"), ("ann", "cat"))
    tasks = [
        {"do": "give", "season": season.pk, "user": people[giver].pk, "to": to, "amount": 2} for giver, to in gifts
    ]
    found = sum(race(tasks), Counter())
    season = Season.objects.get(pk=season.pk)
    state = season.decoded()
    assert state is not None
    amounts = [int(account(state.purses, name)["garnet"]) for name in people]
    assert sum(amounts) == 6
    assert min(amounts) >= 0
    assert verify(season) == []
    return found


def test_gifts_in_a_ring_at_once_lose_nothing_and_nobody_gives_a_garnet_twice(stage: Stage) -> None:
    found = _given_at_once(stage)
    assert set(found) <= {"done", "not_enough"}
    assert found["done"] >= 3


def _withdrawn_at_once(stage: Stage) -> tuple[Counter[str], list[str]]:
    """The two who were chosen take their applications back at once, and there are two alternates."""
    host, season = stage.hosts[0], create_season("Casting", stage.hosts[0])
    applications.call_for(season, host, [], clock.now() + timedelta(days=1), 2)
    people = {name: person(f"applicant{name}") for name in ("ann", "bob", "cat", "dan")}
    for name, user in people.items():
        applications.apply(season, user, {})
        mine = season.applications.get(user=user)
        if name in ("ann", "bob"):
            place = add_member(season, host, f"seat{name}")
            applications.decide(season, host, [Decision(mine, "chosen", place)])
        else:
            applications.decide(season, host, [Decision(mine, "alternate")])
    tasks = [{"do": "withdraw", "season": season.pk, "user": people[name].pk} for name in ("ann", "bob")]
    found = sum(race(tasks), Counter())
    cast = season.cast.order_by("handle").values_list("user__username", flat=True)
    return found, sorted(name or "" for name in cast)


def test_two_who_withdraw_at_once_leave_their_places_to_two_alternates(stage: Stage) -> None:
    found, cast = _withdrawn_at_once(stage)
    assert (found, cast) == ({"done": 2}, ["applicantcat", "applicantdan"])
