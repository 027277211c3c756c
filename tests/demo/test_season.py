"""The season that `manage.py demo` makes, and what keeps it going."""

from collections.abc import Iterator
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import call_command
from django.db import transaction

from accounts.models import User
from matches.demo import people
from matches.demo.season import scenes
from matches.demo.speeds import BRISK, LEISURELY, PLAYABLE, SHORTEST_ROUND, shortest_length
from matches.demo.tend import STARTS_IN, STARTS_SOON, tend
from matches.games import registry
from matches.models import Match, clock
from matches.queries import feed, lists
from matches.queries import matches as match_queries
from matches.services import bots, deadlines, joining
from matches.services.replay import verify
from tests.services.conftest import person

pytestmark = pytest.mark.django_db

GAMES = list(registry.all_games().values())


@pytest.fixture(scope="module")
def seeded(django_db_setup, django_db_blocker) -> Iterator[str]:
    """A season that is made once for all tests here, in a transaction around those of the tests."""
    with django_db_blocker.unblock(), transaction.atomic():
        said = StringIO()
        call_command("demo", seed=True, stdout=said)
        yield said.getvalue()
        transaction.set_rollback(True)


@pytest.fixture
def season(seeded, db) -> str:
    """A seeded database; what the command said."""
    return seeded


def phases(game) -> set[str]:
    matches = Match.objects.filter(game=game.slug)
    positions = [match_queries.Position(match) for match in matches]
    return {position.public.phase if position.public else position.match.status for position in positions}


class TestTheSeason:
    def test_shows_every_phase_and_a_coming_match_of_each_game(self, season):
        shown = {game.slug: phases(game) for game in GAMES}
        assert all({"running", "decision", "finished", "scheduled"} <= each for each in shown.values()), shown

    def test_every_match_is_what_its_log_says(self, season):
        assert [found for match in Match.objects.all() if (found := verify(match))] == []

    def test_ann_has_a_decision_to_make_and_other_things_to_do(self, season):
        mine = lists.my_open_matches(User.objects.get(username="ann"), 20)
        kinds = {ask.kind for match in mine for ask in match.asked}
        assert kinds & {"name_candidate", "vote", "give_tokens"}
        assert kinds - {"name_candidate", "vote", "give_tokens"}

    def test_ann_has_been_told_something(self, season):
        assert feed.unread_notices(User.objects.get(username="ann"))

    def test_what_waits_for_a_person_waits_for_an_hour_at_least(self, season):
        mine = lists.my_open_matches(User.objects.get(username="ann"), 20)
        left = [each.position.instant(ask.until) - clock.now() for each in mine for ask in each.asked]
        assert left
        assert min(left) > timedelta(hours=1)

    def test_a_newcomer_can_join_a_match_of_each_game_that_starts_soon(self, season):
        coming = list(lists.open_tables(AnonymousUser()))
        assert {match.game for match in coming} == {game.slug for game in GAMES}
        for match in coming:
            assert match.starts_at - clock.now() <= STARTS_IN
            assert joining.join(match, person(f"newcomer{match.pk}")).handle

    def test_no_round_of_any_match_is_too_short_for_people(self, season):
        for match in Match.objects.all():
            assert shortest_length(match.rules, match.config) / match.speed >= SHORTEST_ROUND, match.title
        assert any(len(match.rules.presets) > 1 for match in Match.objects.all())

    def test_the_front_page_and_the_games_pages_lead_newcomers_to_a_table(self, season, client):
        home = client.get("/").content.decode()
        for match in lists.open_tables(AnonymousUser()):
            assert f'href="{match.get_absolute_url()}"' in home
            assert home.index(match.title) < home.index("Running now")
            game = client.get(f"/games/{match.game}/").content.decode()
            assert "Take a place" in game
            assert game.index(match.get_absolute_url()) < game.index("Played now")
            assert "Sign up and play" in client.get(match.get_absolute_url()).content.decode()

    def test_the_sign_ins_that_are_printed_are_good(self, season, client):
        password = season.rstrip().rsplit(" ", 1)[1]
        for name in ("ann", "bob", "dora"):
            assert client.login(username=name, password=password)

    def test_a_second_start_makes_nothing_new_and_prints_the_sign_ins_again(self, season, capsys):
        before = Match.objects.count()
        call_command("demo", seed=True)
        assert Match.objects.count() == before
        assert people.demo_password() in capsys.readouterr().out

    def test_speeds_keep_whole_seconds_of_match_time_exact(self):
        assert all(1_000_000 % speed == 0 for speed in (PLAYABLE, BRISK, LEISURELY))
        assert all(1_000_000 % scene.speed == 0 for scene in scenes())
        assert all(1_000_000 % match.speed == 0 for match in Match.objects.all())


class TestTending:
    def test_nothing_is_made_twice(self, season):
        before = Match.objects.count()
        tend()
        assert Match.objects.count() == before

    def test_the_season_goes_on_for_hours_without_piling_up(self, season):
        """Everything that the beat does, on a clock that is moved by hand; nobody comes."""
        demos = [Match.objects.filter(game=game.slug, is_demo=True) for game in GAMES]
        before = Match.objects.count()
        with clock.fixed(clock.now()) as present:
            for _ in range(90):
                present.forward(timedelta(seconds=60))
                deadlines.sweep()
                bots.move_all()
                tend()
                for demo in demos:
                    (coming,) = demo.filter(status="scheduled")
                    assert present.instant < coming.starts_at <= present.instant + STARTS_IN
                    assert demo.filter(status="open").exclude(players__user__isnull=False).exists()
        assert Match.objects.count() <= before + 2 * len(GAMES)
        assert not Match.objects.exclude(fault="")

    def test_a_table_begins_soon_after_somebody_has_joined_and_the_next_is_laid(self, season):
        coming = Match.objects.filter(status="scheduled").first()
        joining.join(coming, person("newcomer"))
        with clock.fixed(clock.now()) as present:
            tend()
            coming.refresh_from_db()
            assert coming.starts_at == present.instant + STARTS_SOON
            joining.join(coming, person("another"))
            present.forward(timedelta(seconds=10))
            tend()
            coming.refresh_from_db()
            assert coming.starts_at == present.instant + STARTS_SOON - timedelta(seconds=10)
            present.instant = coming.starts_at
            deadlines.sweep()
            tend()
        coming.refresh_from_db()
        assert coming.status == "open"
        assert coming.players.filter(is_bot=True).count() == coming.places - 2
        following = Match.objects.get(status="scheduled", game=coming.game)
        assert following.pk != coming.pk

    def test_a_full_table_does_not_keep_the_next_newcomer_waiting(self, season):
        coming = Match.objects.filter(status="scheduled").first()
        for number in range(coming.places):
            joining.join(coming, person(f"newcomer{number}"))
        tend()
        assert lists.open_tables(AnonymousUser()).filter(game=coming.game).exists()
