"""Spectators say who goes out next and who wins, until a match begins or a deadline; others see it afterwards."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts import deletion
from accounts.models import User
from matches.models import Match, clock
from matches.services import hosting
from matches.services.deadlines import advance
from matches.services.errors import Refused
from seasons.engine.season import opponents
from seasons.models import Prediction, Season
from seasons.queries.standing import standings
from seasons.services import predictions, running
from seasons.services.cast import add_member
from seasons.services.drafts import create_season
from seasons.services.predictions import Predictions, predictions_of
from seasons.services.verification import verify
from tests.fixtures.any_game import SLUG
from tests.seasons.admin.conftest import SeasonDesk

pytestmark = [pytest.mark.django_db]

START = datetime(2031, 5, 17, 13, tzinfo=UTC)
WINNER = predictions.WINNER


class Watched:
    """A season of ann, bob, cat and dan, whom zoe and yan watch."""

    def __init__(self, time: clock.FixedTime) -> None:
        self.time = time
        self.host = User.objects.create_superuser("holly")
        self.season = create_season("Autumn", self.host)
        self.people = {name: User.objects.create_user(name) for name in ("ann", "bob", "cat", "dan", "zoe", "yan")}
        for name in ("ann", "bob", "cat", "dan"):
            add_member(self.season, self.host, name, user=self.people[name])
        running.begin(self.season, self.host)

    def says(self, who: str, question: int, handle: str) -> str:
        """The code of the refusal; empty if it is taken."""
        person = self.host if who == "holly" else self.people[who]
        try:
            predictions.predict(self.season, person, question, handle)
        except Refused as refusal:
            return refusal.code
        return ""

    def open(self) -> Match:
        match = running.add_match(self.season, self.host, SLUG)
        hosting.start_now(match, self.host)
        return match

    def seen_by(self, who: str) -> Predictions:
        season = Season.objects.get(pk=self.season.pk)
        state = season.decoded()
        winners = [line.handle for line in standings(season, state) if line.place == 1]
        return predictions_of(season, state, winners, self.people[who], clock.now())

    def out(self, handle: str) -> None:
        running.command(self.season, self.host, {"out": handle, "reason": "A dare."})


@pytest.fixture
def watched() -> Iterator[Watched]:
    with clock.fixed(START) as time:
        yield Watched(time)


def test_only_spectators_and_who_is_out_predict_who_is_in(watched: Watched) -> None:
    assert watched.says("ann", 1, "bob") == "cannot_predict"
    assert watched.says("holly", 1, "bob") == "cannot_predict"
    assert watched.says("zoe", 1, "zoe") == "not_in"
    assert watched.says("zoe", 2, "bob") == "predictions_closed", "there is one question at a time"
    watched.out("ann")
    assert watched.says("ann", 2, "bob") == ""
    assert watched.says("ann", 2, "ann") == "not_in"
    running.command(watched.season, watched.host, {"withdraw": "dan", "reason": "No time."})
    assert watched.says("dan", 2, "bob") == "", "and a withdrawal does not answer it"


def test_a_question_closes_with_the_match_and_opens_again_where_nobody_leaves(watched: Watched) -> None:
    assert [watched.says("zoe", 1, handle) for handle in ("bob", "cat")] == ["", ""]
    assert watched.says("yan", 1, "bob") == ""
    assert watched.seen_by("yan").next.said == (), "others see it afterwards"
    match = watched.open()
    assert watched.says("zoe", 1, "dan") == "predictions_closed"
    assert {line.handle: line.names for line in watched.seen_by("ann").next.said} == {"cat": ("zoe",), "bob": ("yan",)}
    hosting.cancel(match, watched.host, "A mistake.")
    running.sweep()
    assert watched.seen_by("yan").next.is_open
    assert watched.says("yan", 1, "cat") == ""
    watched.out("cat")
    after = watched.seen_by("zoe")
    assert [(each.number, each.right) for each in after.answered] == [(1, ("cat",))]
    assert [(line.username, line.points) for line in after.table] == [("zoe", 1), ("yan", 1)]
    assert after.next.number == 2


def test_a_booking_that_is_taken_back_answers_nothing(watched: Watched) -> None:
    watched.says("zoe", 1, "bob")
    match = watched.open()
    watched.time.forward(timedelta(days=2))
    advance(match.pk)
    running.sweep()
    state = Season.objects.get(pk=watched.season.pk).decoded()
    assert state is not None
    candidate, opponent = state.under_way().candidates[0], opponents(state)[0]
    for command in (
        {"name_opponent": opponent, "reason": "They are away."},
        {"death_match": {"loser": candidate}, "reason": "Lost."},
    ):
        running.command(watched.season, watched.host, command)
    cast = f"{watched.season.get_absolute_url()}cast/"
    assert "Lost the Death Match to" in Client().get(cast).content.decode()
    assert watched.seen_by("zoe").answered[0].right == (candidate,)
    running.command(watched.season, watched.host, {"take_back": True})
    again = watched.seen_by("zoe")
    assert (again.answered, again.next.number, again.next.is_open) == ((), 1, False)
    page = Client().get(cast).content.decode()
    assert "Lost the Death Match to" not in page
    assert page.count("in the Death Match") == 2


def test_a_match_that_should_have_begun_closes_it_too(watched: Watched) -> None:
    match = running.add_match(watched.season, watched.host, SLUG)
    hosting.publish(match, watched.host, START + timedelta(hours=1))
    watched.time.forward(timedelta(minutes=59))
    assert watched.says("zoe", 1, "bob") == ""
    watched.time.forward(timedelta(minutes=1))
    assert watched.says("zoe", 1, "cat") == "predictions_closed", "whoever comes late before the sweep"
    assert Prediction.objects.get().handle == "bob"


def test_who_wins_is_three_points_and_closes_with_the_third_match(watched: Watched) -> None:
    assert watched.says("zoe", WINNER, "bob") == ""
    for _ in range(2):
        match = watched.open()
        assert watched.says("yan", WINNER, "dan") == ""
        hosting.cancel(match, watched.host, "A mistake.")
        running.sweep()
    watched.open()
    assert watched.says("zoe", WINNER, "dan") == "predictions_closed"
    running.end(watched.season, watched.host, "Enough.")
    table = watched.seen_by("zoe").table
    assert {line.username: line.points for line in table} == {"zoe": 3, "yan": 3}, "all share the first place"


def test_a_host_closes_a_question_earlier_and_the_log_says_so(watched: Watched) -> None:
    desk = SeasonDesk(watched.host, watched.season)
    desk.do("predictions", question="1", until="2031-05-18T12:00")
    watched.time.forward(datetime(2031, 5, 18, 12, tzinfo=UTC) - watched.time.instant)
    assert watched.says("zoe", 1, "bob") == "predictions_closed", "at that very instant"
    assert watched.says("zoe", WINNER, "bob") == "", "the other question stays open"
    assert "Predictions of who goes out next close Sun 18 May" in desk.page()
    watched.out("cat")
    assert watched.says("zoe", 2, "bob") == "", "the deadline was that of one question"
    assert verify(Season.objects.get(pk=watched.season.pk)) == []


def test_on_the_page_one_predicts_changes_it_and_is_refused_clearly(watched: Watched) -> None:
    browser, page = Client(), f"{watched.season.get_absolute_url()}predictions/"
    browser.force_login(watched.people["zoe"])
    assert browser.post(page, {"question": "1", "handle": "bob"}).status_code == 302
    assert re.search(r'value="bob" selected', browser.get(page).content.decode())
    for sent in ({"question": "1", "handle": ""}, {"question": "x", "handle": "bob"}, {}):
        assert browser.post(page, sent).status_code == 422
    watched.open()
    late = browser.post(page, {"question": "1", "handle": "cat"})
    assert (late.status_code, "This question is closed" in late.content.decode()) == (422, True)
    assert "Your prediction: " in late.content.decode()
    assert Client().post(page, {"question": "1", "handle": "cat"}).status_code == 302
    assert Prediction.objects.get().handle == "bob"
    assert deletion.export(watched.people["zoe"])["seasons"]["predictions"][0]["handle"] == "bob"
    deletion.delete(watched.people["zoe"])
    assert not Prediction.objects.exists()
