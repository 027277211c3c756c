"""Values in words."""

from __future__ import annotations

from typing import Any

import pytest

from matches.admin.plain_values import fields_in_words, value_in_words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (17, "17"),
        (True, "yes"),
        (False, "no"),
        (None, "nothing"),
        ([], "nothing"),
        ("Z", "Z"),
        (["ann", "bob"], "ann, bob"),
        ({"7": 30, "12": 4}, "7 30, 12 4"),
        ({"Treasury": {"gold": 3, "silver": 1}, "Port": {}}, "Treasury (gold 3, silver 1), Port nothing"),
        ([{"item": "ghost_coin", "auction_name": "Port"}], "(item ghost_coin, auction name Port)"),
    ],
)
def test_a_value_is_written_without_brackets_and_braces(value: Any, words: str) -> None:
    assert value_in_words(value) == words


def test_a_submission_is_written_field_by_field() -> None:
    assert fields_in_words({"seat": "Z", "use_items": {"wide_net": 1}}) == [("seat", "Z"), ("use items", "wide net 1")]
    assert fields_in_words(["a"]) == [("submission", "a")]
    assert fields_in_words(None) == []
