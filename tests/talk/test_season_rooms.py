"""What happens in the rooms of a season: closing, moderating, what is unread, and who is told."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group
from msgspec.structs import replace

from accounts.deletion import export
from accounts.models import User
from matches.live.messages import Hint
from matches.live.publisher import publisher
from matches.models.clock import FixedTime
from matches.services.commands import NotAHost
from matches.services.deadlines import advance
from matches.services.errors import CommandRefused
from matches.services.hosting import cancel, publish
from matches.services.roles import HOSTS
from notices.models import Notice
from seasons.models import Member, SeasonRow
from seasons.services import drafts, running
from seasons.services.drafts import duplicate
from seasons.services.verification import verify
from talk.models import Channel, Message, SeasonTalkChoices
from talk.models import Member as Belonging
from talk.notices import WAITS, tell_of_mentions, tell_of_messages, tell_of_questions
from talk.queries import rights
from talk.queries.channels import LISTED, channels_of, has_more, rooms_page
from talk.queries.unread import unread_for, unread_in
from talk.services import moderating, posting
from talk.services.channels import choose, close, reopen
from tests.fixtures.made_once import made_once
from tests.fixtures.proven import proven
from tests.talk.season_table import CAST, HOST, MEMBERS, STRANGER, SeasonTalkTable, refused

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
        assert "Type a whole number of hours" in page.partition('id="hours-error"')[2].partition("</p>")[0]
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


def test_people_see_what_they_have_not_read_and_take_along_what_they_wrote(table: SeasonTalkTable) -> None:
    table.say("ann", "hello @bob and @zoe")
    table.say(STRANGER, "who wins?", "spectators")
    table.say(HOST, "ann, says @zoe", "spectators")
    assert unread_in(table.home("bob")) == 1
    assert [each.kind for each in unread_for(table.users[STRANGER])] == ["spectators"]
    assert sorted(each.kind for each in unread_for(table.host)) == ["lounge", "spectators"]
    page = table.browser("bob").look(table.season.get_absolute_url())
    assert table.address("unread") in page
    assert '1<span class="visually-hidden"> unread' in page
    table.browser("bob").look(table.address("talk"))
    assert unread_in(table.home("bob")) == 0
    for number in range(60):
        table.say("ann", f"line {number}", "questions")
    page = table.browser("ann").look(table.address("channel", "questions"))
    assert "line 59" in page
    assert "Earlier messages" in page
    for form in ("text", "json"):
        told = table.browser("ann").look(f"{table.address('export')}?format={form}")
        assert "line 3" in told
        assert "who wins" not in told
    assert "hello" in table.browser("bob").look(f"{table.address('search')}?q=hello")
    assert {each["text"] for each in export(table.users[STRANGER])["talk"]} == {"who wins?"}
    assert table.browser(None).look(table.address("talk"))
    assert table.browser("ann").look(table.address("rooms"))
    assert table.browser("ann").look(table.address("begin"))


def test_a_thousand_rooms_are_listed_in_a_few_statements(
    present: FixedTime, django_assert_max_num_queries: Any
) -> None:
    table = SeasonTalkTable(present, hosts_read=True)
    rooms = Channel.objects.bulk_create(
        Channel(season=table.season, kind="private", group=str(number), created_at=present.instant)
        for number in range(1000)
    )
    people = list(Member.objects.filter(season=table.season)[:2])
    Belonging.objects.bulk_create(
        Belonging(channel=room, member=each, user_id=each.user_id) for room in rooms for each in people
    )
    said = {"season": table.season, "role": "member", "name": "ann", "text": "hello", "at": present.instant}
    Message.objects.bulk_create(Message(channel=room, author=table.users["ann"], **said) for room in rooms)
    for name in ("bob", HOST):
        home = table.home(name)
        with django_assert_max_num_queries(12):
            found = channels_of(home, LISTED)
            assert has_more(home, found)
        assert found[-LISTED].pk == rooms[-1].pk
        assert found[-1].unread == 1
        with django_assert_max_num_queries(12):
            assert len(rooms_page(home, 50, "").items) == 50
    listed, path = [], f"/api/v1/seasons/{table.season.public_id}/talk/?limit=200"
    while path:
        page = table.browser("bob").get(path).json()
        listed, path = [*listed, *(each["channel"] for each in page["channels"])], page["next"]
    assert listed == [each.channel for each in channels_of(table.home("bob"))]


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


def test_a_duplicate_has_the_same_choices(present: FixedTime) -> None:
    table = SeasonTalkTable(present, hosts_read=True, confessionals="none")
    again = duplicate(table.season, table.host)
    assert rights.chosen_in(again) == rights.chosen_in(table.season)
    assert rights.chosen_in(again).hosts_read


def test_what_is_unread_becomes_notices_without_its_text(table: SeasonTalkTable) -> None:
    table.say("ann", "the seventh seat @bob")
    table.say(STRANGER, "the seventh seat", "spectators")
    tell_of_mentions()
    table.present.instant += WAITS + timedelta(seconds=1)
    tell_of_messages()
    found = Notice.objects.filter(event__in=("message", "mentioned")).order_by("user__username", "event", "text")
    assert [(each.user.username, each.event, each.text) for each in found if each.user.username in ("bob", HOST)] == [
        ("bob", "mentioned", "ann mentions you in the lounge."),
        ("bob", "message", "ann wrote 1 message in the lounge."),
        (HOST, "message", "ann wrote 1 message in the lounge."),
        (HOST, "message", f"{STRANGER} wrote 1 message in the spectators’ lounge."),
    ]
    assert {each.user.username for each in found} == {*CAST, HOST} - {"ann"}
    assert not any("seventh" in each.text + each.title for each in found)
    mine = table.browser("bob").look("/notices/")
    assert table.address("channel", "lounge") in mine
    table.browser("bob").look(table.address("channel", "lounge"))


def test_a_question_to_the_hosts_and_its_answer_are_told_at_once(table: SeasonTalkTable) -> None:
    question = table.say("ann", "May I trade?", "questions")
    assert (tell_of_questions(), tell_of_questions()) == (1, 0)
    table.say(HOST, "Yes", question.channel.token)
    assert (tell_of_questions(), tell_of_messages()) == (1, 0)
    told = [(each.user.username, each.event, each.text) for each in Notice.objects.order_by("pk")]
    assert told == [
        (HOST, "asked", "ann wrote 1 message in questions to the hosts."),
        ("ann", "answered", f"{HOST} wrote 1 message in questions to the hosts."),
    ]


def test_a_lounges_readers_get_what_is_new_there_and_all_others_ask(
    table: SeasonTalkTable, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    told: dict[str, list[str]] = {}

    def hear(hint: Hint) -> None:
        for user in User.objects.filter(pk__in=hint.users or ()):
            told.setdefault(user.username, []).append(dict(hint.facts).get("text", ""))

    monkeypatch.setattr(publisher, "hint", hear)
    with django_capture_on_commit_callbacks(execute=True):
        table.say("ann", "hello @cat", "lounge")
    assert told.pop("ann") == told.pop("cat") == [""]
    assert told == {name: ["hello @cat"] for name in (MEMBERS | {HOST}) - {"ann", "cat"}}
    told.clear()
    with django_capture_on_commit_callbacks(execute=True):
        table.say("ann", "a secret", "team")
    assert told == {"ann": [""], "bob": [""]}
    told.clear()
    with django_capture_on_commit_callbacks(execute=True):
        close(table.season, table.host, ["lounge"], 2)
    assert told.keys() == MEMBERS | {HOST}, "rooms were closed"
    said = table.say("ann", "a spoon", "team")
    table.browser("bob").post(table.address("report", said.token), {"reason": "Rude"})
    told.clear()
    with django_capture_on_commit_callbacks(execute=True):
        moderating.leave_as_it_is(table.season, table.host, said.token, "It is not")
    with django_capture_on_commit_callbacks(execute=True):
        table.command(out="dan", reason="Lost")
    assert "ann" not in told


def test_a_draft_is_deleted_with_what_was_chosen_for_its_talk(present: FixedTime) -> None:
    table = SeasonTalkTable(present, begun=False, hosts_read=True)
    drafts.delete_draft(table.season, table.host)
    assert not SeasonTalkChoices.objects.exists()


def test_whoever_has_taken_a_place_over_is_mentioned_by_their_account(table: SeasonTalkTable) -> None:
    Member.objects.filter(season=table.season, handle="bob").update(handle="seat2")
    said = [table.say("ann", f"@{name}, hello") for name in ("bob", "seat2", "nobody")]
    named = [list(each.mentions.values_list("user__username", flat=True)) for each in said]
    assert named == [["bob"], ["bob"], []]
