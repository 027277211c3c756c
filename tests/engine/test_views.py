"""What views say of players besides what is in them."""

from matches.engine.views import Ask, Due, places_by


def test_places_are_those_of_what_has_been_reached_and_shared_by_those_who_are_level() -> None:
    assert places_by({"ann": 3, "bob": 5, "cat": 3}) == {"ann": 2, "bob": 1, "cat": 2}
    assert places_by({"ann": (1, 0), "bob": (0, 9), "cat": (1, 2)}) == {"ann": 2, "bob": 3, "cat": 1}
    assert places_by({}) == {}


def test_what_is_not_due_says_that_one_can() -> None:
    assert Ask("answer", "Answer round 1. It closes soon.").what == "You can answer round 1."
    assert Ask("bid", "You can bid.").what == "You can bid."
    assert Due("place", "Place your number.").what == "Place your number."
