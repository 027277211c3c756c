"""The rules as players read them: with a match's own numbers, and without a gap."""

from __future__ import annotations

import re
from typing import Any

import pytest

from matches.models.clock import FixedTime
from tests.web.conftest import Table, browser


def words_of(url: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", browser().look(url)).split())


def rules_of(present: FixedTime, **config: Any) -> str:
    return words_of(f"{Table(present, **config).open().url}rules/")


def test_nothing_of_the_end_is_left_open(db: None, present: FixedTime) -> None:
    for rules in (rules_of(present, decision_time="7h"), words_of("/games/lowest_unique_integer/")):
        assert "to different players who have none, never to the candidate" in rules
        assert "tokens that nobody can get lapse" in rules
        assert "If nobody has won, the candidate is drawn at once." in rules
        assert "the one who alone won the most priority with seats in this match" in rules
        assert "If no one did alone, by the one who had the lowest priority when the match opened" in rules
        assert "in a tie by the first one in the list" in rules
        assert "everybody's priority, with what seats add to it" in rules.replace("&#x27;", "'")


@pytest.mark.parametrize(
    ("config", "said", "unsaid"),
    [
        ({}, "For 23 h from the start of the match", "There are no sealed bids"),
        ({}, "until the auction opens, 24 h after the start, you can only buy chips", "opens with the match"),
        ({"variant": "F11"}, "For 24 h from the start of the match", "Then sealed bids are closed"),
        (
            {"pregame_closes": "0h"},
            "There are no sealed bids in this match. The auction opens 24 h",
            "are judged one by",
        ),
        ({"pregame": "0h"}, "The auction opens with the match.", "you can only buy chips"),
    ],
)
def test_the_time_before_the_auction_is_told_as_it_is(
    db: None, present: FixedTime, config: dict[str, Any], said: str, unsaid: str
) -> None:
    rules = rules_of(present, **config)
    assert said in rules
    assert unsaid not in rules
