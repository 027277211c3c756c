"""What a socket may see ends when its owner's access ends, whatever the moment and whatever was lost on the way."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from matches.live import admission, hub
from matches.live.messages import AccessChange
from matches.live.watcher import Watcher as SiteSocket
from tests.fixtures.site import Site
from tests.fixtures.table import Table, running
from tests.live.stage import Quickly, Socket, Stage, settled, wait_for
from tests.live.test_sockets import closed_with, frame, opened

# -- an end that is heard while rights are read ------------------------------------------------------


def test_an_end_of_access_while_rights_are_read_is_kept_for_the_socket_that_arrives(quickly: Quickly) -> None:
    async def story() -> None:
        stage = Stage()
        with stage.hub.arriving() as early:
            stage.hub.access_changed(AccessChange(None, "s1"))
            stage.hub.access_changed(AccessChange(5, ""))
        stage.hub.access_changed(AccessChange(6, ""))
        assert early.is_outdated(9, "s1")
        assert early.is_outdated(5, "")
        assert early.is_outdated(5, "s2")
        assert not early.is_outdated(6, "")
        assert not early.is_outdated(None, "")
        await stage.hub.stop()

    quickly(story())


# -- an end that nobody heard ------------------------------------------------------------------------


def test_rights_are_read_again_every_minute_without_any_message(quickly: Quickly) -> None:
    async def story() -> None:
        stage = Stage()
        member, guest = Socket(user_id=5, session="s1"), Socket()
        await stage.enter(member, guest)
        member.rights = [None, 4401]
        await settled(62)
        assert (member.rechecks, member.closed) == (1, None)
        await settled(60)
        assert (member.rechecks, member.closed) == (2, 4401)
        assert (guest.rechecks, guest.closed) == (0, None)
        await stage.hub.stop()

    quickly(story())


def test_a_database_that_is_away_says_nothing_about_rights(quickly: Quickly) -> None:
    async def story() -> None:
        stage, member = Stage(), Socket(user_id=5, session="s1")
        await stage.enter(member)
        member.rights = [OSError("away"), OSError("away"), 4408]
        await settled(61.5)
        assert member.closed is None
        await settled(3)
        assert member.closed == 4408
        await stage.hub.stop()

    quickly(story())


# -- on the running site -----------------------------------------------------------------------------


@pytest.fixture
def table(site: Site) -> Iterator[Table]:
    yield running(site)[0]
    assert wait_for(lambda: hub._hub is None or len(hub._hub) == 0), "sockets left behind"


def signed_out_while_rights_are_read(table: Table, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A socket whose rights are read, and whose session ends before it is told what it may see."""
    ann, cookies = table.people[0], table.people[0].cookies(csrf=False)
    read, signed_out = threading.Event(), threading.Event()
    real = admission.access_match

    def access_match(public_id: str, user: Any) -> Any:
        viewer = real(public_id, user)
        read.set()
        assert signed_out.wait(20)
        return viewer

    monkeypatch.setattr(admission, "access_match", access_match)

    def sign_out() -> None:
        assert read.wait(20)
        ann.browser.logout()
        the_hub = hub._hub
        assert the_hub is not None
        # Both messages, of the sign-out and of the session's end: later ones would close the socket after all.
        assert wait_for(lambda: all(len(arrival.changes) > 1 for arrival in the_hub._arrivals))
        signed_out.set()

    thread = threading.Thread(target=sign_out)
    thread.start()
    socket = opened(table.site, f"/ws/matches/{table.id}/?format=json", **cookies)
    return socket, thread


@pytest.mark.both
def test_a_socket_that_connects_while_its_owner_signs_out_shows_nothing(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    socket, thread = signed_out_while_rights_are_read(table, monkeypatch)
    with socket as page:
        thread.join()
        assert closed_with(page) == ([], 4401)


@pytest.mark.both
def test_a_session_that_ended_unheard_is_found_when_rights_are_read_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when Redis was away: nobody tells the hub that somebody has signed out."""
    ann = table.people[0]
    with opened(table.site, f"/ws/matches/{table.id}/?format=json", **ann.cookies(csrf=False)) as page:
        frame(page)
        monkeypatch.setattr(hub.Hub, "access_changed", lambda *_: None)
        ann.browser.logout()
        the_hub = hub._hub
        assert the_hub is not None
        [socket] = [watcher for watcher in the_hub._topic_of if isinstance(watcher, SiteSocket)]
        socket.recheck_at = 0.0
        assert closed_with(page)[1] == 4401
