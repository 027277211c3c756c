"""An action that goes alone asks the database for what it needs and for nothing twice."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import ApiToken
from matches.api.actions import Action
from matches.api.endpoint import Holder, _alone
from matches.services.storage import many
from tests.fixtures.site import Site
from tests.fixtures.table import running

pytestmark = pytest.mark.both

NOWHERE = Site("", "")


@pytest.fixture(autouse=True)
def past_django(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What goes to the database past Django's cursors, which no capturing sees."""
    found: list[str] = []
    raw = many.raw

    def counted() -> Any:
        found.append("raw")
        return raw()

    monkeypatch.setattr(many, "raw", counted)
    return found


def statements(past_django: list[str], token: str, match_id: str, action: dict[str, Any], **more: Any) -> int:
    """How many an action needs."""
    sent = Action(match_id, json.dumps(action).encode(), more.get("keys", []), dry=False)
    past_django.clear()
    with CaptureQueriesContext(connection) as found:
        assert _alone(Holder(ApiToken.digest_of(token), sent.public_id), sent).status == 200
    return len(found) + len(past_django)


@pytest.mark.django_db(transaction=True)
def test_an_accepted_bid_costs_as_few_queries_as_it_can(past_django: list[str]) -> None:
    table = running(NOWHERE)[0]
    ann, bob = table.people[:2]
    first, outbids = table.good_bid(0), table.good_bid(0)
    outbids["seat"] = first["seat"]
    # The number behind the address is known from now on, the token noted.
    statements(past_django, ann.token, table.id, table.good_bid(2))
    statements(past_django, bob.token, table.id, table.good_bid(2))

    first["amount"], outbids["amount"] = 100, 101
    alone = statements(past_django, ann.token, table.id, first)
    # token, BEGIN, match, player; log, bid, announcement, outbox; match, player, COMMIT
    assert alone == 11
    outbid = statements(past_django, bob.token, table.id, outbids)
    # further: the others' ids, the fate of the old bid, the outbid player's version
    assert outbid == 14
