"""A config's keys, described once: how each is read, checked, explained and asked for.

The decoder below, the hosts' form and the API's schema are all made from these descriptions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

import msgspec

from matches.engine.errors import ConfigError
from matches.engine.match_time import parse_duration, seconds, spell


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One key of a config. `help` is a sentence for hosts."""

    key: str
    label: str
    help: str = ""

    def read(self, raw: object) -> Any:
        """The typed value of what a file or form gives; raises `ConfigError`."""
        raise NotImplementedError

    def write(self, value: Any) -> Any:
        """The value as JSON that `read` takes back."""
        return msgspec.to_builtins(value)

    def refuse(self, message: str) -> ConfigError:
        return ConfigError(self.key, message)


class Whole(Option, frozen=True, kw_only=True):
    """A whole number between `minimum` and `maximum`, both allowed."""

    minimum: int = 0
    maximum: int = 1_000_000

    def read(self, raw: object) -> int:
        if isinstance(raw, bool) or not isinstance(raw, int):
            raise self.refuse(f"expected a whole number, {self._range()}")
        if not self.minimum <= raw <= self.maximum:
            raise self.refuse(f"{str(raw)[:20]} is out of range; expected {self._range()}")
        return raw

    def _range(self) -> str:
        return f"from {self.minimum} to {self.maximum}"


class Span(Option, frozen=True, kw_only=True):
    """A length of match time; `positive` refuses zero."""

    positive: bool = False

    def read(self, raw: object) -> timedelta:
        try:
            span = parse_duration(raw)
        except ValueError as error:
            raise self.refuse(str(error)) from None
        if self.positive and not span:
            raise self.refuse("must be longer than nothing")
        return span

    def write(self, value: timedelta) -> str | int | float:
        return seconds(value) if value.microseconds else spell(value)


class Flag(Option, frozen=True, kw_only=True):
    """Yes or no."""

    def read(self, raw: object) -> bool:
        if not isinstance(raw, bool):
            raise self.refuse("expected true or false")
        return raw


class Choice(Option, frozen=True, kw_only=True):
    """One of a few words."""

    choices: tuple[str, ...]

    def read(self, raw: object) -> str:
        if not isinstance(raw, str) or raw not in self.choices:
            raise self.refuse("expected one of " + ", ".join(f'"{word}"' for word in self.choices))
        return raw


class Data(Option, frozen=True, kw_only=True):
    """Anything with a shape of its own (`shape` is a type msgspec can convert to).

    Hosts get a form of the game's own for it, never raw JSON.
    """

    shape: Any

    def read(self, raw: object) -> Any:
        try:
            # Sorted: JSON objects have no order, so what is made of them must not have that of the file.
            return msgspec.convert(msgspec.to_builtins(raw, order="sorted"), self.shape)
        except msgspec.ValidationError as error:
            raise self.refuse(str(error).replace("`", '"')) from None
        except UnicodeEncodeError:
            raise self.refuse("there is a key that is no text") from None


Defaults = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Typed values given so far -> typed defaults of every key (some depend on others)."""


def read_options(options: Sequence[Option], defaults: Defaults, raw: object) -> dict[str, Any]:
    """All keys of a config, typed: what `raw` gives, and defaults for the rest.

    Raises `ConfigError` that names an unknown key, a wrong type or an impossible value.
    """
    if not isinstance(raw, Mapping):
        raise ConfigError("config", "expected an object with the match's settings")
    known = {option.key: option for option in options}
    for key in raw:
        if key not in known:
            raise ConfigError(str(key), "there is no such setting; known are " + ", ".join(known))
    given = {key: known[key].read(value) for key, value in raw.items()}
    return {**defaults(given), **given}


def write_options(options: Sequence[Option], config: Any) -> dict[str, Any]:
    """A typed config as the JSON object that `read_options` reads back to the same."""
    return {option.key: option.write(getattr(config, option.key)) for option in options}
