"""What PostgreSQL wants to be tried again is tried again as a whole; a full house is a clear refusal."""

import pytest
from django.db import OperationalError

from matches.services.errors import Busy, retrying


class _State(Exception):
    def __init__(self, sqlstate: str) -> None:
        self.sqlstate = sqlstate


def failing(times: int, sqlstate: str = "40001", text: str = "could not serialize access"):
    calls = []

    @retrying
    def work() -> int:
        calls.append(1)
        if len(calls) <= times:
            raise OperationalError(text) from _State(sqlstate)
        return len(calls)

    return work, calls


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("sqlstate", ["40001", "40P01"])
def test_a_serialization_failure_or_deadlock_is_tried_again(sqlstate):
    work, _ = failing(2, sqlstate)
    assert work() == 3


@pytest.mark.django_db(transaction=True)
def test_a_database_that_somebody_else_keeps_locked_is_refused_and_not_a_crash():
    work, calls = failing(99, "", "database is locked")
    with pytest.raises(Busy):
        work()
    assert len(calls) == 1


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
