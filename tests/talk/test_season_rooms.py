"""What happens in the rooms of a season: closing, moderating, what is unread, and who is told."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from msgspec.structs import replace

from accounts.models import User
from matches.models.clock import FixedTime
from matches.services.commands import NotAHost
from matches.services.deadlines import advance
from matches.services.errors import CommandRefused
from matches.services.hosting import cancel, publish
from matches.services.roles import HOSTS
from notices.models import Notice
from seasons.models import SeasonRow
from seasons.services import running
from seasons.services.verification import verify
from talk.notices import SOON, tell_of_messages
from talk.queries import rights
from talk.queries.unread import unread_in
from talk.services import moderating, posting
from talk.services.channels import choose, close, reopen
from tests.fixtures.made_once import made_once
from tests.fixtures.proven import proven
from tests.talk.season_table import HOST, STRANGER, SeasonTalkTable, refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(present: FixedTime) -> SeasonTalkTable:
    return made_once("season talk", lambda: SeasonTalkTable(present), present)


def test_hosts_close_rooms_until_a_time_that_everybody_sees(table: SeasonTalkTable) -> None:
    private = table.whisper("ann", "bob")
    with pytest.raises(NotAHost):
        close(table.season, table.users["ann"], ["lounge"], 2)
    for kinds, hours in (([], 2), (["questions"], 2), (["lounge"], 0), (["lounge"], 10_000)):
        with pytest.raises(CommandRefused):
            close(table.season, table.host, kinds, hours)
    browser = table.browser(HOST)
    for hours in ("100000", "0.5", "9" * 5000):
        page = browser.post(table.address("quiet"), {"kinds": ["lounge"], "hours": hours}).content.decode()
        assert f'value="{hours}"' in page
        assert "Enter a whole number of hours" in page.partition('id="hours-error"')[2].partition("</p>")[0]
    answer = browser.post(table.address("quiet"), {"kinds": ["lounge", "private"], "hours": "2", "why": "Night"})
    assert answer.status_code == 302
    said = browser.look(table.address("quiet")).partition("You closed rooms")[2].partition("UTC")[0]
    assert [part for part in ("Lounge", "Private", "until Sun 1 Mar, 16:00") if part not in said] == [], said
    assert {room: refused(table, "ann", room) for room in ("lounge", private, "team", "questions")} == {
        "lounge": "quiet",
        private: "quiet",
        "team": "",
        "questions": "",
    }
    page = table.browser("ann").look(table.address("channel", "lounge"))
    assert "until Sun 1 Mar, 16:00 UTC: Night" in page
    assert 'name="text"' in page, "a draft can stay"
    assert '<button type="submit" disabled>Send' in page
    assert page.count('soft small">closed</span>') == 2, "the lounge and the private room"
    table.present.instant += timedelta(hours=2)
    assert refused(table, "ann") == ""
    close(table.season, table.host, ["lounge"], 2)
    assert refused(table, HOST) == "quiet"
    reopen(table.season, table.host)
    assert refused(table, "ann") == ""
    assert verify(table.season) == []


def test_hosts_moderate_and_the_log_has_it(table: SeasonTalkTable) -> None:
    token = table.whisper("ann", "bob")
    said = table.say("ann", "a bad word", token)
    assert table.browser(HOST).get(table.address("hide", said.token)).status_code == 404
    table.browser("bob").post(table.address("report", said.token), {"reason": "Rude"})
    assert unread_in(table.home(HOST)) == 1
    table.season.cast.filter(handle="bob").update(name="Bob B")
    page = table.browser(HOST).look(table.address("reports"))
    assert "a bad word" in page
    reported = page.partition("talk__reports")[2]
    assert "Bob B" in reported
    assert "/people/bob/" in reported, "with the mark of the member"
    with pytest.raises(NotAHost):
        moderating.hide(table.season, table.users["ann"], said.token, "because")
    table.browser(HOST).post(table.address("hide", said.token), {"reason": "An insult"})
    assert "a bad word" not in table.browser("bob").look(table.address("channel", token))
    other = table.say("bob", "worse", token)
    table.browser("ann").post(table.address("report", other.token), {"reason": "Rude"})
    table.browser(HOST).post(table.address("hide", other.token), {"reason": "It is not", "leave": "1"})
    assert "It is not" in table.browser("ann").look(table.address("report", other.token))
    rows = SeasonRow.objects.filter(season=table.season, kind="talk").order_by("number")
    assert ["hide_message" in rows[0].payload, "leave_message" in rows[1].payload] == [True, True]
    assert verify(table.season) == []


def test_questions_wait_for_hosts_and_unread_talk_for_members_where_they_look(table: SeasonTalkTable) -> None:
    User.objects.filter(pk=table.host.pk).update(is_staff=True)
    table.host.groups.add(Group.objects.get(name=HOSTS))
    asked = table.say("ann", "May I?", "questions").channel
    console = f"/admin/seasons/season/{table.season_id}/change/"
    desk = "/admin/matches/match/overview/"
    for address in (console, desk):
        assert "1 unanswered question" in proven(table.browser(HOST)).get(address).content.decode()
    assert "You may" not in table.browser("ann").look("/me/")
    assert table.whisper(HOST, "ann") == asked.token
    for others in ((), ("ann", "bob"), (STRANGER,)):
        with pytest.raises(posting.MayNotWrite) as error:
            table.whisper(HOST, *others)
        assert error.value.code == "no_such_player"
    assert table.readers(table.room(table.whisper(HOST, "bob"))) == {"bob", HOST}
    table.say(HOST, "You may", asked.token)
    for address in (console, desk):
        assert "unanswered" not in proven(table.browser(HOST)).get(address).content.decode()
    mine = table.browser("ann").look("/me/")
    assert "1 unread message in talk" in mine
    assert "You may" not in mine
    assert "unread message" not in table.browser("bob").look("/me/")


def test_a_season_has_its_rooms_beside_its_matches_and_a_match_can_ask_for_rest(table: SeasonTalkTable) -> None:
    private = table.whisper("ann", "bob", title="The Owls")
    table.say("ann", "hello", private)
    match = running.add_match(table.season, table.host, "lowest_unique_integer", config={"variant": "F8"})
    choose(match, table.host, replace(rights.USUAL, rests=True))
    assert "season&#x27;s rooms are closed" in table.browser(HOST).look(f"/matches/{match.public_id}/talk/choices/")
    publish(match, table.host)
    advance(match.pk)
    talk = f"/matches/{match.public_id}/talk/"
    beside = table.browser("bob").look(talk)
    assert "The Owls" in beside
    assert table.address("channel", private) in beside
    assert "The Owls" not in table.browser("cat").look(talk) + table.browser(None).look(talk)
    assert {room: refused(table, "ann", room) for room in ("lounge", "team", private)} == dict.fromkeys(
        ("lounge", "team", private), "quiet"
    )
    assert "until “" in table.browser("bob").look(table.address("channel", private))
    assert refused(table, "ann", "questions") == refused(table, STRANGER, "spectators") == ""
    cancel(match, table.host, "Enough")
    assert refused(table, "ann") == ""


def test_a_question_to_the_hosts_and_its_answer_are_told_soon(table: SeasonTalkTable) -> None:
    question = table.say("ann", "May I trade?", "questions")
    table.present.instant += SOON
    assert (tell_of_messages(), tell_of_messages()) == (1, 0)
    table.say(HOST, "Yes", question.channel.token)
    table.present.instant += SOON
    assert tell_of_messages() == 1
    told = [(each.user.username, each.event, each.text) for each in Notice.objects.order_by("pk")]
    assert told == [
        (HOST, "asked", "ann wrote 1 message in questions to the hosts."),
        ("ann", "answered", f"{HOST} wrote 1 message in questions to the hosts."),
    ]
