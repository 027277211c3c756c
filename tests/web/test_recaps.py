"""The recap of a match: what everybody was told, to paste into a chat."""

from __future__ import annotations

import re
from html import unescape

import pytest

from matches.models import Player, clock
from matches.pages.recaps import discord_pieces, for_discord
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


def test_before_the_match_there_is_nothing(table: Table) -> None:
    from datetime import timedelta

    from matches.services.hosting import publish
    from tests.fixtures.present import START

    publish(table.match, table.users["dora"], starts_at=START + timedelta(hours=9))
    page = browser().look(f"{table.url}recap/")
    assert "The result" not in page
    assert "picture.png?v=" in page


def test_it_is_the_same_for_everybody_and_holds_nothing_private(table: Table) -> None:
    table.open().bid("ann", "Z", 3)  # sealed, so told to ann alone
    pages = {name: texts(browser(table.users.get(name)).look(f"{table.url}recap/")) for name in ("", "ann", "bob")}
    assert pages[""] == pages["ann"] == pages["bob"]
    assert all(
        "3" not in text.replace(table.url, "").replace("127.0.0.1", "") for text in pages[""].values() if "bid" in text
    )


def test_a_draft_has_no_recap(table: Table) -> None:
    assert browser().get(f"{table.url}recap/").status_code == 404


def test_names_are_no_markup(table: Table) -> None:
    Player.objects.filter(match=table.match_id, handle="ann").update(name="**a||nn** <b> @everyone")
    table.open().finish()
    page = browser().look(f"{table.url}recap/")
    assert "<b>" not in page
    text = texts(page)["result-discord-1"]
    assert r"Winner: \*\*a\|\|nn\*\* \<b\> @​everyone." in text
    assert "Winner: **a||nn** <b> @everyone." in texts(page)["result-plain"]


def test_a_long_part_comes_in_pieces_that_a_message_can_hold() -> None:
    pieces = discord_pieces(
        "A match · Round 1", ["x" * 5000, *(f"line {n} |" for n in range(300))], "https://x.example/"
    )
    assert len(pieces) > 2
    assert all(len(piece) <= 2000 and piece.startswith("**A match · Round 1**\n||") for piece in pieces)
    assert all(piece.replace("\\|", "").count("||") % 2 == 0 for piece in pieces)
    assert [piece.endswith("<https://x.example/>") for piece in pieces] == [False] * (len(pieces) - 1) + [True]
    assert sum(piece.count("line ") for piece in pieces) == 300


def test_a_line_is_one_line() -> None:
    assert for_discord("a\n# b\r\n\t`c`") == r"a # b \`c\`"
