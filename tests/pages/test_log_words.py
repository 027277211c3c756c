"""A row of the log in words: what was sent, and nothing of what was left empty."""

from __future__ import annotations

from typing import Any

import pytest

from matches.pages.log_words import action_in_words


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (
            {
                "type": "bid",
                "bids": {"Mill": {"gold": 1, "silver": 0}, "Port": {}},
                "items": [],
                "lift_bid_limit": False,
            },
            "Bid: bids (Mill: (gold: 1))",
        ),
        ({"type": "bid", "bids": {}, "items": [], "lift_bid_limit": True}, "Bid: lift bid limit yes"),
        ({"type": "bid", "seat": "Y", "amount": 0, "up_to": None}, "Bid: seat Y, amount 0"),
        ({"type": "vote", "player": "ann"}, "Vote: player Ann"),
    ],
)
def test_an_action_says_what_is_in_it(sent: dict[str, Any], said: str) -> None:
    assert action_in_words(sent, {"ann": "Ann"}) == said
