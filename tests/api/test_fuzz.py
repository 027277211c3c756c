"""Requests that schemathesis makes up from the description of the API, good ones and bad ones: none may fail on our
side, and every answer must be what the description says.

Here a few for a third of the addresses, in each run for others; `make fuzz` sends as many as FUZZ says, others each
time.
"""

import json
import os
import random
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import pytest
import schemathesis
from django.core.cache import cache
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from accounts.models import ApiToken
from matches.api.openapi import document
from matches.infra import rate_limits
from matches.infra.rate_limits import Buckets
from matches.services.deadlines import advance
from tests.access.cast import START, Cast, cast_at
from tests.fixtures.chosen import EVERYTHING, one_in
from tests.fixtures.described import as_described

pytestmark = pytest.mark.django_db

FUZZ = int(os.environ.get("FUZZ", "0"))
"""Requests of each kind for each operation; 0 for the suite's few."""

Request = tuple[str, str, dict[str, str], bytes]
"""Method, address, headers and body."""


class Fuzz:
    """Sends what schemathesis makes up, mostly about what there is, and by people who may do it."""

    def __init__(self, cast: Cast) -> None:
        self.schema: Any = schemathesis.openapi.from_dict(document())
        self.faults: list[str] = []
        self.statuses: set[int] = set()
        self._chance = random.Random(FUZZ and None)
        people = ("player", "host", "stranger")
        self._tokens = [ApiToken.issue(cast.people[name], "fuzz")[1] for name in people]
        self._matches = [match.public_id for match in cast.matches.values()]
        self._seasons = [season.public_id for season in cast.seasons.values()]
        self._known = {"username": ["player"], "slug": [cast.other.game], "channel": ["public", "team"]}

    def send_all(self) -> None:
        kinds = [(path, method) for path, methods in document()["paths"].items() for method in methods]
        for number, (path, method) in enumerate(kinds if FUZZ else one_in(3, kinds), 1):
            before = len(self.faults)
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                self._send_some(path, method, mode)
            if FUZZ:  # it takes long, and pytest says nothing until the end: with -s this does
                lines = [f"{number} of {len(kinds)}: {method.upper()} {path}", *self.faults[before:]]
                sys.stdout.write("\n  ".join(lines) + "\n")

    def _send_some(self, path: str, method: str, mode: GenerationMode) -> None:
        @settings(
            max_examples=FUZZ or (2 if mode == GenerationMode.POSITIVE else 1),
            deadline=None,
            database=None,
            derandomize=not FUZZ,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(self.schema[path][method].as_strategy(generation_mode=mode))
        def send(case: Any) -> None:
            self._send(self._request(path, method, case))

        with suppress(Unsatisfiable):  # where nothing is sent, nothing can be wrong with it
            send()

    def _request(self, path: str, method: str, case: Any) -> Request:
        known = {**self._known, "public_id": self._seasons if "seasons" in path else self._matches}
        for name in case.path_parameters or {}:
            if name in known and self._chance.random() < 0.8:
                case.path_parameters[name] = self._chance.choice(known[name])
        made = case.as_transport_kwargs(base_url="http://testserver")
        sent = {name: value for name, value in made["headers"].items() if value.isprintable()}
        headers = {name: sent[name] for name in ("Authorization", "Idempotency-Key", "If-None-Match") if name in sent}
        if self._chance.random() < 0.8:
            headers["Authorization"] = f"Bearer {self._chance.choice(self._tokens)}"
        address = quote(urlsplit(made["url"]).path, safe="/%")
        if made.get("params"):
            address += "?" + urlencode(made["params"], doseq=True)
        body = made.get("data", b"") if "json" not in made else json.dumps(made["json"])
        return method.upper(), address, headers, body if isinstance(body, bytes) else str(body).encode()

    def _send(self, request: Request) -> None:
        method, address, headers, body = request
        answer = Client(raise_request_exception=False).generic(
            method, address, body, content_type="application/json", headers=headers
        )
        self.statuses.add(answer.status_code)
        try:
            assert answer.status_code < 500, "it failed on our side"
            as_described(method, address, answer.status_code, json.loads(answer.content) if answer.content else None)
        except (AssertionError, ValueError) as wrong:
            self.faults.append(f"{method} {address} {headers.get('Idempotency-Key', '')} {body[:300]!r}: {wrong}")


@pytest.fixture
def fuzz(monkeypatch: pytest.MonkeyPatch) -> Iterator[Fuzz]:
    monkeypatch.setattr(rate_limits, "action_rates", lambda: Buckets(0, 0))
    cache.clear()
    with cast_at(START + timedelta(hours=1)) as cast:
        advance(cast.matches["open"].pk)
        yield Fuzz(cast)
    cache.clear()


def test_whatever_is_sent_is_answered_as_described(fuzz: Fuzz) -> None:
    fuzz.send_all()
    assert fuzz.faults == []
    reached = {200, 400, 401, 403, 404, 422} & fuzz.statuses
    # The long run comes further than the door; what the short one reaches is chance.
    assert len(reached) == 6 or (reached and not (FUZZ or EVERYTHING))
