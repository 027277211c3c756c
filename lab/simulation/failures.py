"""What a simulation says when something is wrong."""

from __future__ import annotations


class Failed(BaseException):
    """An invariant does not hold. `rule` names it, the text says what was seen.

    No `Exception`, because the product's own code, inside of which it may be raised, handles those.
    """

    def __init__(self, rule: str, seen: str) -> None:
        super().__init__(f"{rule}: {seen}")
        self.rule, self.seen = rule, seen


class Died(BaseException):
    """The simulated process that runs has been killed here. Nothing that it does on its way out counts."""


def need(holds: object, rule: str, seen: object = "") -> None:
    """Raise `Failed` unless it holds."""
    if not holds:
        raise Failed(rule, str(seen))
