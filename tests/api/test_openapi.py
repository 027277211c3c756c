"""The description of the API: it names every address and nothing else, and holds together."""

import json
import re
from typing import Any

import jsonschema_rs
import pytest

from matches.api.openapi import document
from tests.access.routes import all_routes
from tests.fixtures.described import as_described


def test_every_address_of_the_api_is_described_and_nothing_else() -> None:
    routes = {route for route in all_routes() if route.startswith("api/")} - {"api/"}  # which takes all others
    assert {"/" + re.sub(r"<\w+:(\w+)>", r"{\1}", route) for route in routes} == set(document()["paths"])


def test_it_holds_together() -> None:
    found = json.loads(json.dumps(document()))
    schemas = found["components"]["schemas"]
    assert set(re.findall(r"#/components/schemas/([^\"]+)", json.dumps(found))) <= set(schemas)
    for name, schema in schemas.items():
        jsonschema_rs.meta.validate(schema)
        assert schema.get("description"), f"{name} says nothing of itself"
    ids = [operation["operationId"] for path in found["paths"].values() for operation in path.values()]
    assert sorted(set(ids)) == sorted(ids)


PROBLEM = {"type": "tag:x,2026:problem/malformed", "title": "Malformed", "status": 400, "detail": ""}
REFUSAL = {**PROBLEM, "accepted": False, "code": "malformed", "message": ""}


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, {"games": [], "more": 1}),
        (200, {}),
        (418, {}),
        (400, {**REFUSAL, "code": "of_my_own"}),
        (400, {**REFUSAL, "accepted": True}),
    ],
)
def test_a_planted_answer_is_found(status: int, body: Any) -> None:
    as_described("GET", "/api/v1/games/", 200, {"games": []})
    as_described("GET", "/api/v1/games/", 400, REFUSAL)
    with pytest.raises(AssertionError):
        as_described("GET", "/api/v1/games/", status, body)
