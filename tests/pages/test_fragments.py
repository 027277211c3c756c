"""Pieces of a part: what is sent of a text that changed."""

from __future__ import annotations

import pytest
from django.template import engines

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


def test_pieces_put_together_are_the_part_that_a_newcomer_gets() -> None:
    after = BOARD.replace(">2<", ">4<").replace(">5<", ">7<")
    found = fragments.changed(BOARD, after)
    assert found is not None
    text = BOARD
    for name, html in found.items():
        old = next(line for line in text.split("\n") if f'id="{name}"' in line)
        text = text.replace(old, html)
    assert text == after


def test_the_tag_puts_an_element_on_a_line_of_its_own() -> None:
    element = '\n<b id="lot-1" class="x"\n title="y">{{ name }}\n</b>\n'
    text = f"{{% load match_tags %}}<i>a</i>{{% fragment %}}{element}{{% endfragment %}}"
    html = engines["django"].from_string(text).render({"name": "<Ann>"})
    assert html.split("\n") == [
        "<i>a</i>",
        '<b data-fragment id="lot-1" class="x"  title="y">&lt;Ann&gt; </b>',
        "",
    ]


def test_a_piece_without_a_name_is_a_mistake_that_is_told() -> None:
    with pytest.raises(ValueError, match="first attribute its id"):
        fragments.mark('<b class="x" id="lot-1">2</b>')
