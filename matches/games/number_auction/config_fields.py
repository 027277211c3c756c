"""The form field in which hosts type a fixed order of the numbers, with a line for each round.

This is the only file of the folder that may use Django; the hosts' console finds `FIELDS` automatically.
"""

import re
from collections.abc import Mapping
from typing import Any

from django import forms

from matches.engine.errors import ConfigError
from matches.engine.sentences import joined, sentence
from matches.games.number_auction.config import NumberOrder
from matches.games.number_auction.scoring import HIGHEST

_BETWEEN = re.compile(r"[\s,;]+")
_LONGEST = 1_000


class OrderField(forms.CharField):
    """A field for all numbers in the order of their auction; cleans to a list of numbers, or None if empty."""

    def __init__(self, setting: NumberOrder, values: Mapping[str, Any]) -> None:
        self.setting = setting
        self.each: int = values["numbers_per_round"]
        lines = values["rounds"]
        attrs = {"rows": min(lines, 10), "cols": 40, "autocomplete": "off", "spellcheck": "false"}
        super().__init__(
            max_length=_LONGEST,
            required=False,
            widget=forms.Textarea(attrs=attrs),
            help_text=(
                "If you leave this empty, the site draws the order. To set it, for example for a rematch, write all "
                f"numbers from 1 to {HIGHEST}, each once, from round 1 on, ideally in {lines} lines of {self.each}. "
                "Players see the numbers of a round only when it begins."
            ),
        )

    def prepare_value(self, value: Any) -> str:
        """The stored order with a line for each round; typed text stays as it is."""
        if not isinstance(value, list | tuple):
            return value or ""
        lines = [value[first : first + self.each] for first in range(0, len(value), self.each)]
        return "\n".join(" ".join(map(str, line)) for line in lines)

    def clean(self, value: Any) -> list[int] | None:
        """Return the numbers as a list. Raises `ValidationError` with everything that is wrong."""
        words = [word for word in _BETWEEN.split(super().clean(value)) if word]
        if not words:
            return None
        if strange := [f"“{word[:20]}”" for word in words if not (word.isascii() and word.isdecimal())]:
            are = "is not a number" if len(strange) == 1 else "are not numbers"
            raise forms.ValidationError(
                f"{joined(strange)} {are}; write the numbers from 1 to {HIGHEST} with spaces between them."
            )
        numbers = [int(word) for word in words]
        try:
            self.setting.read(numbers)
        except ConfigError as error:
            raise forms.ValidationError(sentence(error.message)) from None
        return numbers


FIELDS = {"numbers": OrderField}
