"""Pieces of a part: what is sent of a text that changed."""

import pytest

from matches.live.snapshots import Snapshot
from matches.pages import fragments

BOARD = '<div>\n<b data-fragment id="lot-1">2</b>\n\n<b data-fragment id="lot-2">5</b>\n</div>'


def snapshot(stamp: int, **parts: str) -> Snapshot:
    return Snapshot(stamp, {"version": stamp}, parts, "parts")


def test_of_a_part_only_the_pieces_that_changed_are_sent() -> None:
    after = BOARD.replace(">5<", ">7<")
    assert fragments.changed(BOARD, after) == {"lot-2": '<b data-fragment id="lot-2">7</b>'}
    sent = snapshot(2, board=after, feed="f").fields(snapshot(1, board=BOARD, feed="f"))
    assert sent == {"version": 2, "parts": {"lot-2": '<b data-fragment id="lot-2">7</b>'}}


@pytest.mark.parametrize(
    "after",
    [
        BOARD.replace("<div>", '<div class="won">'),
        BOARD.replace("lot-2", "lot-3"),
        BOARD + "\n<p>over</p>",
        BOARD.replace('<b data-fragment id="lot-2">5</b>', ""),
        "",
    ],
)
def test_where_anything_else_changed_the_whole_part_is_sent(after: str) -> None:
    assert fragments.changed(BOARD, after) is None
    assert snapshot(2, board=after).fields(snapshot(1, board=BOARD))["parts"] == {"board": after}
