"""The season that `manage.py demo` makes, and what keeps it going."""

from collections.abc import Iterator
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import call_command
from django.db import transaction

from matches.demo import people
from matches.demo.upkeep import STARTS_IN, STARTS_SOON, tend
from matches.games import registry
from matches.models import Announcement, Match, clock
from matches.queries import lists
from matches.services import bots, deadlines, joining
from matches.services.replay import verify
from tests.fixtures.chosen import EVERYTHING
from tests.services.conftest import person

pytestmark = pytest.mark.django_db

GAMES = list(registry.all_games().values())


@pytest.fixture(scope="module")
def seeded(django_db_setup, django_db_blocker) -> Iterator[str]:
    """A season that is made once for all tests here, in a transaction around those of the tests."""
    with django_db_blocker.unblock(), transaction.atomic():
        said = StringIO()
        call_command("demo", stdout=said)
        yield said.getvalue()
        transaction.set_rollback(True)


@pytest.fixture
def season(seeded, db) -> str:
    """A seeded database; what the command said."""
    return seeded


class TestTheSeason:
    def test_every_match_is_what_its_log_says(self, season):
        assert [found for match in Match.objects.all() if (found := verify(match))] == []

    def test_a_newcomer_can_join_a_match_of_each_game_that_starts_soon(self, season):
        coming = list(lists.open_tables(AnonymousUser()))
        assert {match.game for match in coming} == {game.slug for game in GAMES}
        for match in coming:
            assert match.starts_at - clock.now() <= STARTS_IN
            assert joining.join(match, person(f"newcomer{match.pk}")).handle

    def test_a_second_start_makes_nothing_new_and_prints_the_sign_ins_again(self, season, capsys):
        before = Match.objects.count()
        call_command("demo")
        assert Match.objects.count() == before
        assert people.demo_password() in capsys.readouterr().out


class TestTending:
    def test_the_season_goes_on_without_piling_up(self, season):
        """Everything that the beat does, on a clock that is moved by hand, for half an hour, longer at night; nobody
        comes."""
        demos = [Match.objects.filter(game=game.slug, is_demo=True) for game in GAMES]
        before = Match.objects.count()
        with clock.fixed(clock.now()) as present:
            for _ in range(45 if EVERYTHING else 15):
                present.forward(timedelta(seconds=120))
                deadlines.sweep()
                bots.move_all()
                tend()
                for demo in demos:
                    (coming,) = demo.filter(status="scheduled")
                    assert present.instant < coming.starts_at <= present.instant + STARTS_IN
                    assert demo.filter(status="open").exclude(players__user__isnull=False).exists()
        assert Match.objects.count() <= before + 2 * len(GAMES)
        assert not Announcement.objects.filter(kind="start_moved").exists(), "told again and again, though nobody waits"
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
