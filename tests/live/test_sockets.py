"""Sockets of the running site: who gets in, what they may say, when they are ended."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from django.test import override_settings
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from accounts.models import ApiToken, User
from matches.live import hub as hubs
from matches.models import Match
from matches.services.group.queue import submit
from tests.fixtures.site import Site
from tests.fixtures.table import Person, Table, running
from tests.live.stage import wait_for

SECONDS = 10


@pytest.fixture
def table(site: Site) -> Iterator[Table]:
    yield running(site)[0]
    # No hub, where the only socket was refused before it came so far.
    assert wait_for(lambda: hubs._hub is None or len(hubs._hub) == 0), "sockets left behind"


def the_hub() -> hubs.Hub:
    assert hubs._hub is not None
    return hubs._hub


class Connection(ClientConnection):
    """Keeps what it has read where the site has hung up before it could answer; websockets would drop that."""

    def send_data(self) -> None:
        with suppress(OSError):
            super().send_data()


@contextmanager
def opened(site: Site, path: str, **headers: str) -> Iterator[ClientConnection]:
    """A socket of a page of ours, if nothing else is said."""
    origin = headers.pop("Origin", site.url)
    with connect(
        f"{site.ws}{path}",
        additional_headers=headers,
        origin=origin or None,
        open_timeout=SECONDS,  # type: ignore[arg-type]
        create_connection=Connection,
        close_timeout=1,  # the site has said why already; it need not listen to what comes behind that
    ) as socket:
        yield socket


def watching(table: Table, form: str = "json", **headers: str) -> Any:
    return opened(table.site, f"/ws/matches/{table.id}/?format={form}", **headers)


def frame(socket: ClientConnection) -> Any:
    return json.loads(socket.recv(SECONDS))


def closed_with(socket: ClientConnection) -> tuple[list[Any], int]:
    """What still came, and the code at the end."""
    came: list[Any] = []
    while True:
        try:
            came.append(frame(socket))
        except ConnectionClosed:
            return came, socket.close_code or 0


def bid(table: Table, place: int) -> int:
    answer = submit(table.match.pk, table.people[place].user.pk, table.good_bid(place))
    assert answer.accepted, answer
    return answer.versions["public"]


# -- what is shown -----------------------------------------------------------------------------------


@pytest.mark.both
def test_a_spectator_gets_the_board_and_then_its_changes(table: Table) -> None:
    with watching(table) as socket:
        first = frame(socket)
        assert set(first) == {"version", "public", "match", "now"}
        assert first["match"]["id"] == table.id
        version = bid(table, 0)
        later = frame(socket)
        assert later["version"] == version
        assert "public" in later
        assert "private" not in later


@pytest.mark.parametrize("way", ["token", "session"])
def test_a_player_gets_their_own_view_at_the_same_socket(table: Table, way: str) -> None:
    ann = table.people[0]
    headers = ann.bearer() if way == "token" else ann.cookies(csrf=False)
    with watching(table, **headers) as socket:
        first = frame(socket)
        assert first["private"]["handle"] == ann.handle
        assert first["private_version"] == table.player(0).version
        submit(table.match.pk, ann.user.pk, {"type": "buy_chips", "count": 1})
        later = frame(socket)
        assert set(later) == {"private_version", "private", "now"}


# -- who gets in -------------------------------------------------------------------------------------


FOREIGN = [
    "https://evil.example",
    "null",
    "",
    "http://127.0.0.1",
    "http://127.0.0.1:1",
    "http://{host}.evil.example",
]


def test_a_foreign_origin_is_refused(table: Table) -> None:
    for origin in FOREIGN:
        host = table.site.url.removeprefix("http://")
        with (
            pytest.raises(InvalidStatus) as refused,
            watching(table, Origin=origin.format(host=host), **table.people[0].cookies(csrf=False)),
        ):
            pass
        assert refused.value.response.status_code in (400, 403)


def test_an_unknown_and_a_hidden_match_are_closed_alike(table: Table) -> None:
    hidden = running(table.site)[0]
    Match.objects.filter(public_id=hidden.id).update(status="draft")
    answers = []
    for match_id in (hidden.id, "bbbbbbbbbbbb"):
        with opened(table.site, f"/ws/matches/{match_id}/?format=json", **table.people[0].bearer()) as socket:
            answers.append(closed_with(socket))
    assert answers[0] == answers[1]
    assert answers[0][1] == 4404
    with watching(hidden, **hidden.people[0].bearer()) as socket:
        assert frame(socket)["private"]


REFUSED = [
    ("/ws/me/?format=json", {}, "not_signed_in", 4401),
    ("/ws/me/?format=json", {"Authorization": "Bearer gen_no"}, "bad_token", 4401),
    ("/ws/me/?format=json", {"Authorization": "Basic no"}, "bad_token", 4401),
    ("/ws/me/?format=json", {"Cookie": "sessionid=nothing"}, "not_signed_in", 4401),
    ("/ws/nothing/", {}, "not_found", 4404),
]


def test_who_may_not_is_told_why(table: Table) -> None:
    for path, headers, code, close in REFUSED:
        with opened(table.site, path, **headers) as socket:
            came, closed = closed_with(socket)
        assert (came[0]["error"]["code"], closed) == (code, close)


def test_one_address_has_a_limit(table: Table) -> None:
    with override_settings(SOCKETS_PER_ADDRESS=2), watching(table) as one, watching(table):
        with watching(table) as third:
            came, code = closed_with(third)
        assert (came[0]["error"]["code"], code) == ("too_many_sockets", 4429)
        one.close()
        assert wait_for(lambda: sum(the_hub().addresses.values()) == 1)
        with watching(table) as again:
            assert frame(again)


def test_one_person_has_a_limit(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matches.live.socket._SOCKETS_A_PERSON", 1)
    ann, bob = table.people[:2]
    with watching(table, **ann.bearer()) as socket:
        assert frame(socket)
        with watching(table, **ann.bearer()) as second:
            assert closed_with(second)[1] == 4429
        with watching(table, **bob.bearer()) as other:
            assert frame(other)
        socket.close()
        assert wait_for(lambda: not any(the_hub().users.values()))
        with watching(table, **ann.bearer()) as again:
            assert frame(again)


# -- what they may say -------------------------------------------------------------------------------


def test_ping_is_answered_and_resync_brings_the_whole(table: Table) -> None:
    with watching(table) as socket:
        first = frame(socket)
        socket.send('{"type": "ping"}')
        assert frame(socket) == {"type": "pong"}
        socket.send('{"type": "resync"}')
        assert frame(socket).keys() == first.keys()


BAD_FRAMES = [
    ("", "bad_frame"),
    ("{", "bad_frame"),
    ('{"type": 3}', "bad_frame"),
    ('{"type": "bid", "seat": "Z", "amount": 3}', "bad_frame"),
    ("[" * 4000, "bad_frame"),
    ('{"type": "\\ud800"}', "bad_frame"),
    ("\x00", "bad_frame"),
    (b'{"type": "ping"}', "not_text"),
    ("x" * 4097, "too_large"),
    ("é" * 2100, "too_large"),
]


def test_a_bad_frame_gets_an_error_and_changes_nothing(table: Table) -> None:
    for sent, code in BAD_FRAMES:
        with watching(table) as socket:
            frame(socket)
            socket.send(sent)
            error = frame(socket)["error"]
            assert error["code"] == code
            assert error["message"].endswith(".")
            socket.send('{"type": "ping"}')
            assert frame(socket) == {"type": "pong"}


def test_whoever_talks_too_much_is_closed(table: Table) -> None:
    with watching(table) as socket:
        frame(socket)
        for _ in range(40):
            try:
                socket.send('{"type": "ping"}')
            except ConnectionClosed:
                break
        came, code = closed_with(socket)
    assert code == 4429
    assert came[-1]["error"]["code"] == "too_many_frames"
    assert len(came) <= 22


# -- when they are ended -----------------------------------------------------------------------------


@pytest.mark.both
def test_signing_out_ends_that_sessions_sockets_alone(table: Table) -> None:
    ann = table.people[0]
    phone = Person(ann.site, ann.token, ann.handle, ann.username, ann.match_id)
    with (
        watching(table, **ann.cookies(csrf=False)) as here,
        opened(table.site, "/ws/me/?format=json", **ann.cookies(csrf=False)) as notices,
        watching(table, **phone.cookies(csrf=False)) as there,
        watching(table, **ann.bearer()) as program,
    ):
        for socket in (here, notices, there, program):
            frame(socket)
        ann.browser.logout()
        assert closed_with(here) == closed_with(notices) == ([], 4401)
        submit(table.match.pk, ann.user.pk, {"type": "buy_chips", "count": 1})
        assert frame(there)["private_version"] == frame(program)["private_version"]


def new_password(user: User) -> None:
    user.set_password("another long password")
    user.save()


def deactivate(user: User) -> None:
    user.is_active = False
    user.save()


@pytest.mark.parametrize("change", [new_password, deactivate])
def test_a_new_password_and_a_closed_account_end_all_of_a_persons_sockets(
    table: Table, change: Callable[[User], None]
) -> None:
    ann, bob = table.people[:2]
    with (
        watching(table, **ann.cookies(csrf=False)) as page,
        watching(table, **ann.bearer()) as program,
        watching(table, **bob.bearer()) as other,
    ):
        for socket in (page, program, other):
            frame(socket)
        change(User.objects.get(pk=ann.user.pk))
        assert closed_with(page)[1] == closed_with(program)[1] == 4401
        bid(table, 1)
        assert frame(other)


@pytest.mark.both
def test_a_revoked_token_ends_its_own_sockets_only(table: Table) -> None:
    ann = table.people[0]
    other, _ = ApiToken.issue(ann.user, "old phone")
    with watching(table, **ann.bearer()) as program, watching(table, **ann.cookies(csrf=False)) as page:
        for socket in (program, page):
            frame(socket)
        other.revoke()
        bid(table, 1)
        assert [frame(each) for each in (program, page)]
        ann.user.api_tokens.get(revoked_at=None).revoke()
        assert closed_with(program)[1] == 4401
        bid(table, 2)
        assert frame(page)
