"""A host's page of all matches hears that something has changed there: once a second at most, and nothing else."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from matches.live.admission import admit_to_desk
from matches.models import Match
from matches.services import hosting
from seasons.models import Season
from seasons.services.cast import add_member
from seasons.services.drafts import create_season
from seasons.services.running import begin
from tests.fixtures.site import Site
from tests.fixtures.table import Table, running
from tests.live.stage import MATCH, Quickly, Socket, Stage, settled
from tests.live.test_hints import hints
from tests.live.test_sockets import bid, closed_with, frame, opened

LOOK_AGAIN = {"of": "desk"}


def watch(stage: Stage, socket: Socket, *matches: int) -> None:
    stage.hub.desks.enter(socket, matches)
    stage.hub.watch_notices(socket.user_id or 0, socket)


def test_whoever_looks_after_a_match_hears_of_its_changes_and_nobody_else_does(quickly: Quickly) -> None:
    async def story() -> None:
        stage = Stage()
        dora, otto, ann = Socket(user_id=1), Socket(user_id=2), Socket(user_id=3)
        watch(stage, dora, MATCH, MATCH + 1)
        watch(stage, otto, MATCH + 1)
        stage.hub.watch_notices(3, ann)
        await settled(2)
        for _ in range(50):
            stage.hub.changed(MATCH, False, ())
        await settled(1)
        assert [hints(each) for each in (dora, otto, ann)] == [[LOOK_AGAIN], [], []]
        stage.hub.changed(MATCH + 1, True, {7})
        await settled(1)
        assert [hints(each) for each in (dora, otto, ann)] == [[LOOK_AGAIN] * 2, [LOOK_AGAIN], []]
        stage.hub.leave(otto)
        stage.hub.changed(MATCH + 1, True, ())
        await settled(2)
        assert [hints(each) for each in (dora, otto)] == [[LOOK_AGAIN] * 3, [LOOK_AGAIN]]
        await stage.hub.stop()

    quickly(story())


@pytest.fixture
def table(site: Site) -> Table:
    return running(site)[0]


@pytest.fixture
def desk(table: Table) -> Iterator[tuple[Table, User, Any]]:
    """The table, its host, and the socket of the host's page."""
    host = Match.objects.get(pk=table.match.pk).hosts.get()
    key = _session_of(host)
    with opened(table.site, "/ws/desk/?format=hints", Cookie=f"sessionid={key}") as socket:
        assert set(frame(socket)) == {"now"}
        yield table, host, socket


def _session_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value


def test_a_sealed_action_a_command_and_a_season_are_heard_of_without_a_word_about_them(desk: Any) -> None:
    table, host, socket = desk
    bid(table, 0)
    assert json.loads(socket.recv(10)) == {"hint": LOOK_AGAIN}
    hosting.pause(table.match, host, "A storm.")
    assert json.loads(socket.recv(10)) == {"hint": LOOK_AGAIN}
    season = create_season("Autumn", host)
    for handle in ("ann", "bob"):
        add_member(season, host, handle, is_bot=True)
    begin(season, host)
    assert json.loads(socket.recv(10)) == {"hint": LOOK_AGAIN}
    assert Season.objects.get().status == Season.Status.RUNNING


def test_who_is_admitted_to_what(table: Table) -> None:
    ann, host = table.people[0].user, Match.objects.get(pk=table.match.pk).hosts.get()
    watched = {
        user: admit_to_desk({b"cookie": f"sessionid={_session_of(user)}".encode()}, "html").cares_for
        for user in (ann, host)
    }
    assert watched == {ann: frozenset(), host: {table.match.pk}}
    with opened(table.site, "/ws/desk/") as stranger:
        assert closed_with(stranger)[1] == 4401
