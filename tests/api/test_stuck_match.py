"""Actions at a match that somebody else keeps locked are asked to come back, and nobody else notices."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from matches.models import Submission
from tests.fixtures.locks import kept_match
from tests.fixtures.site import Site
from tests.fixtures.table import Person, Table, request, running

pytestmark = pytest.mark.services


@pytest.fixture
def tables(site: Site, _no_rates: None) -> list[Table]:
    return running(site, matches=2)


def knock(table: Table, times: int) -> list[Any]:
    """What the stuck match's players send, by token and by session, all at once."""
    bodies = [(person, {"type": "bid", "seat": "A1", "amount": 1}) for person in table.people] * times
    for person in table.people:
        person.cookies()  # signs in, before the threads do it all at once
    return [(person, body, ("token", "session")[number % 2]) for number, (person, body) in enumerate(bodies)]


def test_who_acts_in_it_is_told_when_to_come_back_and_others_are_taken_meanwhile(tables: list[Table]) -> None:
    stuck, other = tables
    rows = Submission.objects.count()
    with kept_match(stuck.match.pk), ThreadPoolExecutor(24) as pool:
        waiting = [pool.submit(person.post, body, by=by) for person, body, by in knock(stuck, 8)]
        taken = [other.people[place % 3].post(other.good_bid(place % 3)) for place in range(6)]
        page = request(stuck.site, "GET", f"/api/v1/matches/{stuck.id}/")
        still_waiting = sum(not one.done() for one in waiting)
        answers = [one.result() for one in waiting]
    assert [answer.status for answer in taken] == [200] * 6
    assert page.status == 200
    assert still_waiting, "the others were answered only after everybody at the stuck match"
    assert {(answer.status, answer.code, answer.headers["Retry-After"]) for answer in answers} == {(503, "busy", "2")}
    assert Submission.objects.count() == rows + 6


def test_the_same_again_is_taken_when_the_lock_is_given_up(tables: list[Table]) -> None:
    ann: Person = tables[0].people[0]
    bid = tables[0].good_bid(0)
    with kept_match(tables[0].match.pk):
        assert ann.post(bid, Idempotency_Key="one").code == "busy"
    assert ann.post(bid, Idempotency_Key="one").body["accepted"]
