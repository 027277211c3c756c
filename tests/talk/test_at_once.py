"""Several people, or several pages of one, at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, Event
from typing import Any

import pytest
from django.db import connection

from matches.models import Match, clock
from matches.services.errors import Busy, Refused
from matches.services.hosting import cancel
from matches.services.replay import verify
from seasons.services.verification import verify as season_verify
from talk.models import Channel, Message, Seen
from talk.queries.unread import unread_for
from talk.services import posting
from talk.services.channels import mark_seen
from tests.fixtures.locks import kept_match
from tests.talk.conftest import TalkTable
from tests.talk.season_table import SeasonTalkTable

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 5


@pytest.fixture
def table() -> TalkTable:
    return TalkTable(clock.FixedTime(clock.now())).open()


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """What came of each, all let go together: its value, or what it was refused with."""
    gate = Barrier(len(works))

    def run(work: Callable[[], Any]) -> Any:
        gate.wait(20)
        try:
            return work()
        except Refused as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return [each.result(60) for each in [pool.submit(run, work) for work in works]]


def until_done(work: Callable[[], Any]) -> Any:
    """Again and again where the database was busy."""
    while True:
        with suppress(Busy):
            return work()


@pytest.mark.both
def test_one_message_that_several_pages_send_is_stored_once(table: TalkTable) -> None:
    found = at_once(*[lambda: until_done(lambda: table.say("ann", "hello", key="one"))] * MANY)
    assert {message.pk for message in found} == {Message.objects.get().pk}


@pytest.mark.both
def test_the_first_words_of_several_people_make_one_channel(table: TalkTable) -> None:
    names = ("ann", "bob", "cat", "dora")
    at_once(*[lambda name=name: until_done(lambda: table.say(name, f"I am {name}")) for name in names])
    assert Channel.objects.count() == 1
    assert {message.text for message in Message.objects.all()} == {f"I am {name}" for name in names}


@pytest.mark.both
def test_two_who_whisper_to_each_other_at_once_share_one_channel(table: TalkTable) -> None:
    one, other = (
        lambda: until_done(lambda: table.whisper("ann", "cat")),
        lambda: until_done(lambda: table.whisper("cat", "ann")),
    )
    assert len(set(at_once(one, other, one, other))) == 1
    assert [channel.members.count() for channel in Channel.objects.all()] == [2]


@pytest.mark.both
def test_a_seasons_room_that_both_open_at_once_is_one_and_its_end_takes_no_consent_back() -> None:
    table = SeasonTalkTable(clock.FixedTime(clock.now()))
    one, other = (
        lambda: until_done(lambda: table.whisper("ann", "cat")),
        lambda: until_done(lambda: table.whisper("cat", "ann")),
    )
    assert len(set(at_once(one, other, one, other))) == 1
    assert [channel.members.count() for channel in Channel.objects.all()] == [2]
    said = table.say("ann", "I lied", "confessional", publish=True)
    end = lambda: until_done(lambda: table.command(end=True))  # noqa: E731
    take_back = lambda: until_done(  # noqa: E731
        lambda: posting.release(table.season, table.users["ann"], said.token, publish=False)
    )
    _, taken_back = at_once(end, take_back)
    refused = isinstance(taken_back, Refused)
    assert Message.objects.get(pk=said.pk).published is refused
    assert season_verify(table.season) == []


@pytest.mark.both
def test_a_message_while_the_match_is_cancelled_is_stored_and_nothing_fails(table: TalkTable) -> None:
    def say(number: int) -> Callable[[], Any]:
        return lambda: until_done(lambda: table.say("ann", f"number {number}"))

    stop = lambda: until_done(lambda: cancel(table.match, table.users["dora"], "enough"))  # noqa: E731
    found = at_once(say(1), stop, say(2), say(3))
    assert not [each for each in found if isinstance(each, Refused)]
    assert Message.objects.count() == 3
    assert table.match.status == Match.Status.CANCELLED
    assert verify(table.match) == []


@pytest.mark.both
def test_how_far_one_has_read_never_goes_back(table: TalkTable) -> None:
    last = [table.say("ann", f"number {number}") for number in range(4)]
    channel, bob = last[0].channel_id, table.users["bob"]
    at_once(*[lambda pk=message.pk: mark_seen(channel, bob, pk) for message in reversed(last)])
    assert Seen.objects.get().last >= last[0].pk
    mark_seen(channel, bob, last[3].pk)
    mark_seen(channel, bob, last[0].pk)
    assert Seen.objects.get().last == last[3].pk


@pytest.mark.services
def test_talk_goes_on_while_somebody_keeps_the_match(table: TalkTable) -> None:
    with kept_match(table.match_id):
        assert table.say("ann", "hello").pk


class Slow:
    """ann's message is written and not yet committed, until it is let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.written, self.go = Event(), Event()
        usual = posting._note_mentions

        def wait(viewer: Any, channel: Channel, message: Message) -> frozenset[int]:
            if message.name == "ann":
                self.written.set()
                assert self.go.wait(20)
            return usual(viewer, channel, message)

        monkeypatch.setattr(posting, "_note_mentions", wait)


def overtaken(table: TalkTable, slow: Slow) -> list[str]:
    """bob writes while ann's message is not committed yet, and cat reads everything that there is. What cat is told to
    be unread after that, when ann's is committed too."""
    table.say("dora", "hello")

    def of_ann() -> None:
        table.say("ann", "slow")

    def of_bob() -> None:
        assert slow.written.wait(20)
        with suppress(Refused):
            table.say("bob", "quick")
        cat = table.users["cat"]
        last = Message.objects.order_by("-pk").values_list("pk", flat=True)[0]
        mark_seen(Channel.objects.get().pk, cat, last)
        slow.go.set()

    at_once(of_ann, of_bob)
    return [f"{each.messages} unread" for each in unread_for(table.users["cat"])]


@pytest.mark.services
def test_no_message_is_overtaken_by_a_later_one(table: TalkTable, monkeypatch: pytest.MonkeyPatch) -> None:
    assert overtaken(table, Slow(monkeypatch)) == ["1 unread"]
