"""Presence: the people of a small match are told who has it open, whichever process they are at, and nobody else is."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from matches.demo.season import make_load
from matches.live.hub import Hub
from matches.live.messages import deliver
from matches.live.snapshots import Key
from matches.models import Match
from matches.queries import access
from matches.queries.access import access_match, sees_who_is_here
from tests.fixtures.any_game import GAME
from tests.live.stage import MATCH, Quickly, Socket, Stage, settled


def told(socket: Socket) -> list[list[str]]:
    return [frame["present"] for frame in socket.frames if "present" in frame]


def enter(stage: Stage, handle: str | None, form: Any = "html") -> Socket:
    socket = Socket(Key(form))
    if handle is not None:
        stage.hub.presence.enter(socket, MATCH, handle)
    stage.hub.watch_match(MATCH, socket)
    return socket


def test_processes_tell_each_other_and_one_that_has_died_is_forgotten(
    quickly: Quickly, monkeypatch: pytest.MonkeyPatch
) -> None:
    hubs: list[Hub] = []
    dead: set[str] = set()
    count = 0

    async def send(message: dict[str, Any]) -> None:
        nonlocal count
        count += 1
        for hub in hubs:
            if message["sender"] not in dead:
                deliver(message, hub)

    monkeypatch.setattr("matches.live.hub.send", send)

    async def story() -> None:
        here, there = Stage(), Stage()
        hubs.extend((here.hub, there.hub))
        ann, bob = enter(here, "ann"), enter(there, "bob")
        await settled(3)
        assert told(ann)[-1] == told(bob)[-1] == ["ann", "bob"]
        told_before = count
        await settled(15)
        assert count == told_before, "nothing new is not told again at once"
        late = Stage()
        hubs.append(late.hub)
        eve = enter(late, "")
        await settled(30)
        assert told(eve)[-1] == ["ann", "bob"]
        dead.add(there.hub.name)
        await settled(90)
        assert told(ann)[-1] == ["ann"]
        for stage in (here, there, late):
            await stage.hub.stop()

    quickly(story())


@pytest.mark.django_db
@pytest.mark.parametrize(("players", "told"), [(3, True), (4, False)], ids=["small", "larger"])
def test_only_the_people_of_a_small_match_are_told(players: int, told: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "MOST_WHO_WAIT", 3)  # for any match type
    made = make_load(GAME, 1, players, {})["matches"][0]
    match = Match.objects.get(public_id=made["id"])
    player, host = match.players.all()[0].user, match.hosts.get()
    seen = [sees_who_is_here(access_match(match.public_id, each)) for each in (player, host, AnonymousUser())]
    assert seen == [told, told, False]
