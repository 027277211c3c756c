"""The exceptions that the rules raise.

Exception
├── Rejected      an action broke a rule; the state is as it was
├── ConfigError   a config or roster cannot be played; names the key
└── Overdrawn     a rule tried to spend what is not there: a bug, never a player's fault
"""

import re

_LONGEST_MESSAGE = 600
_LONGEST_FIELD = 199  # with the ellipsis of `printable` 200, the most that the log can hold

NOT_A_PLAYER = "not_a_player"
MALFORMED = "malformed"
WRONG_PHASE = "wrong_phase"
NOT_POSITIVE = "not_positive"
NOTHING_TO_WITHDRAW = "nothing_to_withdraw"
NOT_YOUR_DECISION = "not_your_decision"
NOT_ELIGIBLE = "not_eligible"
NOT_ENOUGH_GARNETS = "not_enough_garnets"


def printable(text: str, longest: int) -> str:
    """Make text that may repeat what somebody typed safe for every screen, log and database: no control
    characters, nothing that UTF-8 cannot encode, and a limited length."""
    shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text[:longest])
    return shown if len(text) <= longest else f"{shown}…"


class Rejected(Exception):
    """An action that broke a rule.

    `code` is stable and for programs; `message` is for the player and says what would be
    accepted; `field` is the path of the field of the action that the message is about, if there is one:
    `bids.7`, `bids.Treasury.gold`, `items[0].auction`.
    """

    def __init__(self, code: str, message: str, *, field: str | None = None) -> None:
        self.code = code
        self.message = printable(message, _LONGEST_MESSAGE)
        self.field = None if field is None else printable(field, _LONGEST_FIELD)
        super().__init__(f"{code}: {self.message}")


class ConfigError(ValueError):
    """A config or roster that cannot be played. `key` is the key to correct, or a path into it such as
    `rounds[1].limit`; `message` says how. `beside` lists the other settings with which it must agree.
    `told`: a sentence for hosts."""

    def __init__(self, key: str, message: str, *, beside: tuple[str, ...] = (), told: str = "") -> None:
        self.key = printable(key, 60)
        self.beside = beside
        self.message = printable(message, _LONGEST_MESSAGE)
        self.told = told or f"The rules do not allow the setting {self.key}: {self.message}."
        super().__init__(f"{self.key}: {self.message}")

    @property
    def setting(self) -> str:
        """The setting's key, without the rest of the path."""
        return re.split(r"[.\[]", self.key, maxsplit=1)[0]


class Overdrawn(Exception):
    """A posting that would take a balance below zero: the rules must have checked before."""


# -- what msgspec says ----------------------------------------------------------------------------

_NAMES = {
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "float": "a number with a point",
    "array": "a list",
    "object": "an object",
    "null": "nothing",
}
_EXPECTED = re.compile(r"Expected `([^`]*)`, got `([^`]*)`")
_BOUND = re.compile(r"Expected `int` (>=|<=) (-?[0-9]+)")
_SIDES = {">=": "least", "<=": "most"}


def in_plain_words(message: str) -> str:
    """Return msgspec's message about a value with plain words for its type names."""
    message = _EXPECTED.sub(lambda types: f"expected {_name(types[1])}, got {_name(types[2])}", message)
    message = _BOUND.sub(lambda bound: f"expected a whole number of at {_SIDES[bound[1]]} {bound[2]}", message)
    return message.replace("`", '"')


def _name(types: str) -> str:
    return " or ".join(_NAMES.get(word, word) for word in types.split(" | "))
