"""Who hears elsewhere of what was written in talk."""

from __future__ import annotations

from datetime import timedelta

import pytest

from matches.models import clock
from notices.models import Notice
from notices.services.messages import WAITS, tell_of_mentions, tell_of_messages
from talk.models import Message
from talk.services.moderating import hide
from talk.services.seen import mark_seen
from tests.talk.conftest import TalkTable, fresh_limits

__all__ = ["fresh_limits"]

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def table(present: clock.FixedTime) -> TalkTable:
    return TalkTable(present).open()


def told(name: str, event: str) -> list[Notice]:
    return list(Notice.objects.filter(user__username=name, event=event))


def test_whoever_is_named_hears_of_it_once_and_without_the_text(table: TalkTable) -> None:
    table.say("ann", "@cat the cellar is open")
    assert tell_of_mentions() == 1
    assert tell_of_mentions() == 0
    (notice,) = told("cat", "mentioned")
    assert notice.title == "You have been mentioned · Night table"
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
    assert [notice.text for notice in told("bob", "message")] == ["2 new messages in public talk."]
    assert tell_of_messages() == 0
    mark_seen(message.channel_id, table.users["bob"], message.pk)
    present.forward(timedelta(minutes=1))
    table.say("ann", "three")
    present.forward(WAITS)
    assert tell_of_messages() == 1
    assert not told("ann", "message")


def test_a_hidden_message_is_told_to_nobody(table: TalkTable, present) -> None:
    message: Message = table.say("ann", "@cat rude")
    hide(table.match, table.users["dora"], message.token, "Rude")
    assert tell_of_mentions() == 0
    present.forward(WAITS)
    assert tell_of_messages() == 0
