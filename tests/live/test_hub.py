"""The hub: who is sent what and when, by a clock that nobody waits for."""

import asyncio
from typing import Any

import pytest

from matches.live.pace import LONGEST, REST
from matches.live.snapshots import Key
from tests.live.stage import MATCH, Quickly, Socket, Stage, settled


def player(number: int, form: Any = "json") -> Socket:
    return Socket(Key(form), Key(form, number), user_id=number + 100, insider=True)


def test_a_players_own_parts_follow_what_everybody_sees(quickly: Quickly) -> None:
    async def story() -> None:
        stage, ann, bob = Stage(), player(1, "html"), player(2, "html")
        stage.private |= {1: 1, 2: 1}
        stage.private_parts = {1: {"act": "lowest 3"}, 2: {"act": "none"}}
        await stage.enter(ann, bob)
        stage.private_parts[1] = {"act": "lowest 4"}
        stage.bid()
        await settled()
        assert [frame["private_parts"] for frame in ann.frames[1:] if "private_parts" in frame] == [{"act": "lowest 4"}]
        assert [frame for frame in bob.frames[1:] if frame.keys() & {"private_parts", "private_version"}] == []
        await stage.hub.stop()

    quickly(story())


def test_nobody_hears_of_anothers_secret(quickly: Quickly) -> None:
    async def story() -> None:
        stage, anybody, ann, bob = Stage(), Socket(), player(1), player(2)
        stage.private |= {1: 1, 2: 1}
        await stage.enter(anybody, ann, bob)
        reads = stage.reads
        stage.whisper(1)
        await settled()
        assert (len(anybody.frames), len(ann.frames), len(bob.frames)) == (1, 2, 1)
        assert stage.reads == reads + 1
        await stage.hub.stop()

    quickly(story())


def test_a_secret_does_not_hold_up_what_is_public(quickly: Quickly) -> None:
    """Two worlds: in one of them ann has just done something secret. Spectators cannot tell by the time."""

    async def story(*, secretly: bool) -> list[float]:
        stage, anybody, ann = Stage(read_seconds=0), Socket(), player(1)
        stage.private[1] = 1
        start = asyncio.get_running_loop().time()
        await stage.enter(anybody, ann)
        if secretly:
            stage.whisper(1)
        await settled(0.05)
        stage.bid()
        await settled()
        await stage.hub.stop()
        return [round(at - start, 9) for at in anybody.times]

    assert quickly(story(secretly=True)) == quickly(story(secretly=False))


def test_a_burst_is_merged_by_what_pushes_cost_and_ends_with_the_last(quickly: Quickly) -> None:
    """A look takes 2 ms here, so the next one begins after a rest."""

    async def story() -> None:
        stage, crowd = Stage(), [Socket() for _ in range(120)]
        await stage.enter(*crowd)
        for _ in range(300):
            stage.bid()
            await settled(0.001)
        await settled()
        assert {socket.version for socket in crowd} == {301}
        for socket in crowd:
            gaps = [later - earlier for earlier, later in zip(socket.times[1:], socket.times[2:], strict=False)]
            assert min(gaps) >= 0.002 * (1 + REST) - 1e-9
            assert max(gaps) <= 0.002 * (1 + REST) + 0.0015
            assert len(set(socket.texts)) == len(socket.texts)
        await stage.hub.stop()

    quickly(story())


@pytest.mark.parametrize("read_seconds", [0.002, 0.045, 0.09])
def test_no_change_waits_longer_than_the_longest_rest(quickly: Quickly, read_seconds: float) -> None:
    async def story() -> None:
        stage, anybody = Stage(read_seconds=read_seconds), Socket()
        await stage.enter(anybody)
        asked: dict[int, float] = {}
        for wait in (0.03, 0.07, 0.02, 0.25, 0.01) * 5:
            stage.bid()
            asked[stage.public] = asyncio.get_running_loop().time()
            await settled(wait)
        await settled()
        for version, bid_at in asked.items():
            told = next(
                at for at, frame in zip(anybody.times, anybody.frames, strict=True) if frame["version"] >= version
            )
            assert told - bid_at <= LONGEST + read_seconds + 1e-9
        await stage.hub.stop()

    quickly(story())


@pytest.mark.parametrize("crowded", [True, False])
def test_what_only_one_may_know_is_pushed_after_what_everybody_sees_and_by_itself(
    quickly: Quickly, crowded: bool
) -> None:
    """However long the one takes: here every look at what is a player's own takes 0.05 s."""

    async def story(*, secretly: bool) -> list[float]:
        stage, anybody, ann = Stage(own_seconds=0.05, crowded=crowded), Socket(), player(1)
        stage.private[1] = 1
        await stage.enter(anybody, ann)
        start = asyncio.get_running_loop().time()
        for wait in (0.0, 0.01, 0.03, 0.002):
            if secretly:
                stage.whisper(1)
            await settled(wait)
            stage.bid()
            await settled(0.02)
        await settled()
        if secretly:
            assert max(frame.get("private_version", 0) for frame in ann.frames) == 5
        await stage.hub.stop()
        return [round(at - start, 9) for at in anybody.times[1:]]

    assert quickly(story(secretly=True)) == quickly(story(secretly=False)) == [0.002, 0.032, 0.082, 0.104]


def test_a_look_that_comes_back_late_shows_nobody_what_is_over(quickly: Quickly) -> None:
    """A newcomer's look reads before a bid and is back long after it."""

    async def story() -> None:
        stage, anybody, late = Stage(), Socket(), Socket()
        await stage.enter(anybody)
        stage.lates = [0.2]
        stage.hub.watch_match(MATCH, late)
        await settled(0.01)
        stage.bid()
        await settled()
        assert [frame["version"] for frame in anybody.frames] == [1, 2]
        assert {frame["version"] for frame in late.frames} == {2}
        assert late.frames[0].keys() == anybody.frames[0].keys()
        await stage.hub.stop()

    quickly(story())


def test_notices_go_to_whom_they_were_told(quickly: Quickly) -> None:
    async def story() -> None:
        stage = Stage()
        ann, bob = Socket(user_id=101), Socket(user_id=102)
        stage.hub.watch_notices(101, ann)
        stage.hub.watch_notices(102, bob)
        await settled()
        stage.public = 2
        stage.hub.notices_changed([101, 103])
        await settled()
        assert [frame["notices"] for frame in ann.frames] == [[1], [2]]
        assert [frame["notices"] for frame in bob.frames] == [[1]]
        await stage.hub.stop()

    quickly(story())


HTML = Key("html")


def test_of_parts_only_those_that_differ_are_sent_and_one_that_is_gone_is_emptied(quickly: Quickly) -> None:
    async def story() -> None:
        stage, anybody = Stage(), Socket(HTML)
        stage.parts = {"board": "<b>1</b>", "feed": "f", "asked": "?"}
        await stage.enter(anybody)
        stage.parts = {"board": "<b>2</b>", "feed": "f"}
        stage.bid()
        await settled()
        assert anybody.frames[0]["parts"] == {"board": "<b>1</b>", "feed": "f", "asked": "?"}
        assert anybody.frames[1]["parts"] == {"board": "<b>2</b>", "asked": ""}
        assert anybody.frames[1]["version"] == 2
        await stage.hub.stop()

    quickly(story())
