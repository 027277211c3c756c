"""The season that `manage.py demo` makes, and what keeps it going."""

import re
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
from matches.models import Announcement, Match, OutboxRow, Player, Submission, clock
from matches.queries import lists
from matches.queries import matches as match_queries
from matches.services import bots, deadlines, joining
from matches.services.replay import verify
from notices import events
from notices.models import Notice
from notices.services.passing_on import pass_on
from tests.fixtures.chosen import EVERYTHING
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
        assert Announcement.objects.filter(player__user__username="ann", read_at=None).exists()

    def test_her_bell_has_what_is_new_and_not_a_whole_past(self, season):
        pass_on()
        told = Notice.objects.filter(user__username="ann")
        assert 0 < told.count() < 40  # without this there were hundreds
        assert min(told.values_list("at", flat=True)) > clock.now() - timedelta(hours=2)

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
            assert game.index(match.get_absolute_url()) < game.index("Running now")
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

    def test_a_full_table_does_not_keep_the_next_newcomer_waiting(self, season):
        coming = Match.objects.filter(status="scheduled").first()
        for number in range(coming.places):
            joining.join(coming, person(f"newcomer{number}"))
        tend()
        assert lists.open_tables(AnonymousUser()).filter(game=coming.game).exists()


# -- what people hear of it ---------------------------------------------------------------------


def test_what_people_hear_of(season, caplog) -> None:
    """Every notice of the season, also of what the demo's invented past leaves untold."""
    causes = Announcement.objects.order_by().values_list("match_id", "submission_id").distinct()
    rows = [OutboxRow(match_id=match_id, submission_id=cause) for match_id, cause in causes]
    OutboxRow.objects.bulk_create(rows, ignore_conflicts=True)
    pass_on()
    assert "notice_not_drafted" not in caplog.text
    told = list(Notice.objects.select_related("match"))
    _every_game_reaches_its_players(told)
    _titles_hold_no_amounts_and_no_names(told)
    _texts_are_whole_sentences_of_what_the_receiver_may_know(told)
    _nobody_is_told_what_they_have_done_themselves(told)
    _receivers_play_or_host_and_links_lead_to_the_match(told)


def _every_game_reaches_its_players(told: list[Notice]) -> None:
    for slug in (game.slug for game in GAMES):
        heard = {notice.event for notice in told if notice.match.game == slug}
        assert "opened" in heard, slug
        assert heard & {"won", "lost", "outbid", "round_closed"}, slug
        assert heard & {"round_opened", "decision_asked"}, slug
    assert "finished" in {notice.event for notice in told}


def _titles_hold_no_amounts_and_no_names(told: list[Notice]) -> None:
    headlines = {each.headline for each in events.EVENTS.values()}
    for notice in told:
        headline, _, match = notice.title.partition(" · ")
        assert headline in headlines
        assert match == notice.match.title


def _texts_are_whole_sentences_of_what_the_receiver_may_know(told: list[Notice]) -> None:
    for notice in told:
        assert notice.text, notice.title
        for line in notice.text.splitlines():
            assert re.fullmatch(r"[A-Z].*[.!?]", line), line
        assert not re.search(r"[0-9a-f]{64}", notice.text)


def _nobody_is_told_what_they_have_done_themselves(told: list[Notice]) -> None:
    causes = Submission.objects.select_related("player").in_bulk(
        [int(notice.source.removeprefix("log:")) for notice in told if notice.source.startswith("log:")]
    )
    for notice in told:
        cause = causes[int(notice.source.removeprefix("log:"))]
        assert cause.player is None or cause.player.user_id != notice.user_id
        assert cause.user_id != notice.user_id


def _receivers_play_or_host_and_links_lead_to_the_match(told: list[Notice]) -> None:
    players = set(Player.objects.values_list("user_id", "match_id"))
    hosts = set(Match.hosts.through.objects.values_list("user_id", "match_id"))
    for notice in told:
        assert (notice.user_id, notice.match_id) in players | hosts
        assert notice.url.startswith(notice.match.get_absolute_url())
