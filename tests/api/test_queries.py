"""The hot path asks the database for what it needs and for nothing twice."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.api.actions import Action
from matches.api.endpoint import _answer
from tests.fixtures.site import Site
from tests.fixtures.table import running

pytestmark = pytest.mark.both

NOWHERE = Site("", "")


def statements(token: str, match_id: str, action: dict[str, Any], **more: Any) -> list[str]:
    sent = Action(match_id, json.dumps(action).encode(), more.get("keys", []), dry=False)
    with CaptureQueriesContext(
        connection,
    ) as found:
        assert _answer(token, sent).status == 200
    return [query["sql"].split(None, 3)[:3] for query in found.captured_queries]  # type: ignore[misc]


@pytest.mark.django_db(transaction=True)
def test_an_accepted_bid_costs_as_few_queries_as_it_can() -> None:
    table = running(NOWHERE)[0]
    ann, bob = table.people[:2]
    first, outbids = table.good_bid(0), table.good_bid(0)
    outbids["seat"] = first["seat"]
    statements(
        ann.token, table.id, table.good_bid(2)
    )  # the number behind the address is known from now on, the token noted
    statements(bob.token, table.id, table.good_bid(2))

    first["amount"], outbids["amount"] = 100, 101
    alone = statements(ann.token, table.id, first)
    # token, BEGIN, match, player; log, bid, announcement; match, player, COMMIT
    assert len(alone) == 10, alone
    outbid = statements(bob.token, table.id, outbids)
    # further: the others' ids, the fate of the old bid, the outbid player's version
    assert len(outbid) == 13, outbid


@pytest.mark.django_db(transaction=True)
def test_a_key_costs_one_query_more() -> None:
    table = running(NOWHERE)[0]
    ann = table.people[0]
    statements(ann.token, table.id, table.good_bid(0))
    assert len(statements(ann.token, table.id, table.good_bid(0), keys=["once"])) == 11
