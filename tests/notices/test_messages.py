"""Who hears elsewhere of what was written in talk."""

from datetime import timedelta

import pytest

from matches.models import clock
from notices.models import Notice
from talk.models import Message
from talk.notices import WAITS, tell_of_mentions, tell_of_messages
from talk.services.channels import leave, mark_seen
from talk.services.moderating import hide
from tests.fixtures.made_once import made_once
from tests.talk.conftest import TalkTable, fresh_limits
from tests.web.conftest import browser

__all__ = ["fresh_limits"]

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def table(present: clock.FixedTime) -> TalkTable:
    return made_once("table to talk at", lambda: TalkTable(present).open(), present)


def told(name: str, event: str) -> list[Notice]:
    return list(Notice.objects.filter(user__username=name, event=event))


def test_whoever_is_named_hears_of_it_once_and_without_the_text(table: TalkTable) -> None:
    table.say("ann", "@cat the cellar is open")
    assert tell_of_mentions() == 1
    assert tell_of_mentions() == 0
    (notice,) = told("cat", "mentioned")
    assert notice.title == "Somebody mentions you · Night table"
    assert notice.text == "ann mentions you in public talk."
    assert "cellar" not in f"{notice.title}{notice.text}{notice.url}"
    assert not told("bob", "mentioned")


def test_somebody_named_where_they_cannot_read_hears_nothing(table: TalkTable) -> None:
    table.say("ann", "@cat cannot read this", table.whisper("ann", "bob"))
    assert tell_of_mentions() == 0


def test_what_lies_unread_for_a_while_makes_one_notice_until_it_is_read(table: TalkTable, present) -> None:
    table.say("ann", "one")
    assert tell_of_messages() == 0
    present.forward(WAITS)
    message = table.say("ann", "two")
    assert tell_of_messages() == 3  # bob, cat and the host
    assert [notice.text for notice in told("bob", "message")] == ["ann wrote 2 messages in public talk."]
    assert tell_of_messages() == 0
    mark_seen(message.channel_id, table.users["bob"], message.pk)
    present.forward(timedelta(minutes=1))
    table.say("ann", "three")
    present.forward(WAITS)
    assert tell_of_messages() == 1
    assert not told("ann", "message")


def test_of_a_room_that_somebody_has_muted_they_hear_only_what_names_them(table: TalkTable, present) -> None:
    table.say("ann", "one")
    bob, mute = browser(table.users["bob"]), f"{table.url}talk/in/public/mute/"
    assert "You get no more notices" in bob.post(mute, {"muted": "1"}, follow=True).content.decode()
    present.forward(WAITS)
    table.say("ann", "@bob two")
    assert (tell_of_messages(), tell_of_mentions()) == (2, 1)  # cat and the host; bob
    assert not told("bob", "message")
    bob.post(mute)
    present.forward(WAITS)
    table.say("ann", "three")
    present.forward(WAITS)
    assert tell_of_messages() == 1
    assert told("bob", "message")


# -- on the site -------------------------------------------------------------------------------------


@pytest.fixture
def committing(django_capture_on_commit_callbacks):
    return lambda: django_capture_on_commit_callbacks(execute=True)


def unread_notices(name: str) -> list[str]:
    return [notice.event for notice in Notice.objects.filter(user__username=name, read_at=None)]


def test_who_reads_the_talk_has_read_its_notices(table: TalkTable, present, committing) -> None:
    table.say("ann", "@bob hello")
    aside = table.whisper("ann", "bob")
    table.say("ann", "@bob and this", aside)
    assert tell_of_mentions() == 2
    present.forward(WAITS)
    assert tell_of_messages() == 4
    assert sorted(unread_notices("bob")) == ["mentioned"] * 2 + ["message"] * 2
    with committing():
        browser(table.users["bob"]).look(f"{table.url}talk/in/public/")
    assert sorted(unread_notices("bob")) == ["mentioned", "message"]
    assert {notice.url for notice in Notice.objects.filter(user__username="bob", read_at=None)} == {
        f"{table.url}talk/in/{aside}/"
    }
    assert unread_notices("cat") == ["message"]


def test_a_hidden_message_is_told_to_nobody(table: TalkTable, present) -> None:
    message: Message = table.say("ann", "@cat rude")
    hide(table.match, table.users["dora"], message.token, "Rude")
    assert tell_of_mentions() == 0
    present.forward(WAITS)
    assert tell_of_messages() == 0
    later: Message = table.say("ann", "Rude again")
    present.forward(WAITS)
    assert tell_of_messages() == 3
    hide(table.match, table.users["dora"], later.token, "Rude")
    table.say("bob", "To all")
    present.forward(WAITS)
    assert tell_of_messages() == 3  # neither a hidden message nor one's own says since when this is unread


def test_all_are_told_once_after_an_outage(
    table: TalkTable, present, monkeypatch, django_assert_max_num_queries
) -> None:
    monkeypatch.setattr("talk.notices._AT_ONCE", 1)
    assert (tell_of_mentions(), tell_of_messages()) == (0, 0)
    table.say("ann", "@bob hello")
    present.forward(timedelta(hours=3))
    table.say("ann", "Nobody there?")
    present.forward(3 * WAITS)
    assert (tell_of_mentions(), tell_of_messages()) == (1, 3)  # bob; bob, cat and the host
    with django_assert_max_num_queries(3):
        assert tell_of_messages() == 0


def test_a_deleted_account_leaves_no_name_in_notices_of_what_it_wrote(table: TalkTable) -> None:
    table.say("dora", "@bob come here")
    assert tell_of_mentions() == 1
    leave(table.users["dora"], "Former player 4")
    assert told("bob", "mentioned")[0].text == "Former player 4 mentions you in public talk."
