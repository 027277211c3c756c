"""`manage.py demo`: something to look at, something to do, and matches for load tests."""

import json

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from accounts.models import ApiToken, User
from matches.demo import people
from matches.demo.load import make_load
from matches.demo.speeds import BRISK, LEISURELY, PLAYABLE, SHORTEST_ROUND, shortest_length, speed_of
from matches.demo.tend import tend
from matches.games import registry
from matches.models import Match, Player
from matches.queries import matches as match_queries
from matches.services.replay import verify
from tests.services.conftest import person

pytestmark = pytest.mark.django_db

GAMES = list(registry.all_games().values())
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


def test_a_database_with_matches_is_left_alone(db, capsys):
    make_load(GAMES[0], 1, GAMES[0].sizes.least, {})
    call_command("demo", seed=True)
    assert Match.objects.count() == 1
    assert not User.objects.filter(username="ann").exists()
    assert "Sign in" not in capsys.readouterr().out


@pytest.mark.parametrize("name", ["ann", "Ann."])
def test_a_real_person_with_the_name_of_a_demo_player_keeps_it(db, name):
    ann = person(name)
    made = people.make_people()
    assert made.players["ann"] != ann
    assert made.players["ann"].username == "demo-ann"
    ann.refresh_from_db()
    assert not ann.check_password(people.demo_password())


def test_a_new_secret_means_a_new_password_and_it_is_the_printed_one(db, settings):
    before = people.make_people().host.password
    settings.SECRET_KEY = "another" * 8
    people.renew_password()
    host = people.find_people().host
    assert host.password != before
    assert host.check_password(people.demo_password())
    people.renew_password()
    assert people.find_people().host.password == host.password


def test_a_real_site_refuses_the_demo_unless_it_is_really_meant(db, monkeypatch):
    monkeypatch.setattr(settings, "LOCAL", False)
    with pytest.raises(CommandError, match="--yes-really"):
        call_command("demo", seed=True)
    assert not User.objects.exists()


def test_a_database_without_a_demo_is_not_tended(db):
    assert tend() == 0


@every_game
def test_the_speed_of_a_demo_match_leaves_people_time(game):
    for config in ({}, *game.presets.values()):
        for wanted in (1, LEISURELY, BRISK, PLAYABLE, 1000):
            speed = speed_of(game, config, wanted)
            assert 1 <= speed <= wanted
            assert shortest_length(game, config) / speed >= SHORTEST_ROUND
    assert speed_of(game, {"decision_time": "10m"}, PLAYABLE) == 2
    assert speed_of(game, {"decision_time": "1m"}, PLAYABLE) == 1


class TestForLoadTests:
    @every_game
    def test_makes_running_matches_whose_players_hold_tokens(self, db, game, capsys):
        count = game.sizes.least
        call_command("demo", game=game.slug, matches=3, players=count, json=True)
        found = json.loads(capsys.readouterr().out)["matches"]
        assert len(found) == 3
        for one in found:
            match = Match.objects.get(public_id=one["id"])
            assert (match.status, match.is_demo) == ("open", False)
            assert match_queries.Position(match).public.phase == "running"
            assert one["url"] == match.get_absolute_url()
            assert len(one["players"]) == count
            for player in one["players"]:
                user = ApiToken.find(player["token"]).user
                assert Player.objects.get(match=match, user=user).handle == player["handle"]
                assert not user.has_usable_password()
            assert verify(match) == []

    def test_takes_settings_from_whoever_calls(self, db, capsys):
        game = GAMES[0]
        option = next(option for option in game.settings if option.key == "decision_time")
        call_command("demo", game=game.slug, config=json.dumps({option.key: "2h"}))
        assert Match.objects.get().config == {**game.endurance, "decision_time": "2h"}

    @pytest.mark.parametrize(
        ("options", "says"),
        [
            ({"game": "chess"}, "there is no game 'chess'"),
            ({"matches": 0}, "--matches"),
            ({"players": 1}, "Not ready|players"),
            ({"config": "{"}, "not JSON"),
            ({"config": "[]"}, "a JSON object"),
            ({"config": '{"nix": 1}'}, "nix: there is no such setting"),
        ],
    )
    def test_says_what_it_cannot_do(self, db, options, says):
        with pytest.raises(CommandError, match=says):
            call_command("demo", **{"game": GAMES[0].slug, **options})
        assert not Match.objects.exists()
