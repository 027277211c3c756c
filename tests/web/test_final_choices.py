"""A final choice is asked once more before it is sent, with scripts and without."""

import html
import re
from typing import Any

import pytest

from matches.models.clock import FixedTime
from tests.web.conftest import Table, browser

CHOICE = {"type": "name_candidate", "player": "bob"}


@pytest.fixture
def naming(db: None, present: FixedTime) -> Table:
    """Ann has won, and names bob or cat."""
    return Table(present).open().at(24).bid("ann", "V", 1).at(50)


def send(table: Table, htmx: bool = False, **fields: Any) -> Any:
    headers = {"HX-Request": "true"} if htmx else {}
    return browser(table.users["ann"]).post(f"{table.url}act/", {**CHOICE, **fields}, headers=headers)


def is_made(table: Table) -> bool:
    return bool(table.match.log.filter(kind="action", payload__contains="name_candidate").exists())


def yes_in(answer: Any) -> str:
    """What the button says that makes the choice."""
    found = re.search(r'name="sure" value="([^"]*)"', answer.content.decode())
    assert found
    return html.unescape(found[1])


def test_without_scripts_a_page_asks(naming: Table) -> None:
    answer = send(naming, key="one")
    assert answer.status_code == 200
    text = answer.content.decode()
    assert "Are you sure?" in text
    for field in ('name="type" value="name_candidate"', 'name="player" value="bob"', 'name="key" value="one"'):
        assert field in text
    assert not is_made(naming)
    assert send(naming, key="one", sure=yes_in(answer)).status_code == 302
    assert is_made(naming)


def test_yes_is_to_one_choice_alone(naming: Table) -> None:
    sure = yes_in(send(naming))
    assert "Are you sure?" in send(naming, player="cat", sure=sure).content.decode()
    assert not is_made(naming)
