"""People apply to a season that has not begun; hosts choose, and alternates come in when somebody withdraws."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from accounts import deletion
from accounts.models import User
from matches.models import Match, clock
from matches.services.commands import AlreadyDone, NotAHost
from matches.services.errors import CommandRefused, Refused
from matches.services.hosting import publish, start_now
from matches.services.roster import PlayerChange
from notices.models import Notice
from seasons import notices
from seasons.models import Application, Season, SeasonViewer
from seasons.queries.news import all_news
from seasons.services import applications, drafts, invitations, running, viewers
from seasons.services.applications import Decision
from seasons.services.cast import add_member, change_cast
from seasons.services.roles import why_no_member
from seasons.services.verification import verify
from tests.fixtures.any_game import SLUG
from tests.seasons.admin.conftest import SeasonDesk

pytestmark = [pytest.mark.django_db]

START = datetime(2031, 5, 17, 13, tzinfo=UTC)
ASKED = ["Why do you want to play?", "What is your time zone?"]


@pytest.fixture(autouse=True)
def time() -> Iterator[clock.FixedTime]:
    with clock.fixed(START) as fixed:
        yield fixed


def said(*answers: str) -> dict[str, str]:
    """Answers to the questions, by the names of their fields."""
    return dict(zip(map(applications.field_of, ASKED), answers, strict=True))


class Casting:
    """A draft that asks two questions for a week; ann, bob, cat and dan have applied."""

    def __init__(self) -> None:
        self.host = User.objects.create_superuser("holly")
        self.season = drafts.create_season("Autumn", self.host, description="Eight weeks.")
        self.place = add_member(self.season, self.host, "seat1")
        applications.call_for(self.season, self.host, ASKED, START + timedelta(days=7), 2, "Be kind.")
        self.people = {name: User.objects.create_user(name) for name in ("ann", "bob", "cat", "dan")}
        for name in self.people:
            self.apply(name)

    def apply(self, name: str, *answers: str) -> None:
        applications.apply(self.season, self.people[name], said(*(answers or (f"{name} likes it.", "UTC"))))

    def of(self, name: str) -> Application:
        return Application.objects.get(season=self.season, user=self.people[name])

    def decide(self, name: str, what: str, **how: Any) -> None:
        applications.decide(self.season, self.host, [Decision(self.of(name), what, **how)])

    def cast(self) -> dict[str, str]:
        return {
            each.handle: each.user.username if each.user else "" for each in self.season.cast.select_related("user")
        }

    def told(self, name: str) -> list[str]:
        return [each.text for each in Notice.objects.filter(user=self.people[name], event="application").order_by("pk")]


@pytest.fixture
def casting() -> Casting:
    return Casting()


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def refused(code: str, do: Any, *args: Any, **how: Any) -> None:
    with pytest.raises(Refused) as refusal:
        do(*args, **how)
    assert refusal.value.code == code, refusal.value.message


def test_the_page_shows_what_is_asked_and_nothing_else_of_the_draft(casting: Casting) -> None:
    season = casting.season
    page = client_of(None).get(f"{season.get_absolute_url()}apply/").content.decode()
    for shown in ("Autumn", "Eight weeks.", "holly", *ASKED, "Be kind.", "2 places"):
        assert shown in page
    for hidden in ("seat1", "ann", "likes it", season.seed_hash):
        assert hidden not in page
    assert client_of(casting.people["ann"]).get(season.get_absolute_url()).status_code == 404
    other = drafts.create_season("Winter", casting.host)
    assert client_of(casting.host).get(f"{other.get_absolute_url()}apply/").status_code == 404
    again = drafts.duplicate(season, casting.host)
    assert again.call.questions == ASKED
    assert client_of(None).get(f"{again.get_absolute_url()}apply/").status_code == 404


def test_one_applies_once_changes_it_and_takes_it_back_until_it_closes(casting: Casting, time: clock.FixedTime) -> None:
    eve = User.objects.create_user("eve")
    browser, address = client_of(eve), f"{casting.season.get_absolute_url()}apply/"
    missing = browser.post(address, said("Me", " "))
    assert (missing.status_code, "Answer this question." in missing.content.decode()) == (422, True)
    assert "Me</textarea>" in missing.content.decode(), "what was typed is still there"
    for text in ("First", "Second"):
        assert browser.post(address, said(text, "UTC")).status_code == 302
    assert [each.answers[0][1] for each in eve.season_applications.all()] == ["Second"]
    week = START + timedelta(days=7)
    applications.call_for(casting.season, casting.host, [ASKED[1], "Which games?"], week, 2)
    changed = browser.post(address, said("Third", "CET"))
    assert (changed.status_code, "CET</textarea>" in changed.content.decode()) == (422, True), "a question has changed"
    applications.call_for(casting.season, casting.host, ASKED, week, 2)
    browser.post(address, {"withdraw": "1"})
    assert eve.season_applications.get().status == "withdrawn"
    refused("text_too_long", casting.apply, "ann", "x" * 2001, "UTC")
    refused("cannot_apply", applications.apply, casting.season, casting.host, said("a", "b"))
    time.forward(timedelta(days=7))
    refused("applications_closed", casting.apply, "ann", "Late", "UTC")
    assert casting.of("ann").answers[0][1] == "ann likes it."
    assert client_of(None).post(address, said("a", "b")).status_code == 302
    assert Application.objects.count() == 5


def test_hosts_read_and_decide_and_everybody_is_told(casting: Casting) -> None:
    desk = SeasonDesk(casting.host, casting.season)
    page = desk.client.get(f"{desk.address}/applications/").content.decode()
    assert "ann likes it." in page
    assert client_of(casting.people["bob"]).get(f"{desk.address}/applications/").status_code != 200
    ann, bob, cat, dan = (str(casting.of(name).pk) for name in casting.people)
    wanted = {ann: f"chosen:{casting.place.pk}", bob: "chosen:", cat: "alternate:"}
    fields = {f"what-{each}": wanted.get(each, "") for each in (ann, bob, cat, dan)}
    for field in fields:
        assert f'name="{field}"' in page, "all are decided on the page that lists them"
    asked = desk.ask("decide", **fields)
    for told in ("ann joins the cast as seat1.", "bob joins the cast as a new member", "cat is an alternate."):
        assert told in asked
    assert casting.told("ann") == []
    assert f'href="{desk.address}/applications/">Decide on 4 applications.' in desk.page()
    desk.confirm("decide", asked, **fields)
    desk.do("decide", **{f"what-{dan}": "alternate:"})
    assert "Decide on at least one application" in desk.ask("decide", **{f"what-{dan}": ""})
    assert casting.cast() == {"seat1": "ann", "bob": "bob"}
    assert {casting.of(name).status for name in ("cat", "dan")} == {"alternate"}
    casting.decide("cat", "declined")
    assert "as seat1" in casting.told("ann")[0]
    assert "have not chosen you" in casting.told("cat")[-1]
    with pytest.raises(AlreadyDone):
        casting.decide("cat", "declined")
    refused("already_chosen", casting.decide, "ann", "declined")
    with pytest.raises(NotAHost):
        applications.decide(casting.season, casting.people["dan"], [Decision(casting.of("cat"), "chosen")])
    mine = client_of(casting.people["ann"]).get(f"{casting.season.get_absolute_url()}apply/").content.decode()
    assert "You are in the cast as <strong>seat1" in mine
    assert "Give up my place" in mine
    running.begin(casting.season, casting.host)
    notices.tell()
    begun = Notice.objects.filter(event="season_news", text__contains="has begun with")
    assert {each.user.username for each in begun} == {"ann", "bob", "dan"}, "and alternates wait to hear of it"


def test_of_several_decisions_all_are_carried_out_or_none(casting: Casting) -> None:
    desk = SeasonDesk(casting.host, casting.season)
    fields = {f"what-{casting.of(name).pk}": f"chosen:{casting.place.pk}" for name in ("ann", "bob")}
    assert "seat1 is taken" in desk.do("decide", **fields)
    assert casting.cast() == {"seat1": ""}
    assert casting.told("ann") == []
    both = [Decision(casting.of("ann"), "declined"), Decision(casting.of("bob"), "chosen")]
    applications.withdraw(casting.season, casting.people["bob"])
    refused("withdrawn", applications.decide, casting.season, casting.host, both)
    assert casting.of("ann").status == "waiting"


def test_an_alternate_comes_in_before_the_first_match_and_not_after_it(casting: Casting) -> None:
    casting.decide("ann", "chosen", place=casting.place)
    casting.decide("bob", "chosen")
    for name in ("cat", "dan"):
        casting.decide(name, "alternate")
    applications.withdraw(casting.season, casting.people["bob"])
    assert casting.cast() == {"seat1": "ann", "cat": "cat"}, "nobody else is known by the handle of bob"
    assert "you get the place: you are in the cast as cat" in casting.told("cat")[-1]
    assert "cat, the first alternate, gets the place" in Notice.objects.get(user=casting.host).text
    for name in ("bot1", "bot2"):
        add_member(casting.season, casting.host, name, is_bot=True)
    running.begin(casting.season, casting.host)
    match = running.add_match(casting.season, casting.host, SLUG, players=None)
    publish(match, casting.host, START + timedelta(days=1))
    applications.withdraw(casting.season, casting.people["ann"])
    season = Season.objects.get(pk=casting.season.pk)
    assert casting.cast() == {"seat1": "dan", "cat": "cat", "bot1": "", "bot2": ""}
    assert match.players.get(handle="seat1").user == casting.people["dan"]
    (changed,) = [each.text for each in all_news(season, {"seat1": "dan"}) if each.kind == "person_changed"]
    assert changed.startswith("Somebody else plays as seat1 from now on. Reason: They have withdrawn"), "not as dan"
    assert verify(season) == []
    refused("not_applied", applications.withdraw, season, casting.people["ann"])
    start_now(Match.objects.get(pk=match.pk), casting.host)
    refused("too_late", applications.withdraw, season, casting.people["dan"])
    mine = client_of(casting.people["dan"]).get(f"{season.get_absolute_url()}apply/").content.decode()
    assert "Give up my place" not in mine
    assert casting.cast()["seat1"] == "dan"
    assert why_no_member(season, casting.host)


def test_whom_a_host_has_put_into_the_cast_otherwise_is_chosen_by_that(casting: Casting) -> None:
    add_member(casting.season, casting.host, "annie", user=casting.people["ann"])
    casting.decide("ann", "chosen")
    assert casting.told("ann") == ["The hosts have chosen you: you are in the cast as annie."]
    applications.withdraw(casting.season, casting.people["ann"])
    assert casting.cast() == {"seat1": "", "annie": ""}


def test_who_has_a_place_loses_nothing_of_it_and_leaves_nothing_to_viewers(casting: Casting) -> None:
    """In a draft a place keeps its balances. Of a place that goes to somebody else nobody sees more than before, and
    nobody gets one whose member is out."""
    for name, what in (("ann", "chosen"), ("bob", "alternate"), ("cat", "alternate")):
        casting.decide(name, what)
    casting.season.cast.filter(user=casting.people["ann"]).update(garnets=5, team="red")
    applications.withdraw(casting.season, casting.people["ann"])
    assert casting.season.cast.filter(user=casting.people["bob"], garnets=5, team="red").exists()
    change_cast(casting.season, casting.host, [PlayerChange(casting.season.cast.get(handle="bob").pk, remove=True)])
    casting.decide("bob", "chosen", place=casting.place)
    for name in ("bot1", "bot2", "bot3"):
        add_member(casting.season, casting.host, name, is_bot=True)
    running.begin(casting.season, casting.host)
    season, vic = Season.objects.get(pk=casting.season.pk), User.objects.create_user("vic")
    viewers.name_viewer(season, casting.host, season.cast.get(handle="seat1"), vic)
    viewers.answer(season, casting.people["bob"], SeasonViewer.objects.get().token, accepts=True)
    applications.withdraw(season, casting.people["bob"])
    assert casting.cast()["seat1"] == "cat"
    assert not viewers.active(season).exists()
    casting.decide("dan", "alternate")
    running.command(season, casting.host, {"withdraw": "seat1", "reason": "She asked me to."})
    applications.withdraw(season, casting.people["cat"])
    assert casting.cast()["seat1"] == "cat"


def test_a_place_without_an_alternate_is_open_again(casting: Casting) -> None:
    casting.decide("ann", "chosen", place=casting.place)
    casting.decide("bob", "alternate")
    casting.season.roles.create(user=casting.people["bob"], role="cohost", since=START)  # cannot play any more
    applications.withdraw(casting.season, casting.people["ann"])
    assert casting.cast() == {"seat1": ""}
    member = invitations.invited_member(invitations.invitation_of(casting.season.cast.get()))
    assert member == casting.place


def test_an_account_takes_its_answers_along_and_leaves_none(casting: Casting) -> None:
    casting.decide("ann", "chosen")
    casting.decide("bob", "alternate")
    exported = deletion.export(casting.people["ann"])["seasons"]["applications"]
    assert exported[0]["answers"] == [[ASKED[0], "ann likes it."], [ASKED[1], "UTC"]]
    deletion.delete(casting.people["ann"])
    assert casting.cast() == {"seat1": "", "bob": "bob"}
    assert not Application.objects.filter(user=casting.people["ann"]).exists()
    assert not re.search(r"\bann\b", Notice.objects.get(user=casting.host).text)


def test_what_cannot_be_asked_is_refused(casting: Casting) -> None:
    week = START + timedelta(days=7)
    for questions in (["x" * 301], ["One?"] * 11):
        with pytest.raises(Refused) as refusal:
            applications.call_for(casting.season, casting.host, questions, week, 2)
        assert refusal.value.field == "questions"
    desk = SeasonDesk(casting.host, casting.season)
    assert "at most 10 questions" in desk.ask(
        "apply", questions="Why?\n" * 11, places="2", closes_at="2031-06-01T12:00"
    )
    assert casting.season.call.questions == ASKED
    desk.do("apply", questions="Only this?", places="3", closes_at="2031-06-01T12:00", note="")
    casting.season.call.refresh_from_db()
    assert casting.season.call.questions == ["Only this?"]
    running_season = casting.season
    add_member(running_season, casting.host, "second")
    running.begin(running_season, casting.host)
    with pytest.raises(CommandRefused):
        applications.call_for(running_season, casting.host, ASKED, week, 2)


def test_before_the_first_match_a_host_still_chooses_for_a_place_that_is_open(casting: Casting) -> None:
    casting.decide("ann", "chosen")
    running.begin(casting.season, casting.host)
    with pytest.raises(Refused) as refusal:
        casting.decide("bob", "chosen")
    assert refusal.value.field == "place", "there is no new place any more"
    casting.decide("bob", "chosen", place=casting.place)
    assert casting.cast() == {"ann": "ann", "seat1": "bob"}
    assert verify(Season.objects.get(pk=casting.season.pk)) == []


def test_who_has_applied_hears_that_a_season_does_not_take_place(casting: Casting) -> None:
    casting.decide("ann", "chosen")
    casting.decide("dan", "declined")
    drafts.delete_draft(casting.season, casting.host)
    last = {name: casting.told(name)[-1:] for name in casting.people}
    gone = ["This season will not take place."]
    assert last == {"ann": gone, "bob": gone, "cat": gone, "dan": ["The hosts have not chosen you this time."]}
