"""From a game's options to form fields: the generic ones here, a game's own from its `config_fields.py`.

A game folder may bring `config_fields.py` with `FIELDS`: key -> a callable that takes the option and the
values in force (typed; defaults where nothing is set), and gives a form field. The field cleans to
JSON as the option reads it, or to None for "as the default"; its `prepare_value` takes what is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar

from django import forms

from matches.engine.errors import ConfigError
from matches.engine.game import AnyGame
from matches.engine.match_time import parse_duration, parse_typed, spell
from matches.engine.options import Choice, Data, Flag, Option, Span, Whole

Values = Mapping[str, Any]
Maker = Callable[[Any, Values], forms.Field]


def own_fields(game: AnyGame) -> Mapping[str, Maker]:
    """What the game's folder brings itself."""
    name = f"matches.games.{game.slug}.config_fields"
    return getattr(import_module(name), "FIELDS", {}) if _exists(name) else {}


def _exists(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def field_of(game: AnyGame, option: Option, values: Values) -> forms.Field | None:
    """The field for an option; None where only the game could make one and does not."""
    if (own := own_fields(game).get(option.key)) is not None:
        field = own(option, values)
    elif isinstance(option, Data):
        return None
    else:
        field = _generic(option, values[option.key])
    field.required = False
    field.label = field.label or option.label
    field.help_text = field.help_text or option.help
    return field


def _generic(option: Option, default: Any) -> forms.Field:
    if isinstance(option, Whole):
        return WholeField(option, default)
    if isinstance(option, Flag):
        said = "yes" if default else "no"
        return forms.TypedChoiceField(
            choices=[("", f"As usual: {said}"), ("yes", "Yes"), ("no", "No")],
            coerce=lambda text: text == "yes",
            empty_value=None,
        )
    if isinstance(option, Choice):
        choices = [("", f"As usual: {default}"), *((word, word) for word in option.choices)]
        return forms.TypedChoiceField(
            choices=choices, empty_value=None, widget=forms.Select(attrs={"data-updates": True})
        )
    return SpanField(option, default) if isinstance(option, Span) else TextField(option, default)


class WholeField(forms.IntegerField):
    """A whole number between the option's bounds."""

    def __init__(self, option: Whole, default: int) -> None:
        attrs = {"placeholder": default, "inputmode": "numeric", "data-updates": True}
        super().__init__(
            min_value=option.minimum, max_value=option.maximum, widget=forms.NumberInput(attrs=attrs), required=False
        )
        self.error_messages["invalid"] = f"Enter a whole number from {option.minimum} to {option.maximum}."


class TextField(forms.CharField):
    """Anything that is written as text, such as letters. The option itself judges it."""

    def __init__(self, option: Option, default: Any) -> None:
        attrs = {"placeholder": option.write(default), "autocomplete": "off", "spellcheck": "false"}
        super().__init__(max_length=60, widget=forms.TextInput(attrs={**attrs, **self.more_attrs}), required=False)
        self.option = option

    more_attrs: ClassVar[Mapping[str, Any]] = {"data-updates": True}

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text:
            return None
        raw = self.raw_of(text)
        try:
            self.option.read(raw)
        except ConfigError as error:
            raise forms.ValidationError(sentence(error.message)) from None
        return raw

    def raw_of(self, text: str) -> Any:
        """What was typed, as JSON that the option reads; raises `ValidationError`."""
        return text


class SpanField(TextField):
    """A length of time, typed with its unit: in files a bare number is seconds, but nobody who types 24 means those."""

    more_attrs: ClassVar[Mapping[str, Any]] = {"size": "10"}

    def raw_of(self, text: str) -> Any:
        try:
            span = parse_typed(text)
        except ValueError as error:
            raise forms.ValidationError(sentence(str(error))) from None
        try:
            return text if parse_duration(text) == span else self.option.write(span)
        except ValueError:  # people may write more than files
            return self.option.write(span)

    def prepare_value(self, value: Any) -> Any:
        """What is stored, in words that can be typed; what was typed, as it was typed."""
        return value if isinstance(value, str) or value is None else spell(timedelta(seconds=value))


def stored_text(option: Option, raw: Any) -> Any:
    """What is stored, as its field shows it."""
    if isinstance(option, Flag) and isinstance(raw, bool):
        return "yes" if raw else "no"
    return raw


def sentence(text: str) -> str:
    """A message of the rules as a sentence."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
