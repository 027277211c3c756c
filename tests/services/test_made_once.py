"""A table that is put back into the database is like the one that was made."""

from __future__ import annotations

import pytest
from django.db import transaction

from matches.models import Match
from matches.models.clock import FixedTime
from matches.services.replay import verify
from tests.fixtures import made_once as subject
from tests.fixtures.made_once import made_once
from tests.fixtures.present import START
from tests.services.conftest import HOUR, Table, person

pytestmark = [pytest.mark.both, pytest.mark.django_db]


def bid_upon(present: FixedTime) -> Table:
    table = Table(present).open().at(HOUR)
    assert table.act("ann", "bid", amount=3).accepted
    return table


def ordered(rows: subject.Rows) -> subject.Rows:
    """A table has no order of its own: PostgreSQL puts a row wherever one that was rolled back left room."""
    return {table: sorted(lines, key=repr) for table, lines in rows.items()}


def test_it_has_the_same_rows_and_is_played_on(present: FixedTime) -> None:
    key = object()
    with transaction.atomic():
        made_once(key, lambda: bid_upon(present), present)
        rows = ordered(subject._rows())
        transaction.set_rollback(True)
    present.instant = START
    again = made_once(key, lambda: pytest.fail("it is made again"), present)
    assert again.present is present
    assert present.instant == START + HOUR
    assert verify(again.match) == []
    assert ordered(subject._rows()) == rows
    assert again.act("bob", "bid", amount=4).accepted
    assert "bob" in again.users


def test_where_something_is_stored_already_it_is_made(present: FixedTime) -> None:
    key = object()
    with transaction.atomic():
        made_once(key, lambda: bid_upon(present), present)
        transaction.set_rollback(True)
    present.instant = START
    person("somebody")
    made = []
    made_once(key, lambda: made.append(bid_upon(present)), present)
    assert len(made) == 1
    assert Match.objects.count() == 1
