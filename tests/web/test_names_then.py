"""Who takes over a place has done nothing of what was done there before: records name people as of then."""

import re
from html import unescape
from typing import Any

import pytest

from matches.models import Match
from matches.pages.replays import Replay
from matches.queries.access import viewer_of
from matches.services import hosting
from tests.web.conftest import Table, browser


@pytest.mark.django_db
@pytest.mark.parametrize("leaves_first", [False, True])
def test_records_of_a_match_name_who_did_what_then(present: Any, leaves_first: bool) -> None:
    """The handle ann is her username, so eve, who comes for her, is not shown by it."""
    table = Table(present).open().at(1)
    dora, eve = table.users["dora"], table.users["eve"]
    table.bid("ann", "Z", 1).bid("bob", "Z", 5).bid("cat", "Y", 3).at(24.5)
    if leaves_first:
        hosting.withdraw_player(table.match, dora, table.player("ann"), bot=True)
    hosting.correct_balance(table.match, dora, table.player("ann"), "garnet", 1, "Before.")
    hosting.substitute(table.match, dora, table.player("ann"), eve)
    hosting.correct_balance(table.match, dora, table.player("ann"), "garnet", 1, "After.")
    table.users["ann"] = eve
    table.at(25).bid("ann", "Y", 4).at(24 * 8)
    assert table.match.status == Match.Status.FINISHED

    def found(pattern: str, page: str) -> list[Any]:
        """What of a page says this, in its order."""
        html = browser().look(table.url + page)
        return re.findall(pattern, " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split()))

    assert found(r"(\w+) ([YZ]) \d chip", "history/") == [("eve", "Y"), ("cat", "Y"), ("bob", "Z"), ("ann", "Z")]
    gifts = [("eve", "After"), ("ann", "Before")]
    assert found(r"gave 1 garnet to (\w+) ?: “(\w+)", "history/") == gifts
    assert found(r"(\w+) bids (\d)", "news/") == [("eve", "4"), ("cat", "3"), ("bob", "5"), ("ann", "1")]
    assert found(r"(\w+) Bid: amount (\d)", "log/") == [("ann", "1"), ("bob", "5"), ("cat", "3"), ("eve", "4")]
    assert found(r"Gave 1 garnet to (\w+)", "log/") == ["ann", "eve"]
    assert found(r"(\w+) bob took the lead from (\w+)", "result/") == [("ann", "ann")]
    assert found(r"(\w+) won with 4 on Y", "result/") == ["eve", "eve"], "and once more in what is passed on"

    replay = Replay(viewer_of(table.match, dora))
    told = " ".join(said for moment in replay.moments for said in replay.sentences(moment))
    assert re.findall(r"(\w+) (?:seals|bids) [^.]*?(\d)", told) == [
        *(("ann", "1"), ("bob", "5"), ("cat", "3")) * 2,
        ("eve", "4"),
    ]
    names = [re.search(r">(ann|eve)<", replay.parts(index)["players"]) for index in (1, -1)]
    assert [name and name[1] for name in names] == ["ann", "eve"]
