"""What a finished match publishes of its players."""

from typing import Any

from matches.engine.views import Outcome


def test_a_place_is_told_only_where_the_scores_say_who_has_won() -> None:
    def places(winners: tuple[str, ...], **scores: Any) -> list[int | None]:
        outcome = Outcome(winners, {}, (), scores, {})
        return [outcome.place_of(each) for each in ("ann", "bob", "cat")]

    assert places(("bob",), ann=3, bob=5, cat=3) == [2, 1, 2]
    assert places(("ann", "bob"), ann=5, bob=5, cat=3) == [1, 1, 3]
    assert places(("ann",), ann=3, bob=5, cat=1) == [None] * 3, "something else has decided"
    assert places(("bob",), ann=[3], bob=[5], cat=[1]) == [None] * 3
    assert places((), ann=3, bob=3) == [None] * 3
