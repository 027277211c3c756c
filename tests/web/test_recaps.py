"""The recap of a match: what everybody was told, to paste into a chat."""

from __future__ import annotations

import re
from html import unescape

import pytest

from matches.models import clock
from tests.web.conftest import Table, browser

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(present: clock.FixedTime) -> Table:
    return Table(present)


def texts(page: str) -> dict[str, str]:
    """The texts to copy, by the ids of their fields."""
    found = re.findall(r'<textarea id="([\w-]+)"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    return {id: unescape(text) for id, text in found}


def test_each_round_and_the_result_have_a_text(table: Table) -> None:
    table.open().finish()
    found = texts(browser().look(f"{table.url}recap/"))
    assert next(id for id in found if id.endswith("-plain")) == "result-plain"
    result = found["result-discord-1"]
    assert result.startswith("**Night table · The result**\n||Winner: ann.||\n")
    assert result.endswith(f"<http://127.0.0.1:8000{table.url}>")
    assert "||" not in found["result-plain"]
    assert "Winner: ann.\n" in found["result-plain"]
    auction = next(text for id, text in found.items() if "The auction (" in text and "discord" in id)
    assert "ann has won Y" in auction or "ann wins Y" in auction, auction
    assert "bids" not in auction.partition("\n")[2].replace("bid on", ""), "single bids are left out"


def test_it_is_the_same_for_everybody_and_holds_nothing_private(table: Table) -> None:
    table.open().bid("ann", "Z", 3)  # sealed, so told to ann alone
    pages = {name: texts(browser(table.users.get(name)).look(f"{table.url}recap/")) for name in ("", "ann", "bob")}
    assert pages[""] == pages["ann"] == pages["bob"]
    assert all(
        "3" not in text.replace(table.url, "").replace("127.0.0.1", "") for text in pages[""].values() if "bid" in text
    )
