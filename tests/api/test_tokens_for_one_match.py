"""A token for one match is refused by every address that is not that match's, on every way to it."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import ApiToken
from matches.api.openapi import document
from matches.services.deadlines import advance
from talk.models import Message
from tests.access.cast import START, Cast, cast_at
from tests.fixtures.any_game import SLUG
from tests.fixtures.described import as_described
from tests.fixtures.site import Site
from tests.fixtures.table import Person, Table, running
from tests.live.test_sockets import closed_with, frame, opened

ABOUT_NOBODY = {
    "/api/openapi.json",
    "/api/v1/",
    "/api/v1/matches/",
    "/api/v1/games/",
    "/api/v1/games/{slug}/schema/",
    "/api/v1/seasons/",
}
"""Addresses that look at no token: their answers are the same for everybody."""
OWN = {"/api/v1/me/", "/api/v1/me/matches/"}
"""Addresses that answer with this match alone."""


@pytest.fixture
def cast(db: None) -> Iterator[Cast]:
    with cast_at(START + timedelta(hours=1)) as cast:
        advance(cast.matches["open"].pk)
        yield cast


def limited(cast: Cast, match: str = "open", scope: str = ApiToken.Scope.ACT) -> dict[str, str]:
    """Headers with a player's token for that match."""
    secret = ApiToken.issue(cast.people["player"], "one match", scope, limited_to=cast.matches[match].public_id)[1]
    return {"Authorization": f"Bearer {secret}"}


def sent(method: str, address: str, headers: dict[str, str], body: Any = None) -> tuple[int, dict[str, Any]]:
    answer = Client().generic(method, address, json.dumps(body or {}), content_type="application/json", headers=headers)
    as_described(method, address, answer.status_code, answer.json())
    return answer.status_code, answer.json()


def addresses(public_id: str) -> Iterator[tuple[str, str, str]]:
    """Every path of the API, each method of it, and the address with this id, wherever one belongs."""
    for path, methods in document()["paths"].items():
        named = path.replace("{public_id}", public_id).replace("{channel}", "public").replace("{username}", "player")
        for method in methods:
            yield path, method.upper(), named.replace("{slug}", SLUG)


@pytest.mark.parametrize("other", ["draft", "finished", "season", "nothing"])
def test_every_address_of_anything_else_refuses_it(cast: Cast, other: str) -> None:
    ids = {"season": cast.seasons["open"].public_id, "nothing": "nothing-here"}
    public_id = ids.get(other) or cast.matches[other].public_id
    headers, seen = limited(cast), 0
    for path, method, address in addresses(public_id):
        if path in ABOUT_NOBODY | OWN:
            continue
        query = "?q=gold" if path.endswith("/search/") else ""
        status, body = sent(method, f"{address}{query}", headers)
        assert (status, body["code"]) == (403, "token_for_another_match"), f"{method} {address}"
        assert "Make a new one on your profile page" in body["message"]
        seen += 1
    assert seen >= 28


def test_seasons_and_people_refuse_it_even_where_an_id_is_that_of_its_match(cast: Cast) -> None:
    own = cast.matches["open"].public_id
    for path, method, address in addresses(own):
        if "/seasons/{" in path or "/people/" in path:
            assert sent(method, address, limited(cast))[1]["code"] == "token_for_another_match"


def test_in_its_own_match_it_is_like_any_other(cast: Cast) -> None:
    own, plain = limited(cast), {"Authorization": f"Bearer {cast.secret}"}
    for path, method, address in addresses(cast.matches["open"].public_id):
        if method == "GET" and "/matches/{public_id}/" in path:
            query = "?q=gold" if path.endswith("/search/") else ""
            (status, body), before = sent(method, f"{address}{query}", own), sent(method, f"{address}{query}", plain)
            assert (status, body.get("code")) == (before[0], before[1].get("code"))
    address = f"/api/v1/matches/{cast.matches['open'].public_id}/"
    assert sent("GET", address, own)[1]["private"]["handle"] == "player"
    said = sent("POST", f"{address}talk/public/", own, {"text": "Hello."})
    assert (said[0], Message.objects.count()) == (200, 1)


def test_a_draft_of_its_owner_stays_as_hidden_as_what_does_not_exist(cast: Cast) -> None:
    """Its owner may see the draft; whoever has the token learns nothing, not even that it exists."""
    headers = limited(cast)
    for way in ("", "actions/?dry_run=1", "talk/", "word/"):
        method = "POST" if way.startswith("actions") else "GET"
        draft, nothing = (
            sent(method, f"/api/v1/matches/{public_id}/{way}", headers, {"type": "bid"})
            for public_id in (cast.matches["draft"].public_id, "nothing-here")
        )
        assert draft == nothing


def test_it_is_told_its_limit_and_lists_that_match_alone(cast: Cast) -> None:
    headers, own = limited(cast), cast.matches["open"].public_id
    assert sent("GET", "/api/v1/me/", headers)[1]["token"]["match"] == own
    listed = sent("GET", "/api/v1/me/matches/?limit=1", headers)[1]
    assert ([each["match"]["id"] for each in listed["matches"]], listed["next"]) == ([own], None)
    elsewhere = f"/api/v1/me/matches/?after={cast.matches['finished'].public_id}"
    assert sent("GET", elsewhere, headers)[1]["code"] == "malformed"
    unlimited = sent("GET", "/api/v1/me/matches/", {"Authorization": f"Bearer {cast.secret}"})[1]
    assert len(unlimited["matches"]) == len(cast.matches)


@pytest.fixture
def two(site: Site) -> tuple[Table, Person, Person]:
    """The same person in two running matches; the token is for the first, whose table comes with them."""
    first, second = running(site, matches=2)
    ann, place = first.people[0], second.player(0)
    place.user = ann.user
    place.save()
    ApiToken.objects.filter(user=ann.user).update(limited_to=first.id)
    return first, ann, Person(site, ann.token, place.handle, ann.username, second.id)


@pytest.mark.both
@pytest.mark.parametrize("query", ["", "?dry_run=1"])
def test_actions_are_refused_on_the_short_way_as_well(two: tuple[Table, Person, Person], query: str) -> None:
    table, here, there = two
    bid = table.good_bid(0)
    assert there.post(bid, query=query).code == "token_for_another_match"
    assert here.post(bid, query=query).status == 200
    # And again, when it is known whose it is.
    refused = there.post(bid, query=query)
    assert (refused.status, refused.code) == (403, "token_for_another_match")
    assert there.post(bid, match="nothing-here", query=query).body == refused.body


@pytest.mark.both
def test_sockets_of_other_matches_and_of_notices_refuse_it(two: tuple[Table, Person, Person]) -> None:
    _, here, there = two
    for address in (f"/ws/matches/{there.match_id}/", "/ws/me/", "/ws/desk/", "/ws/matches/nothing-here/"):
        with opened(here.site, f"{address}?format=json", **here.bearer()) as program:
            told, code = closed_with(program)
            assert (told[0]["error"]["code"], code) == ("token_for_another_match", 4401)
    with opened(here.site, f"/ws/matches/{here.match_id}/?format=json", **here.bearer()) as program:
        assert "private" in frame(program)
