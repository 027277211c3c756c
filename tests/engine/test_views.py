"""What views say of players besides what is in them."""

from matches.engine.views import places_by


def test_places_are_those_of_what_has_been_reached_and_shared_by_those_who_are_level() -> None:
    assert places_by({"ann": 3, "bob": 5, "cat": 3}) == {"ann": 2, "bob": 1, "cat": 2}
    assert places_by({"ann": (1, 0), "bob": (0, 9), "cat": (1, 2)}) == {"ann": 2, "bob": 3, "cat": 1}
    assert places_by({}) == {}
