"""Every address, every role: a new address must be listed here with those who may see it; and nobody but a match's
hosts can learn there that it was rehearsed."""

import json
import re
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest
from django.core.cache import cache as site_cache
from django.db import transaction
from django.test import Client

from matches.live.admission import NotAdmitted, admit_to_desk, admit_to_match, admit_to_notices
from matches.live.socket import websocket_urlpatterns
from notices.pushes import renewal_rates
from talk.services.limits import talk_rates
from tests.access.cast import ROLES, SEED, START, Cast, cast_at
from tests.access.expected import ACCOUNTS, ADMIN, FAMILIES, SEASONS, SITE, Expected, Family, Row, status_for, statuses
from tests.access.routes import address, all_routes
from tests.fixtures.chosen import one_in
from tests.fixtures.described import as_described

pytestmark = pytest.mark.usefixtures("error_pages_once")

KNOW_OF_NO_REHEARSAL = {"visitor", "stranger", "player", "elsewhere", "other host"}
"""Each of the matches has been rehearsed, by a host."""

TRACES = (SEED.hex().encode(), b"rehears")


@pytest.fixture
def cast(db: None) -> Iterator[Cast]:
    with cast_at(START) as cast:
        yield cast


@cache
def by_stars() -> dict[str, str]:
    """Every address as rows write it: each part that differs from one match or row to the next is a star."""
    parts = r"(?<!\?P)<[^>]+>|\(\?P<app_label>[^)]*\)"  # the admin lists its apps in one pattern
    return {re.sub(parts, "*", route) or "/": route for route in all_routes()}


def routes_of(row: Row) -> list[str]:
    return [by_stars()[route] for route in row.routes.split()]


def test_every_address_has_one_row_and_every_row_its_addresses() -> None:
    rows = [route for family in FAMILIES for row in family.rows for route in row.routes.split()]
    known = set(by_stars())
    assert sorted(rows) == sorted(set(rows))
    assert known - set(rows) == set(), "say in tests/access/expected.py who gets what there"
    assert set(rows) - known == set()


def everything_wrong(family: Family, cast: Cast) -> list[str]:
    """What differs from the table."""
    browsers = {role: cast.browser(role) for role in family.roles}
    found = []
    for row in family.rows:
        for method, expected in (("get", row.get), ("post", row.post)):
            for route in _routes_asked(row, expected, method):
                found += _wrong(family, cast, browsers, route, method, expected)
    return found


def _routes_asked(row: Row, expected: Expected, method: str) -> Sequence[str]:
    """All of the row's addresses; of those that refuse everybody, whoever asks, a third, in each run another."""
    refuses = expected in ("404", "405")
    return one_in(3 if refuses else 1, routes_of(row), zlib.crc32(f"{method} {row.what}".encode()))


def _wrong(
    family: Family, cast: Cast, browsers: dict[str, Client], route: str, method: str, expected: Expected
) -> Iterator[str]:
    for status in statuses(expected):
        url = address(route, cast, status)
        for role, wanted in _asking(family, expected, status, f"{method} {route}"):
            answer = _answer(browsers[role], method, url)
            if answer.status_code != wanted:
                yield f"{method} {url} of the {status} match as {role}: {answer.status_code}, not {wanted}"
            if url.startswith("/api/"):
                yield from _undescribed(method, url, answer)
            if role in KNOW_OF_NO_REHEARSAL and "rehearsals" not in route and _tells_of_a_rehearsal(answer):
                yield f"{method} {url} of the {status} match as {role}: a trace of its rehearsal"


def _asking(family: Family, expected: Expected, status: str, place: str) -> Iterator[tuple[str, int]]:
    """Who asks, and what they get: of those who get the same a third, or a sixth where everybody does, in each run
    others."""
    alike: dict[int, list[str]] = {}
    for role in family.roles:
        alike.setdefault(status_for(expected, status, family, role), []).append(role)
    for wanted, roles in alike.items():
        yield from ((role, wanted) for role in one_in(3 if len(alike) > 1 else 6, roles, zlib.crc32(place.encode())))


def _undescribed(method: str, url: str, answer: Any) -> Iterator[str]:
    """What the description of the API does not say of an answer."""
    try:
        as_described(method.upper(), url, answer.status_code, json.loads(answer.content))
    except AssertionError as wrong:
        yield str(wrong)


def _tells_of_a_rehearsal(answer: Any) -> bool:
    return not answer.streaming and any(trace in answer.content.lower() for trace in TRACES)


def _answer(browser: Client, method: str, url: str) -> Any:
    """Nothing that was asked for has happened afterwards, and nobody has been too fast before, here or in a test whose
    people had the same numbers."""
    site_cache.clear()
    talk_rates.cache_clear()
    renewal_rates.cache_clear()
    cookies = dict(browser.cookies)
    with transaction.atomic():
        if method == "get":
            answer: Any = browser.get(url)
        elif url.startswith("/api/"):
            answer = browser.post(url, {"type": "bid"}, content_type="application/json")
        else:
            answer = browser.post(url)
        transaction.set_rollback(True)
    browser.cookies.clear()
    browser.cookies.update(cookies)
    return answer


def test_the_sites_pages_and_the_api(cast: Cast) -> None:
    assert everything_wrong(SITE, cast) == []


def test_seasons(cast: Cast) -> None:
    assert everything_wrong(SEASONS, cast) == []


def test_the_pages_of_ones_account(cast: Cast) -> None:
    assert everything_wrong(ACCOUNTS, cast) == []


def test_the_admin(cast: Cast) -> None:
    assert everything_wrong(ADMIN, cast) == []


def test_the_hosts_see_the_rehearsal(cast: Cast) -> None:
    """The control: there is a trace to find."""
    url = address("admin/matches/match/<path:object_id>/rehearsals/", cast, "draft")
    assert _tells_of_a_rehearsal(_answer(cast.browser("host"), "get", url))


# -- sockets -----------------------------------------------------------------------------------------


OWN, EVERYONES = "own", "everyone's"
SOCKETS = {
    "ws/matches/<slug:public_id>/": {
        "draft": dict.fromkeys(ROLES, 4404)
        | dict.fromkeys(("player", "playing host", "playing boss"), OWN)
        | dict.fromkeys(("host", "boss"), EVERYONES),
        "open": dict.fromkeys(ROLES, EVERYONES) | dict.fromkeys(("player", "playing host", "playing boss"), OWN),
    },
    "ws/me/": {"open": dict.fromkeys(ROLES, EVERYONES) | {"visitor": 4401}},
    "ws/desk/": {"open": dict.fromkeys(ROLES, EVERYONES) | {"visitor": 4401}},
}


def test_every_socket_has_a_row() -> None:
    assert {str(each.pattern) for each in websocket_urlpatterns} == {*SOCKETS, ""}


def test_a_socket_shows_what_its_person_may_see(cast: Cast) -> None:
    for role in ROLES:
        cookies = cast.browser(role).cookies
        headers = {b"cookie": "; ".join(f"{name}={each.value}" for name, each in cookies.items()).encode()}
        for route, expected in SOCKETS.items():
            for status, by_role in expected.items():
                assert _admitted(cast, headers, route, status, role) == by_role[role], (route, status, role)


def _admitted(cast: Cast, headers: Any, route: str, status: str, role: str) -> Any:
    match = cast.matches[status]
    try:
        if "matches" not in route:
            ticket = (admit_to_desk if "desk" in route else admit_to_notices)(headers, "json")
            assert ticket.number == cast.people[role].pk
            assert (match.pk in ticket.cares_for) == ("desk" in route and role == "host"), role
        else:
            ticket = admit_to_match(headers, match.public_id, "json")
            assert ticket.number == match.pk
    except NotAdmitted as refusal:
        return refusal.close
    own = [key for key in ticket.keys if key.player is not None]
    if not own:
        return EVERYONES
    player = match.players.get(user=cast.people[role])
    assert [(key.player, key.user) for key in own] == [(player.pk, player.user_id)]
    return OWN
