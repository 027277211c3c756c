"""Form fields of the console: people, lengths of time, lines and texts that others read, and a game's settings.

A game folder may have a `config_fields.py` with `FIELDS`: key -> a function that takes the setting and the values in
force (typed; defaults if nothing is set), and returns a form field. The field cleans to JSON as the setting reads it,
or to None for the default; its `prepare_value` takes the stored JSON.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError

from accounts.models import User
from accounts.validators import validate_visible
from matches.engine.errors import ConfigError
from matches.engine.game import AnyGame
from matches.engine.match_time import parse_duration, parse_typed, spell
from matches.engine.sentences import SAY_WHY, sentence
from matches.engine.settings import Choice, Data, Flag, Setting, Span, Whole
from matches.services.texts import BadText, nobody_called, plain_text

# -- people by username, times, and lengths of time ----------------------------------------------------------


def read_person(username: str) -> User:
    """Return the person with this username. Raises `ValidationError`."""
    if (found := User.objects.called(username)) is None:
        raise ValidationError(nobody_called(username))
    return found


class PersonField(forms.CharField):
    """A person by username; None if empty."""

    def __init__(self, label: str, help_text: str) -> None:
        widget = forms.TextInput(attrs={"size": 24, "autocomplete": "off", "spellcheck": "false"})
        super().__init__(label=label, required=False, max_length=150, widget=widget, help_text=help_text)

    def clean(self, value: Any) -> Any:
        username = str(super().clean(value)).strip()
        return read_person(username) if username else None


def moment_field(label: str = "", **more: Any) -> forms.DateTimeField:
    """Return a field for a date and time in the host's zone."""
    return forms.DateTimeField(
        label=label,
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local", **more.pop("attrs", {})}, format="%Y-%m-%dT%H:%M"),
        **more,
    )


def read_span(text: str) -> timedelta:
    """Parse a length of time. Raises `ValidationError`."""
    try:
        return parse_typed(text)
    except ValueError as error:
        raise ValidationError(sentence(str(error))) from None


# -- single lines that others read: reasons, titles ----------------------------------------------------------


class LineField(forms.CharField):
    """One line of visible text; several spaces become one."""

    widget_attrs = forms.Field.widget_attrs  # no `maxlength`: browsers would cut a longer text without a word

    def to_python(self, value: Any) -> str:
        return " ".join((super().to_python(value) or "").split())

    def validate(self, value: str) -> None:
        super().validate(value)
        validate_visible(value)


def reason_field(help_text: str, *, label: str = "Reason", required: bool = True) -> LineField:
    """Return a field for a reason in one line."""
    widget = forms.TextInput(attrs={"size": 50, "autocomplete": "off"})
    return LineField(
        label=label,
        required=required,
        max_length=200,
        widget=widget,
        help_text=help_text,
        error_messages={"required": SAY_WHY},
    )


# -- several lines of plain text to players ------------------------------------------------------------------


class LongTextField(forms.CharField):
    """Several lines, checked by `plain_text`."""

    def __init__(self, *, most: int, missing: str, rows: int = 5, **kwargs: Any) -> None:
        # Without `maxlength`, at which browsers cut a longer text without a word: `plain_text` says the length.
        super().__init__(widget=forms.Textarea(attrs={"rows": rows, "cols": 60}), **kwargs)
        self._most, self._missing = most, missing
        self.error_messages["required"] = missing

    def clean(self, value: Any) -> str:
        text = str(value or "")
        if not text.strip() and not self.required:
            return ""
        try:
            return plain_text(text, self._most, missing=self._missing)
        except BadText as refused:
            raise forms.ValidationError(refused.message) from None


# -- fields of a game's settings: generic ones, and its own from `config_fields.py` --------------------------

Values = Mapping[str, Any]
Maker = Callable[[Any, Values], forms.Field]


def own_fields(game: AnyGame) -> Mapping[str, Maker]:
    """Return the fields that the game defines itself."""
    name = f"matches.games.{game.slug}.config_fields"
    return getattr(import_module(name), "FIELDS", {}) if _exists(name) else {}


def host_forms(game: AnyGame) -> Mapping[str, Any]:
    """Return the forms of what hosts do inside the game's rules, in its `host_forms.py`: type of action -> form."""
    name = f"matches.games.{game.slug}.host_forms"
    return getattr(import_module(name), "FORMS", {}) if _exists(name) else {}


def _exists(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def field_of(game: AnyGame, setting: Setting, values: Values) -> forms.Field | None:
    """Return the field of a setting; None if only the game could make one and does not."""
    if (own := own_fields(game).get(setting.key)) is not None:
        field = own(setting, values)
    elif isinstance(setting, Data):
        return None
    else:
        field = _generic(setting, values[setting.key])
    field.required = False
    field.label = field.label or setting.label
    field.help_text = field.help_text or setting.help
    return field


def _generic(setting: Setting, default: Any) -> forms.Field:
    if isinstance(setting, Whole):
        return WholeField(setting, default)
    if isinstance(setting, Flag):
        said = "yes" if default else "no"
        return forms.TypedChoiceField(
            choices=[("", f"As usual: {said}"), ("yes", "Yes"), ("no", "No")],
            coerce=lambda text: text == "yes",
            empty_value=None,
        )
    if isinstance(setting, Choice):
        return forms.TypedChoiceField(
            choices=[("", f"As usual: {setting.words[default]}"), *setting.words.items()],
            empty_value=None,
            widget=forms.Select(attrs={"data-updates": True}),
        )
    return SpanField(setting, default) if isinstance(setting, Span) else TextField(setting, default)


class WholeField(forms.IntegerField):
    """A whole number between the setting's bounds."""

    def __init__(self, setting: Whole, default: int) -> None:
        attrs = {"placeholder": setting.write(default), "inputmode": "numeric", "data-updates": True}
        super().__init__(
            min_value=setting.minimum, max_value=setting.maximum, widget=forms.NumberInput(attrs=attrs), required=False
        )
        self.error_messages["invalid"] = f"Enter a whole number from {setting.minimum} to {setting.maximum}."


class TextField(forms.CharField):
    """A text, such as a letter, checked by the setting."""

    def __init__(self, setting: Setting, default: Any) -> None:
        usual = "" if default is None else setting.write(default)
        attrs = {"placeholder": usual, "autocomplete": "off", "spellcheck": "false"}
        super().__init__(max_length=60, widget=forms.TextInput(attrs={**attrs, **self.more_attrs}), required=False)
        self.setting = setting

    more_attrs: ClassVar[Mapping[str, Any]] = {"data-updates": True}

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text:
            return None
        raw = self.raw_of(text)
        try:
            self.setting.read(raw)
        except ConfigError as error:
            raise forms.ValidationError(sentence(error.message)) from None
        return raw

    def raw_of(self, text: str) -> Any:
        """Return the typed text as JSON that the setting reads; raises `ValidationError`."""
        return text


class SpanField(TextField):
    """A length of time with its unit: a bare number means seconds in files, but people may mean something else."""

    more_attrs: ClassVar[Mapping[str, Any]] = {"size": "10"}

    def raw_of(self, text: str) -> Any:
        length = read_span(text)
        try:
            return text if parse_duration(text) == length else self.setting.write(length)
        except ValueError:  # people may write it in more ways than files
            return self.setting.write(length)

    def prepare_value(self, value: Any) -> Any:
        """Return the stored value as text that can be typed; typed text stays as it is."""
        return value if isinstance(value, str) or value is None else spell(timedelta(seconds=value))


def stored_text(setting: Setting, raw: Any) -> Any:
    """Return the stored value as its field shows it."""
    if isinstance(setting, Flag) and isinstance(raw, bool):
        return "yes" if raw else "no"
    return raw
