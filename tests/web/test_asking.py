"""What-ifs by pages and programs: answered from what the asker may see, kept as typed, and harmless."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from matches.games import registry
from matches.infra import rate_limits
from matches.infra.rate_limits import Buckets
from matches.models import Submission, clock
from tests.engine.tiny_game import GAME as TINY
from tests.fixtures.made_once import made_once
from tests.services.conftest import Table
from tests.web.conftest import Browser, browser


@pytest.fixture
def table(db: None, present: clock.FixedTime, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A match of the tiny game: ann, bob and cat have 10 chips each, ann has sealed 3 of them."""
    monkeypatch.setitem(registry.all_games(), TINY.slug, TINY)

    def make() -> Table:
        table = Table(present).open()
        assert table.act("ann", "bid", amount=3).accepted
        return table

    return made_once("asking", make, present)


def address(table: Table) -> str:
    return f"{table.match.get_absolute_url()}ask/"


def asked(client: Browser, url: str, *, htmx: bool = False, status: int = 200, **fields: Any) -> str:
    headers = {"HX-Request": "true"} if htmx else {}
    answer = client.get(url, {"type": "what_if", **fields}, headers=headers)
    assert answer.status_code == status, answer.content[:400]
    return answer.content.decode()


def answer_on(page: str) -> str:
    found = re.search(r"<p data-answer>(.*?)</p>", page, re.DOTALL)
    return found[1].strip() if found else ""


def error_at(page: str, field: str) -> str:
    found = re.search(rf'id="what_if{field}-error".*?<span>(.*?)</span>', page, re.DOTALL)
    return found[1].strip() if found else ""


# -- pages -------------------------------------------------------------------------------------------


def test_a_player_asks_and_keeps_what_was_typed(table: Table) -> None:
    page = asked(browser(table.users["ann"]), address(table), amount="4", others=["2", "5"])
    assert "<html" in page
    assert answer_on(page) == "A bid of 4 loses; you would have 10 of 10."
    assert 'name="amount" value="4"' in page
    assert page.count('name="others" value="') == 2


def test_a_visitor_asks_and_nothing_of_anybody_is_in_the_answer(table: Table) -> None:
    for client in (browser(), browser(table.host)):
        assert answer_on(asked(client, address(table), amount="40")) == "A bid of 40 wins and costs 40."


REFUSED = [
    ({"amount": "11"}, "-amount", "Ask about 1 to 10 chips."),
    ({"amount": "0"}, "-amount", "Ask about 1 to 10 chips."),
    ({"amount": "many"}, "-amount", "Enter a whole number, such as 3."),
    ({"amount": ""}, "-amount", "Fill in the amount."),
    ({}, "-amount", "Fill in the amount."),
]


@pytest.mark.parametrize("htmx", [False, True])
def test_a_refused_question_comes_back_as_typed_with_the_reason_at_its_field(table: Table, htmx: bool) -> None:
    for typed, field, sentence in REFUSED:
        page = asked(browser(table.users["ann"]), address(table), htmx=htmx, status=422, **typed)
        assert error_at(page, field) == sentence
        assert f'name="amount" value="{typed.get("amount", "")}" aria-invalid="true"' in page
        assert answer_on(page) == ""


def test_nothing_comes_of_asking(table: Table) -> None:
    before = table.match.public_version, table.match.state, Submission.objects.count()
    asked(browser(table.users["ann"]), address(table), amount="4")
    asked(browser(table.users["ann"]), address(table), status=422, amount="x")
    assert before == (table.match.public_version, table.match.state, Submission.objects.count())


# -- limits and rubbish ------------------------------------------------------------------------------


def test_people_are_counted_by_account_and_visitors_by_address(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    rates = Buckets(0.001, 1)
    monkeypatch.setattr(rate_limits, "action_rates", lambda: rates)
    ann, visitor, other = browser(table.users["ann"]), browser(), browser(REMOTE_ADDR="192.0.2.7")
    for client in (ann, visitor, other):
        asked(client, address(table), amount="4")
        page = asked(client, address(table), status=429, amount="4")
        assert error_at(page, "").startswith("That was too fast")
        assert 'value="4"' in page
        assert json.loads(_post(client, table, {"type": "what_if", "amount": 4}).content)["code"] == "too_many_requests"


# -- programs ----------------------------------------------------------------------------------------


def _post(client: Client, table: Table, body: Any) -> Any:
    return client.post(f"/api/v1/matches/{table.match.public_id}/ask/", body, content_type="application/json")


def test_programs_ask_with_what_their_player_knows(table: Table) -> None:
    question = {"type": "what_if", "amount": 4, "others": [3]}
    mine = _post(browser(table.users["ann"]), table, question)
    assert mine.json() == {"accepted": True, "answer": {"wins": True, "pays": 4, "left": 6}}
    assert mine["Cache-Control"] == "no-store, private"
    for client in (browser(), browser(table.host)):
        assert _post(client, table, question).json()["answer"]["left"] is None
