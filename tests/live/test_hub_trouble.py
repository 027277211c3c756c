"""The hub in trouble: slow peers, lost messages, a database that is away, people who may not look any more."""

from typing import Any

import pytest

from matches.live.messages import AccessChange
from matches.live.snapshots import Key
from tests.live.stage import MATCH, Quickly, Socket, Stage, settled


def player(number: int, form: Any = "json") -> Socket:
    return Socket(Key(form), Key(form, number), user_id=number + 100, insider=True)


def test_a_slow_peer_holds_nobody_up_and_gets_the_whole_when_it_is_back(quickly: Quickly) -> None:
    async def story() -> None:
        stage, slow, others = Stage(), Socket(), [Socket() for _ in range(10)]
        await stage.enter(slow, *others)
        slow.is_behind = True
        for _ in range(5):
            stage.bid()
            await settled()
        assert len(slow.frames) == 1
        assert {socket.version for socket in others} == {6}
        slow.is_behind = False
        await settled(1.5)
        assert len(slow.frames) == 2
        assert set(slow.frames[1]) == {"version", "public", "match", "now"}
        assert slow.version == 6
        await stage.hub.stop()

    quickly(story())


def test_a_peer_that_stays_behind_is_dropped(quickly: Quickly) -> None:
    async def story() -> None:
        stage, slow = Stage(), Socket()
        await stage.enter(slow)
        slow.is_behind = True
        stage.bid()
        await settled(40)
        assert slow.closed == 4413
        assert len(stage.hub) == 0
        await stage.hub.stop()

    quickly(story())


@pytest.mark.parametrize("moment", range(6))
def test_whenever_a_message_is_lost_it_is_made_up_for_within_three_seconds(moment: int, quickly: Quickly) -> None:
    """With the second or so in which the channel layer comes back by itself, that is less than five after Redis has."""

    async def story() -> None:
        stage, page = Stage(), Socket()
        await stage.enter(page)
        await settled(moment + 0.5)
        stage.lost = True
        stage.bid()
        await settled(3.1)
        assert page.version == stage.public
        await stage.hub.stop()

    quickly(story())


def test_a_database_that_is_away_for_a_moment_costs_nobody_the_connection(quickly: Quickly) -> None:
    async def story() -> None:
        stage, early = Stage(), Socket()
        await stage.enter(early)
        stage.failures = 2
        late = Socket()
        stage.hub.watch_match(MATCH, late)
        stage.bid()
        await settled(4)
        assert early.version == late.version == 2
        await stage.hub.stop()

    quickly(story())


def test_a_player_who_is_none_any_more_is_turned_out(quickly: Quickly) -> None:
    async def story() -> None:
        stage, ann = Stage(), player(1)
        stage.private[1] = 1
        await stage.enter(ann)
        stage.whisper(1)
        del stage.private[1]
        await settled()
        assert ann.closed == 4408
        assert len(ann.frames) == 1
        await stage.hub.stop()

    quickly(story())


def test_access_that_ends_closes_the_right_sockets(quickly: Quickly) -> None:
    async def story() -> None:
        stage = Stage()
        here, there = Socket(user_id=5, session="s1"), Socket(user_id=5, session="s2")
        program, other = Socket(user_id=5, session="t1"), Socket(user_id=6, session="s3")
        everybody = (here, there, program, other, Socket())
        await stage.enter(*everybody)

        def closed() -> list[int | None]:
            return [socket.closed for socket in everybody]

        stage.hub.access_changed(AccessChange(None, "s1"))
        assert closed() == [4401, None, None, None, None]
        stage.hub.access_changed(AccessChange(None, "t1"))
        assert closed() == [4401, None, 4401, None, None]
        stage.hub.access_changed(AccessChange(5, ""))
        assert closed() == [4401, 4401, 4401, None, None]
        stage.bid()
        await settled()
        assert [len(socket.frames) for socket in everybody] == [1, 1, 1, 2, 2]
        await stage.hub.stop()

    quickly(story())


def test_a_lost_message_is_found_also_where_a_later_one_was_heard(quickly: Quickly) -> None:
    async def story() -> None:
        stage, anybody, ann = Stage(), Socket(), player(1)
        stage.private[1] = 1
        await stage.enter(anybody, ann)
        await settled(6)
        stage.lost = True
        stage.whisper(1)
        stage.lost = False
        stage.bid()
        await settled(7)
        assert anybody.version == 2
        assert ann.frames[-1]["private_version"] == 2
        reads = stage.reads
        await settled(20)
        assert stage.reads == reads, "what was found is looked at once"
        await stage.hub.stop()

    quickly(story())


def test_own_forms_that_depend_on_the_public_view_are_made_up_for_as_well(quickly: Quickly) -> None:
    async def story() -> None:
        stage, ann = Stage(), player(1, "html")
        stage.private, stage.private_parts = {1: 1}, {1: {"act": "lowest free: 3"}}
        await stage.enter(ann)
        stage.lost, stage.private_parts = True, {1: {"act": "lowest free: 4"}}
        stage.bid()
        await settled(7)
        assert "lowest free: 4" in ann.texts[-1]
        await stage.hub.stop()

    quickly(story())


def test_a_match_that_is_hidden_stays_open_to_its_own_people(quickly: Quickly) -> None:
    async def story() -> None:
        stage, anybody, ann = Stage(), Socket(), player(1)
        stage.private[1] = 1
        await stage.enter(anybody, ann)
        stage.hidden = True
        stage.bid()
        await settled()
        assert anybody.closed == 4404
        assert len(anybody.frames) == 1
        assert (ann.closed, ann.version) == (None, 2)
        await stage.hub.stop()

    quickly(story())
