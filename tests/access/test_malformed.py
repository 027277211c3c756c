"""Rubbish at every address: refused in words, with nothing broken and nothing changed."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import resolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import ApiToken, User
from matches.api import endpoint
from matches.live.admission import admit_to_match
from matches.live.socket import unknown_socket, websocket_urlpatterns
from matches.models import Match, clock
from tests.access.cast import START, Cast
from tests.access.routes import address, all_routes
from tests.access.rubbish import BODIES, FIELDS, HEADERS, LEFT_OUT, NASTY, PARAMETERS, TYPES

ROUTES = [route for route in all_routes() if not any(word in route for word in LEFT_OUT)]

texts = st.sampled_from(NASTY) | st.text(st.characters(exclude_categories=("Cs",)), max_size=20)


class Rubbish(NamedTuple):
    """A request. `odd` takes the place of the match's id where it is not None; `body` that of the form."""

    route: str
    role: str
    posts: bool
    odd: str | None
    query: list[tuple[str, str]]
    fields: list[tuple[str, str]]
    body: tuple[bytes, str] | None
    headers: dict[str, str]


rubbish = st.builds(
    Rubbish,
    st.sampled_from(ROUTES),
    st.sampled_from(("visitor", "stranger", "host")),
    st.booleans(),
    st.none() | texts,
    st.lists(st.tuples(st.sampled_from(PARAMETERS), texts), max_size=3),
    st.lists(st.tuples(st.sampled_from(FIELDS), texts), max_size=8),
    st.none() | st.tuples(st.sampled_from(BODIES), st.sampled_from(TYPES)),
    st.dictionaries(
        st.sampled_from(HEADERS),
        st.sampled_from(("", "x", "http://[", "//evil", "bytes=9-", "Bearer gen_x", "é", "a b", "A" * 300)),
        max_size=2,
    ),
)


@pytest.fixture
def cast(transactional_db: Any) -> Iterator[Cast]:
    with clock.fixed(START):
        yield Cast()


def all_that_matters() -> list[Any]:
    """What must be the same afterwards."""
    matches = Match.objects.order_by("pk").values_list(
        "pk", "status", "state", "log_head", "next_deadline_at", "public_version", "title"
    )
    people = User.objects.order_by("pk").values_list("pk", "username", "email", "password", "is_staff", "is_superuser")
    return [*matches, *people, *ApiToken.objects.filter(revoked_at=None).values_list("pk", flat=True)]


@pytest.mark.both
def test_rubbish_breaks_nothing_and_changes_nothing(cast: Cast) -> None:
    browsers = {role: cast.browser(role, raise_request_exception=False) for role in ("visitor", "stranger", "host")}
    before = all_that_matters()

    # The same each time: what failed yesterday fails tomorrow.
    @settings(max_examples=120, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(rubbish)
    def send(request: Rubbish) -> None:
        cache.clear()  # no limit is used up
        answer = _sent(browsers[request.role], cast, request)
        assert answer.status_code < 500 or request.route == "healthz"
        where = answer.headers.get("Location", "/")
        assert where.startswith(("/", "?")), where
        assert not where.startswith(("//", "/\\")), where

    send()
    assert all_that_matters() == before


def _sent(browser: Client, cast: Cast, request: Rubbish) -> Any:
    url = address(request.route, cast, "open")
    if request.odd is not None:
        url = url.replace(cast.matches["open"].public_id, quote(request.odd, safe=""))
    url += f"?{urlencode(request.query)}" if request.query else ""
    if not request.posts:
        return browser.get(url, headers=request.headers)
    form = (urlencode(request.fields).encode(), "application/x-www-form-urlencoded")
    body, kind = request.body or form
    return browser.generic("POST", url, body, content_type=kind, headers=request.headers)


def test_what_no_match_is_called_is_no_address_of_one(db: None) -> None:
    for name in ("\x00", "a\x00b", "\ud7ff", "", "../x", "a b", "ä"):
        sockets = [pattern.resolve(f"ws/matches/{name}/") for pattern in websocket_urlpatterns]
        assert [found.func for found in sockets if found is not None] == [unknown_socket]
        for end in ("", "actions/", "ask/", "feed/", "history/", "log/"):
            assert resolve(f"/api/v1/matches/{name}/{end}").func.__name__ == "nothing_here"
        assert not endpoint._PATH.fullmatch(f"/api/v1/matches/{name}/actions/")


@pytest.mark.both
def test_a_cookie_that_holds_a_nul_is_nobodys(cast: Cast) -> None:
    cookie = 'sessionid="\\000aaaaaaaaaaaaaaaa"'
    assert admit_to_match({b"cookie": cookie.encode()}, cast.matches["open"].public_id, "json").user_id is None
    browser = Client(raise_request_exception=False)
    assert browser.get("/me/", headers={"Cookie": cookie}).status_code == 302


@pytest.mark.both
def test_a_nul_in_an_address_is_refused_also_to_programs(cast: Cast) -> None:
    browser = cast.browser("host", raise_request_exception=False)
    finished = cast.matches["finished"].get_absolute_url()
    for url in ("/matches/?game=%00", f"{finished}log/?receipt=%00", "/admin/matches/match/people/?q=a%00", "/%00"):
        assert browser.get(url).status_code == 400, url
    answer = browser.get("/api/v1/matches/%00/")
    assert (answer.status_code, json.loads(answer.content)["code"]) == (400, "bad_request")
    assert browser.post("/notices/read/", {"token": "\x00"}).status_code == 302


@pytest.mark.parametrize("role", ["host", "boss"])
def test_an_empty_field_to_look_rows_up_by_is_refused(cast: Cast, role: str) -> None:
    """Django's admin fails on it, in its own pages and in those of other packages."""
    browser = cast.browser(role, raise_request_exception=False)
    emails = "/admin/account/emailaddress/1/change/"
    for url in (f"/admin/matches/match/{cast.matches['draft'].pk}/change/", *([emails] if role == "boss" else [])):
        assert browser.get(f"{url}?_to_field=").status_code == 400, url
        assert browser.post(url, {"_to_field": ""}).status_code == 400, url
