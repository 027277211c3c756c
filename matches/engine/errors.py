"""What the rules refuse with.

    Exception
    ├── Rejected      an action broke a rule; the state is as it was
    ├── ConfigError   a config or roster cannot be played; names the key
    └── Overdrawn     a rule tried to spend what is not there: a bug, never a player's fault
"""

from __future__ import annotations

NOT_A_PLAYER = "not_a_player"
MALFORMED = "malformed"
UNKNOWN_ACTION = "unknown_action"
WRONG_PHASE = "wrong_phase"
NOT_POSITIVE = "not_positive"
NOTHING_TO_WITHDRAW = "nothing_to_withdraw"
NOT_YOUR_DECISION = "not_your_decision"
NOT_ELIGIBLE = "not_eligible"
NOT_ENOUGH_GARNETS = "not_enough_garnets"


class Rejected(Exception):
    """An action that broke a rule.

    `code` is stable and for programs; `message` is for the player and says what would be
    accepted; `field` is the action's field that the message belongs to, where there is one.
    """

    def __init__(self, code: str, message: str, *, field: str | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.field = field


class ConfigError(ValueError):
    """A config or roster that cannot be played. `key` is the key to mend, `message` says how."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(f"{key}: {message}")
        self.key = key
        self.message = message


class Overdrawn(Exception):
    """A posting that would take a balance below zero: the rules must have checked before."""
