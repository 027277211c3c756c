"""Twin matches that differ only in what a viewer may not know give that viewer the same pages, to the byte."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from matches import clock
from matches.games.number_auction.tests.at_table import AtTable
from matches.games.number_auction.tests.table import ASCENDING
from tests.web.conftest import browser
from tests.web.test_secrecy import masked

Story = Callable[[AtTable], object]

PAGES = (
    "",
    "parts/",
    "rules/",
    "history/",
    "news/",
    "result/",
    "log/",
    "ask/",
    "ask/?type=what_if&numbers=1&numbers=7",
)
LISTS = ("/", "/matches/", "/me/", "/games/number_auction/")
TYPED = ({"type": "bid", "bids[6]": "9"}, {"type": "bid", "bids[1]": "100"}, {"type": "buy_tokens"})
ONE_ROUND = {"rounds": 1, "numbers_per_round": 50}
REVERSED = [*ASCENDING[:10], *reversed(ASCENDING[10:])]


def seen_by(viewer: str, table: AtTable) -> dict[str, tuple[int, str]]:
    """Everything that the viewer gets, by page, without what is random by itself."""
    client = browser(table.users.get(viewer))
    answers = {page: client.get(table.url + page) for page in PAGES} | {page: client.get(page) for page in LISTS}
    for number, typed in enumerate(TYPED):
        answers[f"typed {number}"] = client.post(f"{table.url}preview/", typed)
    return {page: (answer.status_code, masked(answer.content.decode(), table)) for page, answer in answers.items()}


Pages = dict[tuple[str, str], tuple[int, str]]


def world(story: Story, viewers: tuple[str, ...], present: clock.FixedTime, config: dict[str, Any]) -> Pages:
    """(viewer, page) -> what is seen there after the story; then nothing of it has ever happened."""
    with transaction.atomic():
        table = AtTable(present, **config)
        story(table)
        seen = {(viewer, page): text for viewer in viewers for page, text in seen_by(viewer, table).items()}
        transaction.set_rollback(True)
    return seen


def nothing(table: AtTable) -> None:
    """Nobody does anything."""


def to_round_two(table: AtTable) -> AtTable:
    """Ann takes 1 for 20, which bob has bid."""
    return table.bid("ann", n1=30).bid("bob", n1=20).at(25)


# name -> two stories, and the settings of each
TWINS: dict[str, tuple[Story, Story, dict[str, Any], dict[str, Any]]] = {
    "sealed bids or none": (lambda table: table.bid("ann", n1=30, n2=90), nothing, {}, {}),
    "which sealed bids": (lambda table: table.bid("ann", n1=30), lambda table: table.bid("ann", n5=99, n2=99), {}, {}),
    "who has sealed": (lambda table: table.bid("ann", n1=30), lambda table: table.bid("bob", n1=30), {}, {}),
    "how often": (lambda table: table.bid("ann", n1=3).bid("ann", n2=5), lambda table: table.bid("ann", n1=1), {}, {}),
    "tokens bought": (lambda table: table.buy("ann").buy("ann"), nothing, {}, {}),
    "tokens bought in the pregame": (lambda table: table.buy("ann"), nothing, {"pregame": "5h"}, {"pregame": "5h"}),
    "bids that lost": (
        lambda table: to_round_two(table.bid("cat", n1=1).bid("cat", n1=1)),
        lambda table: to_round_two(table),
        {},
        {},
    ),
    "a tie, or no bid at all": (
        lambda table: table.bid("ann", n4=7).bid("bob", n4=7).at(25),
        lambda table: table.at(25),
        {},
        {},
    ),
    "who bid the price": (
        lambda table: table.bid("ann", n1=9).bid("bob", n1=7).at(25),
        lambda table: table.bid("ann", n1=9).bid("bob", n1=7, n2=7).bid("ann", n1=9, n2=7).at(25),
        {},
        {},
    ),
    "later numbers": (to_round_two, to_round_two, {"numbers": ASCENDING}, {"numbers": REVERSED}),
    "losing bids while the candidate is named": (
        lambda table: table.bid("ann", n40=9, n7=5).bid("bob", n40=2, n7=5).at(25),
        lambda table: table.bid("ann", n40=9, n7=8).bid("bob", n40=2, n7=8).at(25),
        ONE_ROUND,
        ONE_ROUND,
    ),
}


# What cat does is no secret to cat.
WITHOUT_CAT = {"bids that lost"}


@pytest.mark.parametrize("name", TWINS)
def test_a_secret_changes_not_a_byte(db: None, present: clock.FixedTime, name: str) -> None:
    viewers = ("visitor",) if name in WITHOUT_CAT else ("visitor", "cat")
    one, other, config, other_config = TWINS[name]
    seen, twin = world(one, viewers, present, config), world(other, viewers, present, other_config)
    assert [place for place in seen if seen[place] != twin[place]] == []


def test_the_comparison_would_find_a_leak(db: None, present: clock.FixedTime) -> None:
    """The control: who has won a number is for everybody."""
    viewers = ("visitor", "eve", "cat")
    one = world(to_round_two, viewers, present, {})
    other = world(lambda table: table.bid("ann", n1=20).bid("bob", n1=30).at(25), viewers, present, {})
    for viewer in viewers:
        assert one[viewer, ""] != other[viewer, ""]
        assert one[viewer, "parts/"] != other[viewer, "parts/"]


def test_its_owner_sees_what_is_sealed(db: None, present: clock.FixedTime) -> None:
    sealed = world(lambda table: table.bid("ann", n1=30), ("ann",), present, {})
    assert sealed["ann", ""] != world(nothing, ("ann",), present, {})["ann", ""]


def test_public_parts_name_no_sealed_bid(at_table: AtTable) -> None:
    client = browser(at_table.bid("ann", n2=73).users["ann"])
    parts = client.get(f"{at_table.url}parts/").json()["parts"]
    assert 'value="73"' in parts["act"]
    assert [name for name in parts if re.search(r"\b73\b", parts[name])] == ["panel", "act"]
