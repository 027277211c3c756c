"""Who reads which room of a season: its cast, those who are out, trusted viewers, hosts, and everybody at its end."""

import re
from datetime import timedelta

import pytest
from msgspec.structs import replace

from matches.models.clock import FixedTime
from matches.services.deadlines import advance
from matches.services.hosting import publish
from matches.services.texts import BadText
from seasons.models import Member
from seasons.services import running, viewers
from seasons.services.drafts import noted_of
from talk.models import Channel, Message
from talk.queries import rights
from talk.queries.channels import channel_at
from talk.queries.unread import unread_for, unread_in
from talk.services import limits, posting
from talk.services.channels import choose
from tests.fixtures.made_once import made_once
from tests.talk.season_table import EVERYBODY, HOST, MEMBERS, STRANGER, SeasonTalkTable, refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(present: FixedTime) -> SeasonTalkTable:
    return made_once("season talk", lambda: SeasonTalkTable(present), present)


def test_each_room_has_its_readers(table: SeasonTalkTable) -> None:
    alliance = table.whisper("ann", "bob", "cat", title="The Owls")
    rooms = {
        "lounge": (table.say("ann", "hello").channel, MEMBERS | {HOST}),
        "team": (table.say("ann", "hello", "team").channel, {"ann", "bob"}),
        "alliance": (table.room(alliance), {"ann", "bob", "cat"}),
        "questions": (table.say("ann", "hello", "questions").channel, {"ann", HOST}),
        "confessional": (table.say("ann", "hello", "confessional").channel, {"ann", HOST}),
        "spectators": (table.say(STRANGER, "hello", "spectators").channel, {STRANGER, HOST}),
    }
    for name, (room, readers) in rooms.items():
        assert table.readers(room) == readers, name
        told = {user for who, user in table.users.items() if who in readers}
        assert {user.pk for user in told} == rights.reader_ids(room), name
    assert table.kinds("ann")[:4] == ["lounge", "team", "questions", "confessional"]
    assert table.kinds("dan") == ["lounge", "team", "questions", "confessional"]
    assert table.kinds(STRANGER) == ["spectators"]
    assert table.kinds(None) == []
    assert channel_at(table.home("bob"), alliance).title == "The Owls"
    assert refused(table, STRANGER) == "no such room"
    assert refused(table, "ann", "spectators") == "no such room"
    assert refused(table, HOST, table.whisper("dan", "cat")) == "no such room"


def test_who_is_out_keeps_what_they_had_and_joins_those_who_watch(present: FixedTime) -> None:
    for stays in (True, False):
        table = SeasonTalkTable(present, out=stays)
        lounge = table.say("ann", "hello").channel
        private, watching = table.whisper("ann", "bob"), table.say(STRANGER, "hello", "spectators").channel
        table.command(out="ann", reason="Lost")
        assert ("ann" in table.readers(lounge)) is stays
        assert "ann" in table.readers(table.room(private))
        assert table.readers(watching) == {"ann", STRANGER, HOST}
        assert refused(table, "ann", private) == ""
        assert refused(table, "ann", "team") == "no such room"
        with pytest.raises(posting.MayNotWrite) as error:
            table.whisper("ann", "cat")
        assert error.value.code == "only_participants"
        with pytest.raises(posting.MayNotWrite) as error:
            table.whisper("cat", "ann")
        assert error.value.code == "no_such_player"


def test_a_trusted_viewer_reads_with_the_member_and_everybody_there_is_told(present: FixedTime) -> None:
    for at_once in (True, False):
        table = SeasonTalkTable(present, confessionals="at_once" if at_once else "end")
        ann, zoe = Member.objects.get(season=table.season, handle="ann"), table.users[STRANGER]
        private, hers = table.whisper("ann", "bob"), table.whisper("bob", "cat")
        confession = table.say("ann", "I lied", "confessional", publish=True)
        table.say("ann", "secretly", "confessional")
        asked = table.say("ann", "why?", "questions").channel
        table.say("bob", "for ann alone", table.room(private).token)
        viewers.name_viewer(table.season, table.host, ann, zoe)
        offer = viewers.offered([ann]).get()
        assert table.readers(table.room(private)) == {"ann", "bob"}
        assert channel_at(table.home("ann"), private).known_to == "only these members"
        present.instant += timedelta(minutes=1)
        viewers.answer(table.season, table.users["ann"], offer.token, accepts=True)
        assert channel_at(table.home("ann"), private).known_to == "these members and trusted viewers"
        assert channel_at(table.home("cat"), hers).known_to == "only these members"
        empty = table.browser(STRANGER).look(table.address("channel", private))
        assert "You can read what is written from now on" in empty
        assert "Nobody has written" not in empty
        table.say("bob", "for all three", table.room(private).token)
        browser = table.browser(STRANGER)
        for page in (table.address("channel", table.room(private).token), f"{table.address('search')}?q=for"):
            assert "for all three" in browser.look(page)
            assert "for ann alone" not in browser.look(page), "it was written before she was accepted"
        assert "for ann alone" not in browser.look(table.address("export"))
        for room in (
            table.room(private),
            asked,
            table.say("ann", "hello").channel,
            table.say("ann", "x", "team").channel,
        ):
            assert STRANGER in table.readers(room)
            assert zoe.pk in rights.reader_ids(room)
            assert "ann’s trusted viewer zoe" in channel_at(table.home("ann"), room.token).readers
            assert refused(table, STRANGER, room.token) == "only_readers"
        assert STRANGER not in table.readers(table.room(hers))
        assert STRANGER not in table.readers(confession.channel)
        table.say("ann", "I won", "confessional", publish=True)
        shown = table.browser(STRANGER).look(table.address("confessionals"))
        assert ("I won" in shown) is at_once
        assert "I lied" not in shown, "it was written before"
        assert ("zoe can read a text" in channel_at(table.home("ann"), "confessional").readers) is at_once
        assert "secretly" not in shown
        viewers.stop(table.season, table.users["ann"], offer.token)
        assert table.readers(table.room(private)) == {"ann", "bob"}
        assert "I won" not in table.browser(STRANGER).look(table.address("confessionals"))


def test_a_trusted_viewer_reads_in_a_match_with_the_player_what_came_since(table: SeasonTalkTable) -> None:
    ann, zoe = Member.objects.get(season=table.season, handle="ann"), table.users[STRANGER]
    config = {"variant": "F8"}
    match = running.add_match(table.season, table.host, "lowest_unique_integer", config=config)
    choose(match, table.host, replace(rights.USUAL, public=False, private=True))
    publish(match, table.host)
    advance(match.pk)
    private, hers = (
        posting.open_private(match, table.users[one], [other]) for one, other in (("ann", "bob"), ("bob", "cat"))
    )

    def say(text: str, room: str = private) -> None:
        posting.post(match, table.users["bob"], room, text)

    say("for ann alone")
    say("for cat alone", hers)
    talk = f"{match.get_absolute_url()}talk/"
    assert table.browser(STRANGER).get(talk).status_code == 404
    viewers.name_viewer(table.season, table.host, ann, zoe)
    table.present.forward(timedelta(minutes=1))
    offer = viewers.offered([ann]).get()
    viewers.answer(table.season, table.users["ann"], offer.token, accepts=True)
    say("for all three")
    say("for cat as before", hers)
    browser = table.browser(STRANGER)
    pages = [talk, f"{talk}in/{private}/", f"{talk}search/?q=for", f"{talk}export/"]
    seen = "".join(browser.look(page) for page in pages)
    assert "for all three" in seen
    assert "alone" not in seen
    assert "as before" not in seen
    assert browser.get(f"{talk}in/{hers}/").status_code == 404
    for name in ("ann", "bob", STRANGER):
        assert "ann’s trusted viewer zoe" in table.browser(name).look(f"{talk}in/{private}/")
    assert "trusted viewer" not in table.browser("cat").look(f"{talk}in/{hers}/").partition('id="readers"')[2]
    rooms = [Channel.objects.get(token=token) for token in (private, hers)]
    assert [zoe.pk in rights.reader_ids(room) for room in rooms] == [True, False]
    with pytest.raises(posting.MayNotWrite):
        posting.post(match, zoe, private, "me too")
    viewers.stop(table.season, table.users["ann"], offer.token)
    assert table.browser(STRANGER).get(talk).status_code == 404


def test_whoever_takes_over_a_place_does_not_read_what_was_private(table: SeasonTalkTable) -> None:
    private, asked = table.room(table.whisper("ann", "bob")), table.say("ann", "why?", "questions").channel
    Member.objects.filter(season=table.season, handle="ann").update(user=table.users[STRANGER])
    assert table.readers(private) == {"bob"}
    assert table.readers(asked) == {HOST}
    assert table.say(STRANGER, "I am new", "questions").channel != asked
    assert refused(table, "ann", "questions") == "no such room"


def test_hosts_read_what_is_private_only_where_they_said_so_before(present: FixedTime) -> None:
    table = SeasonTalkTable(present, begun=False, hosts_read=True, confessionals="none", spectators=False)
    page = table.browser(HOST).post(table.address("choices"), {"private": "on", "confessionals": "end"})
    assert page.status_code == 302
    assert any("talk" in each.change_message for each in noted_of(table.season, 0, 20))
    running.begin(table.season, table.host)
    assert not rights.chosen_in(table.season).hosts_read
    late = table.browser(HOST).post(table.address("choices"), {"hosts_read": "on", "confessionals": "end"})
    assert late.status_code == 409
    open_table = SeasonTalkTable(present, hosts_read=True, confessionals="none", spectators=False)
    private = open_table.whisper("ann", "bob")
    assert open_table.readers(open_table.room(private)) == {"ann", "bob", HOST}
    assert refused(open_table, HOST, private) == "only_readers"
    assert "dora" in channel_at(open_table.home("ann"), private).readers
    assert open_table.kinds("cat") == ["lounge", "team", "questions"]
    assert open_table.kinds(STRANGER) == []


def test_private_rooms_are_of_members_who_play_and_open_once(table: SeasonTalkTable) -> None:
    room = table.whisper("ann", "bob", title="The  two")
    assert room == table.whisper("bob", "ann")
    for title, is_told in (("The two", False), ("Another", True), ("", False)):
        answer = table.browser("bob").post(table.address("begin"), {"to": "ann", "title": title}, follow=True)
        assert answer.redirect_chain[0][0] == table.address("channel", room)
        assert (b"already have this room with these people" in answer.content) is is_told
    for others in ((), ("zoe",), ("dora",), ("ann",)):
        with pytest.raises(posting.MayNotWrite) as error:
            table.whisper("ann", *others)
        assert error.value.code == "no_such_player"
    with pytest.raises(posting.MayNotWrite) as error:
        table.whisper(STRANGER, "ann")
    assert error.value.code == "only_participants"
    with pytest.raises(BadText) as text:
        table.say("ann", " " * 250_000)
    assert text.value.code == "text_too_long"
    for _ in range(limits.MOST_A_DAY):
        Message.objects.create(
            season=table.season,
            channel=table.say("ann", "first").channel if _ == 0 else Channel.objects.get(kind="lounge"),
            author=table.users["ann"],
            role="member",
            name="ann",
            text="again",
            at=table.present.instant,
        )
    with pytest.raises(limits.TooMuch) as much:
        table.say("ann", "one more")
    assert much.value.code == "too_many_messages"
    assert refused(table, "bob") == ""


def test_a_confession_is_published_with_its_authors_consent_and_not_before_the_end(table: SeasonTalkTable) -> None:
    kept = table.say("ann", "I lied to all of them", "confessional")
    released = table.say("ann", "I trust bob", "confessional", publish=True)
    later = table.say("bob", "I will win", "confessional")
    assert not table.say("ann", "publish me", publish=True).published
    with pytest.raises(posting.NoSuchMessage):
        posting.release(table.season, table.users["ann"], later.token, publish=True)
    with pytest.raises(posting.NoSuchMessage):
        posting.release(table.season, table.host, kept.token, publish=True)
    page = table.browser("ann").look(table.address("channel", "confessional"))
    assert "Everybody may read this text once the season has ended" in page
    assert "everybody can read the texts that their author releases" in page
    everywhere = (table.address("confessionals"), f"/api/v1/seasons/{table.season.public_id}/talk/confessionals/")
    for name in EVERYBODY:
        for address in everywhere:
            assert "I trust bob" not in table.browser(name).look(address)
    table.browser("bob").post(table.address("release", later.token), {"publish": "1"})
    table.browser("ann").post(table.address("release", released.token), {})
    table.browser("ann").post(table.address("release", released.token), {"publish": "1"})
    table.command(end=True)
    for name in EVERYBODY:
        for address in everywhere:
            found = table.browser(name).look(address)
            assert "I trust bob" in found
            assert "I will win" in found
            assert "I lied" not in found
        for address in (table.address("search") + "?q=I", table.address("export")):
            found = re.sub("</?mark>", "", table.browser(name).look(address))
            assert "I trust bob" in found
            assert ("I lied" in found) is (name in ("ann", HOST))
    assert table.readers(table.room(kept.channel.token)) == {"ann", HOST}
    with pytest.raises(posting.MayNotWrite) as error:
        posting.release(table.season, table.users["ann"], released.token, publish=False)
    assert error.value.code == "talk_closed"
    assert refused(table, "ann", "confessional") == "talk_closed"


def test_private_rooms_are_published_where_that_was_said_before(present: FixedTime) -> None:
    for published in (True, False):
        table = SeasonTalkTable(present, published=published)
        token = table.whisper("ann", "bob")
        said = table.say("ann", "take the seventh seat", token)
        assert ("everybody can read it" in channel_at(table.home("ann"), token).readers) is published
        assert table.readers(said.channel) == {"ann", "bob"}
        table.command(end=True)
        assert table.readers(table.room(token)) == (set(EVERYBODY) if published else {"ann", "bob"})
        assert refused(table, "ann", token) == ("talk_closed" if published else "")
        assert unread_in(table.home("cat")) == 0
        assert [each.kind for each in unread_for(table.users["cat"])] == []
        page = table.browser(None).get(table.address("channel", token))
        assert page.status_code == (200 if published else 404)
        if published:
            assert "ann and bob wrote this in private. Now that it is over" in page.content.decode()
            assert "Sign in to write" not in page.content.decode()
    present.instant += timedelta(days=8)
    assert refused(table, "ann") == "talk_closed"
