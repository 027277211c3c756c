"""Bots play with the same views and the same way in as people."""

import pytest
from django.db import OperationalError
from structlog.testing import capture_logs

from matches.models import Player
from matches.services import bots, hosting
from matches.services.bots import chance_of, move_all
from tests.services.conftest import HOUR, Table, person

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def robots(present) -> Table:
    table = Table(present)
    Player.objects.filter(match_id=table.match_id).exclude(handle="ann").update(is_bot=True, user=None)
    return table.open()


def test_every_bot_acts_once_and_then_waits_while_people_are_left_alone(robots):
    assert move_all() == 2
    assert move_all() == 0
    assert set(robots.state.box) == {"bob", "cat"}


@pytest.mark.parametrize("lengths", [{"closes": "10m"}, {"decision_time": "10m"}])
def test_no_bot_sleeps_through_a_short_round_or_time_to_decide(present, lengths):
    table = Table(present, **lengths)
    Player.objects.filter(match_id=table.match_id).update(is_bot=True, user=None)
    table.open().at(HOUR / 60)
    assert move_all() == 3
    assert max(table.match.players.values_list("bot_acts_at", flat=True)) < present.instant + HOUR / 12


def test_a_bot_that_finds_the_database_busy_plays_the_next_time_and_that_is_no_fault(robots, monkeypatch):
    def busy():
        raise OperationalError("database is locked")

    with monkeypatch.context() as patch, capture_logs() as logs:
        patch.setattr(bots, "hurried", busy)
        assert bots.move_due() == 0
    assert [(line["event"], line["log_level"]) for line in logs] == [("bot_waits", "info")] * 2
    assert bots.move_due() == 2


def test_two_workers_let_a_bot_act_once(robots):
    seen_by_both = list(robots.match.players.filter(is_bot=True))
    assert [bots.move(player) for player in seen_by_both] == [True, True]
    assert [bots.move(player) for player in seen_by_both] == [False, False]


def test_a_bot_that_was_due_does_not_act_for_whoever_has_the_place_by_now(robots, monkeypatch):
    was_due = robots.player("bob")
    hosting.substitute(robots.match, robots.host, was_due, person("zoe"))
    assert not bots.move(was_due)

    def taken_meanwhile(player, until):
        hosting.substitute(robots.match, robots.host, player, person("yan"))
        return True

    monkeypatch.setattr(bots, "_claim", taken_meanwhile)
    assert bots.move_due(handle="cat") == 0
    assert not robots.match.log.filter(kind="action").exists()


def test_bots_rest_where_the_match_does(robots):
    hosting.pause(robots.match, robots.host)
    robots.at(HOUR)
    assert move_all() == 0


def chance(seed, handle, *, is_demo=False):
    return chance_of(seed, handle, is_demo=is_demo).integer("x", 10**9)


def test_a_bots_chance_is_the_same_for_the_whole_match_and_different_for_each_bot_and_match():
    draws = [chance(seed, handle) for seed in ("aa", "bb") for handle in ("bob", "cat")]
    assert len(set(draws)) == 4
    assert chance("aa", "bob") == draws[0]


def test_a_bots_chance_cannot_be_found_from_the_published_seed_but_in_demos(settings):
    here, demo = chance("aa", "bob"), chance("aa", "bob", is_demo=True)
    settings.SECRET_KEY = "another site's secret"
    assert chance("aa", "bob") != here
    assert chance("aa", "bob", is_demo=True) == demo
