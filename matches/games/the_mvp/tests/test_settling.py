"""The close by itself: every row of the table of claims and flags."""

import pytest

from matches.games.the_mvp.cards import PLACES
from matches.games.the_mvp.rounds import Settled, leading, settle
from matches.games.the_mvp.state import Flagged

TEAM_OF = {"ann": "red", "bob": "green", "cat": "red", "dan": "green"}


def closed(red: int, green: int, flag: str | None) -> Settled:
    """U at the close, with these chips of ann's and bob's on it."""
    bids = {player: amount for player, amount in (("ann", red), ("bob", green)) if amount}
    return settle(PLACES, {"U": bids} if bids else {}, {"U": flag} if flag else {}, TEAM_OF)


@pytest.mark.parametrize(("red", "green", "flag"), [(3, 2, "red"), (3, 0, "red"), (2, 2, "red"), (2, 3, "green")])
def test_the_flag_claims_unless_the_other_team_has_more(red: int, green: int, flag: str) -> None:
    done = closed(red, green, flag)
    assert [(each.place, each.team) for each in done.claims] == [("U", flag)]
    assert done.claims[0].bids == ({"ann": red} if flag == "red" else {"bob": green})
    assert (done.flags, done.standing, done.flagged) == ({}, {}, ())


@pytest.mark.parametrize(
    ("red", "green", "flag", "new"), [(3, 2, None, "red"), (0, 1, None, "green"), (2, 3, "red", "green")]
)
def test_more_chips_flag(red: int, green: int, flag: str | None, new: str) -> None:
    done = closed(red, green, flag)
    most = max(red, green)
    assert not done.claims
    assert done.flags == {"U": new}
    assert done.flagged == (Flagged("U", new, most),)
    assert done.standing == {"U": {"ann" if new == "red" else "bob": most}}
    loser, back = ("bob", green) if new == "red" else ("ann", red)
    assert done.returned == ({loser: {"U": back}} if back else {})


@pytest.mark.parametrize("each", [0, 2])
def test_equal_chips_without_a_flag_change_nothing(each: int) -> None:
    done = closed(each, each, None)
    assert (done.claims, done.flagged, done.flags, done.returned) == ((), (), {}, {})
    assert done.standing == ({"U": {"ann": 2, "bob": 2}} if each else {})


def test_nearly_exposed_and_hidden_cards_are_not_compared() -> None:
    done = settle(PLACES, {"P": {"ann": 1, "bob": 9}}, {}, TEAM_OF)
    assert (done.claims, done.flagged, done.returned) == ((), (), {})
    assert done.standing == {"P": {"ann": 1, "bob": 9}}


def test_a_card_that_is_uncovered_is_flagged_and_not_claimed() -> None:
    done = settle(PLACES, {"U": {"ann": 1}, "P": {"ann": 1, "bob": 9}}, {"U": "red"}, TEAM_OF)
    assert [each.place for each in done.claims] == ["U"]
    assert done.flagged == (Flagged("P", "green", 9),)
    assert done.returned == {"ann": {"P": 1}}


def test_what_a_newly_flagged_card_covers_is_left_alone() -> None:
    done = settle(PLACES, {"U": {"ann": 1}, "P": {"ann": 5}, "J": {"ann": 5}}, {"U": "red"}, TEAM_OF)
    assert [each.place for each in done.flagged] == ["P"]


def test_teams_are_added_up() -> None:
    assert leading({"ann": 2, "cat": 2, "bob": 3}, TEAM_OF) == "red"
    assert leading({"ann": 2, "cat": 2, "bob": 3, "dan": 1}, TEAM_OF) is None
    assert leading({}, TEAM_OF) is None
