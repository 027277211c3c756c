"""The checker of histories: a good one passes, and each fault that is planted in it is found by its name."""

from collections.abc import Callable
from typing import Any

import pytest

from lab.crash import checker
from lab.crash.checker import Attempt, Row


def bid(seat: str, amount: int) -> dict[str, Any]:
    return {"type": "bid", "seat": seat, "amount": amount}


def buy(count: int) -> dict[str, Any]:
    return {"type": "buy_chips", "count": count}


class History:
    """ann and bob bid and buy; of one action the first answer is lost, and one is refused."""

    def __init__(self) -> None:
        self.attempts = [
            self.answered("ann", "a1", bid("Z", 3), 0, number=1),
            self.answered("bob", "b1", bid("Y", 3), 2, status=422, code="amount_taken"),
            Attempt("m", "bob", "b2", bid("Z", 4), "web1", sent=4),
            self.answered("bob", "b2", bid("Z", 4), 10, number=1),
            self.answered("ann", "a2", buy(5), 12, number=2),
            self.answered("ann", "a2", buy(5), 20, number=2),
            self.answered("bob", "b3", buy(1), 14, status=503, code="busy"),
        ]
        self.rows = [
            self.row(1, "ann", "a1", bid("Z", 3), own=1),
            self.row(2, "bob", "b1", bid("Y", 3), code="amount_taken"),
            self.row(3, "bob", "b2", bid("Z", 4), own=1),
            self.row(4, "ann", "a2", buy(5), own=2),
        ]

    @staticmethod
    def answered(
        player: str, key: str, body: dict[str, Any], sent: float, *, status: int = 200, number: int = 0, code: str = ""
    ) -> Attempt:
        answer = {"code": code} if code else {"receipt": {"hash": f"hash of {key}", "number": number}}
        return Attempt("m", player, key, body, "web1", sent, sent + 1, status, answer)

    @staticmethod
    def row(number: int, player: str, key: str, body: dict[str, Any], own: int | None = None, code: str = "") -> Row:
        return Row("m", number, player, key, body, not code, code, own, f"hash of {key}")

    def found(self) -> set[str]:
        return {each.kind for each in checker.check(self.attempts, self.rows)}


def answer_of_nothing(history: History) -> None:
    del history.rows[3]


def refusal_of_nothing(history: History) -> None:
    del history.rows[1]


def twice(history: History) -> None:
    history.rows.append(history.row(5, "ann", "a2", buy(5), own=3))


def second_receipt(history: History) -> None:
    history.attempts[5] = history.answered("ann", "a2", buy(5), 20, number=3)


def stored_though_busy(history: History) -> None:
    history.rows.append(history.row(5, "bob", "b3", buy(1), own=2))


def stored_though_refused(history: History) -> None:
    history.attempts[4:6] = [history.answered("ann", "a2", buy(5), 12, status=422, code="not_enough_garnets")]


def never_sent(history: History) -> None:
    history.rows.append(history.row(5, "bob", "b9", buy(1), own=2))


def another_action(history: History) -> None:
    history.rows[3] = history.row(4, "ann", "a2", buy(6), own=2)


def half_an_action(history: History) -> None:
    history.rows[3] = history.row(4, "ann", "a2", buy(5), own=3)


def later_one_first(history: History) -> None:
    """The purchase was sent only when the bid had been answered."""
    last = history.rows[3]._replace(number=0)
    history.rows[3:] = []
    history.rows[0:0] = [last._replace(own_number=1)]
    history.rows[1] = history.rows[1]._replace(own_number=2)
    history.attempts[0] = history.answered("ann", "a1", bid("Z", 3), 0, number=2)
    history.attempts[4:6] = [history.answered("ann", "a2", buy(5), 12, number=1)]


def test_a_good_history_has_nothing_wrong() -> None:
    assert checker.check(History().attempts, History().rows) == []


def test_an_answer_that_nobody_got_may_have_had_its_effect_or_not() -> None:
    history = History()
    history.attempts[3:4] = []
    assert history.found() == set()
    history.rows[2:3] = []
    assert history.found() == set()


def test_a_failure_of_which_nobody_knows_may_be_stored_or_not() -> None:
    """Of a commit that failed nobody knows: `database_unavailable` does not say that nothing was stored."""
    history = History()
    history.attempts[6] = history.answered("bob", "b3", buy(1), 14, status=503, code="database_unavailable")
    assert history.found() == set()
    stored_though_busy(history)
    assert history.found() == set()


@pytest.mark.parametrize(
    ("plant", "kind"),
    [
        (answer_of_nothing, "lost"),
        (refusal_of_nothing, "lost"),
        (twice, "doubled"),
        (second_receipt, "doubled"),
        (stored_though_busy, "refused but stored"),
        (stored_though_refused, "refused but stored"),
        (never_sent, "nobody's"),
        (another_action, "changed"),
        (half_an_action, "half"),
        (later_one_first, "order"),
    ],
)
def test_each_planted_fault_is_found(plant: Callable[[History], None], kind: str) -> None:
    history = History()
    plant(history)
    assert kind in history.found()
