"""Forecasts that are answered in front of Django: the same answers, and nothing for those who would not get one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from accounts.models import User
from matches.infra import rate_limits
from matches.infra.begun import begin
from matches.infra.buckets import Buckets
from matches.infra.db_threads import Overloaded
from matches.models import Match
from matches.services import departing
from matches.services.hosting import pause, substitute
from matches.web import askers, preview_door, signed_in
from tests.web.conftest import Browser, Table, browser

FORM = "application/x-www-form-urlencoded"
TOKEN = "t" * 32
BID = {"type": "bid", "seat": "X", "amount": "2"}

pytestmark = pytest.mark.django_db


def body_of(fields: dict[str, str], token: str = TOKEN) -> bytes:
    return urlencode({**fields, "csrfmiddlewaretoken": token}).encode()


def scope_of(client: Client, url: str, body: bytes, **changed: str) -> Any:
    """A request as a server hands it over; `changed` headers, an empty one is left out."""
    cookies = {"csrftoken": TOKEN, **{name: each.value for name, each in client.cookies.items()}}
    headers = {
        "host": "testserver",
        "content-type": FORM,
        "content-length": str(len(body)),
        "cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
        **{name.replace("_", "-"): value for name, value in changed.items()},
    }
    return {
        "type": "http",
        "method": "POST",
        "scheme": "http",
        "path": f"{url}preview/",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items() if value],
    }


def asked(table: Table, client: Client, fields: dict[str, str] = BID, token: str = TOKEN, **changed: str) -> Any:
    """What the door answers; None where it leaves that to Django."""
    body = body_of(fields, token)
    return preview_door._answer(scope_of(client, table.url, body, **changed), body, table.match.public_id)


def said(table: Table, client: Client, fields: dict[str, str] = BID) -> str:
    answer = asked(table, client, fields)
    assert answer is not None
    return str(answer.html)


def by_django(table: Table, client: Client, fields: dict[str, str] = BID) -> Any:
    return client.post(f"{table.url}preview/", body_of(fields).decode(), content_type=FORM)


FORMS = {
    "good": BID,
    "refused": {"type": "bid", "seat": "Y", "amount": "4"},
    "with a remedy": {"type": "bid", "seat": "X", "amount": "13"},
    "chips": {"type": "buy_chips", "count": "2"},
    "unreadable": {"type": "bid", "seat": "X", "amount": "two"},
    "unfinished": {"type": "bid", "seat": "X"},
    "unknown": {"type": "fly"},
    "markup": {"type": "bid", "seat": "<b>", "amount": "2"},
}


@pytest.mark.parametrize("name", FORMS)
def test_the_answer_is_the_one_that_django_gives(auction: Table, name: str) -> None:
    for who in ("ann", "cat"):
        client = browser(auction.users[who])
        mine, django = asked(auction, client, FORMS[name]), by_django(auction, client, FORMS[name])
        assert (mine.status, mine.html) == (django.status_code, django.content.decode())
        headers = {name.decode(): value.decode() for name, value in mine.headers}
        wanted = {name.lower(): value for name, value in django.items()}
        for each in (headers, wanted):
            assert len(each.pop("x-request-id")) == 16
        wanted["vary"] = wanted["vary"].removesuffix(", Accept-Encoding")  # so short a text is not compressed
        assert headers == {name: value for name, value in wanted.items() if name != "content-length"}


def test_who_asks_too_often_is_told_so_by_both(auction: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    buckets = Buckets(0.001, 1, lambda: 0.0)
    monkeypatch.setattr(rate_limits, "action_rates", lambda: buckets)
    ann = browser(auction.users["ann"])
    assert asked(auction, ann).status == 200
    mine, django = asked(auction, ann), by_django(auction, ann)
    assert (mine.status, mine.html) == (django.status_code, django.content.decode())
    assert mine.status == 429


# -- what it keeps -------------------------------------------------------------------------------


def test_a_forecast_is_that_of_the_board_as_it_stands(auction: Table) -> None:
    cat = browser(auction.users["cat"])
    assert "2 is free" in said(auction, cat)
    auction.bid("bob", "X", 2)
    assert "2 is free" not in said(auction, cat)
    auction.act("cat", "buy_chips", count=1)
    for fields in FORMS.values():
        assert said(auction, cat, fields) == by_django(auction, cat, fields).content.decode()
    auction.present.forward(timedelta(hours=1))  # nothing has happened, but the time has passed
    for fields in FORMS.values():
        assert said(auction, cat, fields) == by_django(auction, cat, fields).content.decode()


def other(value: Any) -> Any:
    """A value that differs from this one, of its kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, timedelta):
        return value + timedelta(seconds=1)
    if isinstance(value, datetime):
        return value + timedelta(days=400)
    return datetime(2030, 1, 1, tzinfo=UTC) if value is None else f"0{value}"[:4]


def change(match: Match, name: str) -> None:
    value = getattr(match, name)
    changed = {"x": 1} if isinstance(value, dict | list) else other(value)
    Match.objects.filter(pk=match.pk).update(**{name: changed})


@pytest.mark.parametrize(
    "name", [each for each in askers._matches.names if each not in ("id", "public_id", *askers._SECRET)]
)
def test_what_everybody_sees_is_made_anew_whichever_column_changes(auction: Table, name: str) -> None:
    ann, match = browser(auction.users["ann"]), auction.match
    said(auction, ann)
    before = askers._shared[match.public_id]
    said(auction, ann)
    assert askers._shared[match.public_id] is before
    change(match, name)
    if asked(auction, ann) is not None:
        assert askers._shared[match.public_id][1] is not before[1]


def test_what_others_do_in_secret_costs_nobody_else_time(auction: Table) -> None:
    cat = browser(auction.users["cat"])
    said(auction, cat)
    before, head = askers._shared[auction.match.public_id], auction.match.log_head
    assert auction.act("bob", "buy_chips", count=1).accepted
    assert auction.match.log_head != head
    assert said(auction, cat) == by_django(auction, cat).content.decode()
    assert askers._shared[auction.match.public_id] is before


def test_names_in_forecasts_are_those_of_now(auction: Table) -> None:
    def names() -> list[str]:
        asker = askers.asker_of(auction.match.public_id, auction.users["cat"].pk)
        assert asker is not None
        return [person.name for person in asker.shown.people]

    assert names() == ["ann", "bob", "cat"]
    substitute(auction.match, auction.users["dora"], auction.player("bob"), auction.users["eve"])
    assert names() == ["ann", "eve", "cat"]
    departing.leave(auction.users["ann"], "A former player")
    assert names() == ["A former player", "eve", "cat"]


def test_a_place_that_changes_hands_is_the_new_persons_at_once(auction: Table) -> None:
    bob, eve = browser(auction.users["bob"]), browser(auction.users["eve"])
    said(auction, bob)
    assert asked(auction, eve) is None
    substitute(auction.match, auction.users["dora"], auction.player("bob"), auction.users["eve"])
    assert asked(auction, bob) is None
    assert said(auction, eve) == by_django(auction, eve).content.decode()


# -- what it leaves to Django ----------------------------------------------------------------------


def end_session(table: Table, client: Browser) -> None:
    client.session.delete()


def let_session_expire(table: Table, client: Browser) -> None:
    Session.objects.update(expire_date=datetime(2000, 1, 1, tzinfo=UTC))


def sign_in_as_another(table: Table, client: Browser) -> None:
    """In the same session, as far as its key goes."""
    mine = Session.objects.get(pk=client.session.session_key)
    client.force_login(table.users["eve"])
    mine.session_data = Session.objects.get(pk=client.session.session_key).session_data
    mine.save()  # signing in has ended it
    client.cookies["sessionid"] = mine.pk


def new_password(table: Table, client: Browser) -> None:
    table.users["ann"].set_password("another long password")
    table.users["ann"].save()


def close_account(table: Table, client: Browser) -> None:
    User.objects.filter(username="ann").update(is_active=False)


def pause_match(table: Table, client: Browser) -> None:
    pause(table.match, table.users["dora"])


def let_a_deadline_pass(table: Table, client: Browser) -> None:
    table.present.forward(timedelta(hours=24))


def forget_the_rules(table: Table, client: Browser) -> None:
    Match.objects.update(rules_version=99)


Happens = Callable[[Table, Browser], None]


@pytest.mark.parametrize(
    "happens",
    [
        end_session,
        let_session_expire,
        sign_in_as_another,
        new_password,
        close_account,
        pause_match,
        let_a_deadline_pass,
        forget_the_rules,
    ],
)
def test_what_has_ended_is_known_at_once(auction: Table, happens: Happens) -> None:
    ann = browser(auction.users["ann"])
    assert asked(auction, ann) is not None
    assert asked(auction, ann) is not None
    happens(auction, ann)
    assert asked(auction, ann) is None


@pytest.mark.parametrize(
    "how",
    [
        {"token": "u" * 32},
        {"token": ""},
        {"cookie": ""},
        {"cookie": "sessionid=made-up; csrftoken=" + TOKEN},
        {"cookie": "sessionid=made\x00up; csrftoken=" + TOKEN},
        {"origin": "https://elsewhere.example"},
    ],
    ids=str,
)
def test_what_django_would_refuse_is_not_answered(auction: Table, how: Any) -> None:
    assert asked(auction, browser(auction.users["ann"]), **how) is None


@pytest.mark.parametrize("who", ["dora", "eve", None])
def test_only_players_are_answered(auction: Table, who: str | None) -> None:
    assert asked(auction, browser(auction.users[who] if who else None)) is None


def test_a_session_that_django_would_renew_is_left_to_it(auction: Table, settings: Any) -> None:
    ann = browser(auction.users["ann"])
    assert asked(auction, ann) is not None
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another " * 8
    signed_in._checked.clear()
    before = Session.objects.count()
    assert asked(auction, ann) is None
    assert Session.objects.count() == before


# -- as a server calls it --------------------------------------------------------------------------


class Django:
    """Stands for what is behind the door, and notes the body that it reads."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.bodies.append((await receive())["body"])


def through(door: preview_door.PreviewDoor, scope: Any, *parts: dict[str, Any]) -> list[dict[str, Any]]:
    """Bring a request to the door; what it sends."""
    sent, left = [], list(parts)

    async def receive() -> dict[str, Any]:
        return left.pop(0)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    assert begin(door(scope, receive, send)) is None
    return sent


@pytest.fixture
def django() -> Django:
    return Django()


@pytest.fixture
def door(django: Django, monkeypatch: pytest.MonkeyPatch) -> preview_door.PreviewDoor:
    """A door that does its work at once: the test's database is seen by this thread alone."""
    door = preview_door.PreviewDoor(django)

    async def run(work: Any, *args: Any) -> Any:
        return work(*args)

    monkeypatch.setattr(door._threads, "run", run)
    return door


def whole(body: bytes) -> dict[str, Any]:
    return {"type": "http.request", "body": body}


def test_a_forecast_is_sent_without_django(auction: Table, door: preview_door.PreviewDoor, django: Django) -> None:
    ann, body = browser(auction.users["ann"]), body_of(BID)
    start, rest = through(door, scope_of(ann, auction.url, body), whole(body))
    assert (start["status"], rest["body"].decode()) == (200, said(auction, ann))
    assert (b"content-length", str(len(rest["body"])).encode()) in start["headers"]
    assert django.bodies == []


@pytest.mark.parametrize(
    "changed",
    [
        {"host": "elsewhere.example"},
        {"host": ""},
        {"content_type": "multipart/form-data; boundary=x"},
        {"content_type": ""},
        {"content_length": ""},
        {"content_length": "16385"},
        {"cookie": ""},
    ],
    ids=str,
)
def test_what_is_unusual_is_djangos_with_its_whole_body(
    auction: Table, door: preview_door.PreviewDoor, django: Django, changed: dict[str, str]
) -> None:
    body = body_of(BID)
    scope = scope_of(browser(auction.users["ann"]), auction.url, body, **changed)
    assert through(door, scope, whole(body)) == []
    assert django.bodies == [body]


@pytest.mark.parametrize(
    "changed",
    [{"method": "GET"}, {"query_string": b"a=1"}, {"path": "/matches/x/act/"}, {"type": "websocket"}],
    ids=str,
)
def test_other_requests_are_djangos(
    auction: Table, door: preview_door.PreviewDoor, django: Django, changed: dict[str, Any]
) -> None:
    body = body_of(BID)
    scope = scope_of(browser(auction.users["ann"]), auction.url, body) | changed
    assert through(door, scope, whole(body)) == []
    assert django.bodies == [body]


@pytest.mark.parametrize("error", [Overloaded(), RuntimeError("the database is away")], ids=str)
def test_what_fails_at_the_door_is_djangos(
    auction: Table, door: preview_door.PreviewDoor, django: Django, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(door._threads, "run", run)
    body = body_of(BID)
    assert through(door, scope_of(browser(auction.users["ann"]), auction.url, body), whole(body)) == []
    assert django.bodies == [body]


def test_who_hangs_up_gets_nothing(auction: Table, door: preview_door.PreviewDoor, django: Django) -> None:
    scope = scope_of(browser(auction.users["ann"]), auction.url, body_of(BID))
    assert through(door, scope, {"type": "http.disconnect"}) == []
    assert django.bodies == []
