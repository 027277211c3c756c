"""What PostgreSQL wants to be tried again is tried again as a whole; a full house is a clear refusal."""

import pytest
from django.db import OperationalError


class _State(Exception):
    def __init__(self, sqlstate: str) -> None:
        self.sqlstate = sqlstate


@pytest.mark.django_db(transaction=True)
def test_an_action_whose_transaction_is_lost_once_is_stored_once(present, monkeypatch):
    from matches.services.storage import log
    from tests.services.conftest import Table

    table = Table(present).open()
    right, failed = log.append, []

    def lose_once(match, row):
        appended = right(match, row)
        if not failed:
            failed.append(1)
            raise OperationalError("could not serialize access") from _State("40001")
        return appended

    monkeypatch.setattr(log, "append", lose_once)
    assert table.act("ann", "buy_chips", count=1).accepted
    assert table.match.log.filter(kind="action").count() == 1
    assert table.holding("ann", "garnet") == 8
