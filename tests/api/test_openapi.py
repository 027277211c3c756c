"""The description of the API: it names every address and nothing else, and holds together."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from django.test import Client

from matches.api.codes import OF_A_QUESTION, OF_AN_ACTION
from matches.api.openapi import document, operations
from matches.engine.core import PHASES
from matches.games.registry import all_games
from tests.access.routes import all_routes
from tests.fixtures.described import as_described

ROOT = Path(__file__).resolve().parents[2]


def test_every_address_of_the_api_is_described_and_nothing_else() -> None:
    routes = {route for route in all_routes() if route.startswith("api/")} - {"api/"}  # which takes all others
    assert {"/" + re.sub(r"<\w+:(\w+)>", r"{\1}", route) for route in routes} == set(document()["paths"])


def test_every_method_of_an_address_is_described() -> None:
    client = Client()
    for path, methods in document()["paths"].items():
        address = re.sub(r"\{\w+\}", "x", path)
        allowed = {method.strip() for method in client.delete(address).headers["Allow"].split(",")}
        assert {method.upper() for method in methods} == allowed - {"HEAD"}, path


def test_it_holds_together() -> None:
    found = json.loads(json.dumps(document()))
    schemas = found["components"]["schemas"]
    assert set(re.findall(r"#/components/schemas/([^\"]+)", json.dumps(found))) <= set(schemas)
    for name, schema in schemas.items():
        jsonschema_rs.meta.validate(schema)
        assert schema.get("description"), f"{name} says nothing of itself"
    ids = [operation["operationId"] for path in found["paths"].values() for operation in path.values()]
    assert sorted(set(ids)) == sorted(ids)


def test_what_changes_something_says_so() -> None:
    for each in operations():
        if each.method == "POST" and each.view.__name__ != "ask":
            assert each.about.needs == "act", each.path
            assert "token_may_only_read" in each.about.codes[403], each.path


def test_it_is_sent_once(client: Client) -> None:
    first = client.get("/api/openapi.json")
    assert first.json()["openapi"].startswith("3.1")
    again = client.get("/api/openapi.json", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, {"games": [], "more": 1}),
        (200, {}),
        (418, {}),
        (400, {"accepted": False, "code": "of_my_own", "message": ""}),
        (400, {"accepted": True, "code": "malformed", "message": ""}),
    ],
)
def test_a_planted_answer_is_found(status: int, body: Any) -> None:
    as_described("GET", "/api/v1/games/", 200, {"games": []})
    as_described("GET", "/api/v1/games/", 400, {"accepted": False, "code": "malformed", "message": ""})
    with pytest.raises(AssertionError):
        as_described("GET", "/api/v1/games/", status, body)


# -- the codes of the rules ------------------------------------------------------------------------


def codes_in(*folders: Path) -> tuple[set[str], set[str]]:
    """The codes that rules refuse actions with, and all words that they define as constants."""
    words, used = dict[str, str](), set[str]()
    for path in (path for folder in folders for path in folder.rglob("*.py") if "tests" not in path.parts):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                words |= {name.id: node.value.value for name in node.targets if isinstance(name, ast.Name)}
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Rejected":
                used |= set(_names(node.args[0]))
    return {words[name] for name in used if name in words}, set(words.values())


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id


def test_the_codes_of_each_game_are_named() -> None:
    of_engine = {*OF_AN_ACTION[422], *OF_A_QUESTION[422], "not_a_player"}
    for game in all_games().values():
        used, words = codes_in(ROOT / "matches" / "games" / game.slug)
        assert used <= {*game.refusals, *of_engine}, game.slug
        assert set(game.refusals) <= words, game.slug
        assert not set(game.refusals) & of_engine, game.slug


def test_the_codes_of_the_engine_are_named() -> None:
    used, _ = codes_in(ROOT / "matches" / "engine")
    of_hosts = {"not_enough"}
    assert used - of_hosts <= {*OF_AN_ACTION[422], *OF_A_QUESTION[422], *OF_AN_ACTION[403]}


def test_the_phases_through_which_a_match_goes_are_named() -> None:
    schemas = document()["components"]["schemas"]
    for game in all_games().values():
        assert set(schemas[game.public_type.__name__]["properties"]["phase"]["enum"]) == set(PHASES)
