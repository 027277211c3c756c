"""The forms of a match's settings: the general ones, and those that its game declares."""

from collections.abc import Collection, Mapping
from typing import Any

from django import forms
from django.utils import timezone

from accounts.forms import zone_choices
from accounts.validators import validate_visible
from matches.admin.fields import field_of, stored_text
from matches.engine.errors import ConfigError
from matches.engine.game import AnyGame
from matches.engine.sentences import sentence
from matches.models import Match
from matches.models.usual_hour import UsualHour


class HeadForm(forms.ModelForm):
    """What the forms of matches and seasons share: title, description, and a time zone."""

    later: tuple[str, ...] = ()
    """The fields that few hosts change: they are folded away."""

    @property
    def is_later_open(self) -> bool:
        """Whether something is set or wrong among those; a zone and a choice always have a value."""
        plain = (name for name in self.later if not isinstance(self.fields[name], forms.ChoiceField))
        return any(self[name].value() for name in plain) or any(name in self.errors for name in self.later)

    def offer_zones(self, name: str, chosen: str) -> None:
        """Offer time zones in the field of this name, initially the chosen one or the host's own."""
        here = chosen or timezone.get_current_timezone_name()
        choices = zone_choices()
        if here not in {zone for _, zones in choices for zone, _ in zones}:
            choices.insert(0, ("As it is", [(here, here)]))
        self.fields[name].choices = choices  # type: ignore[attr-defined]
        if not self.initial.get(name):
            self.initial[name] = here

    def clean_title(self) -> str:
        title = " ".join(str(self.cleaned_data["title"]).split())
        validate_visible(title)
        return title

    def clean_description(self) -> str:
        description = str(self.cleaned_data["description"]).strip()
        validate_visible(description)
        return description


class GeneralForm(HeadForm):
    """The fields that all matches have, whatever the game."""

    later = ("open_places", "usual_hour", "usual_zone", "closes_when_sent")

    class Meta:
        model = Match
        fields = [
            "title",
            "description",
            "joining",
            "places",
            "open_places",
            "usual_hour",
            "usual_zone",
            "closes_when_sent",
        ]
        widgets = {
            "title": forms.TextInput(attrs={"size": 40, "autocomplete": "off"}),
            "description": forms.Textarea(attrs={"rows": 3, "cols": 50}),
            "joining": forms.RadioSelect,
            "open_places": forms.RadioSelect,
            "usual_hour": forms.TextInput(attrs={"type": "time"}),
        }
        help_texts = {
            "usual_hour": "The time of day at which deadlines should come. Everybody sees it. Clock changes shift "
            "deadlines by an hour. Leave it empty for none.",
        }
        labels = {"joining": "Who may join", "places": "Places", "open_places": "Places still open at the start"}

    usual_zone = forms.ChoiceField(label="In this time zone", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer_zones("usual_zone", self.instance.usual_zone)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        hour = cleaned.get("usual_hour", "")
        try:
            UsualHour.read(hour, cleaned.get("usual_zone", ""))
        except ValueError as error:
            self.add_error("usual_hour", str(error))
        if not hour:
            cleaned["usual_zone"] = ""
        return cleaned


_SHOWN_FIRST = 5


class ConfigForm(forms.Form):
    """One field for each of the game's settings; an empty field means the default.

    `stored` is the stored config. After `is_valid`, `config` is what to store: only what differs from the defaults.
    With `keys` it has fields for these alone, and the others stay as they are.
    """

    def __init__(
        self, game: AnyGame, stored: Mapping[str, Any], data: Any = None, keys: Collection[str] | None = None
    ) -> None:
        self.game = game
        self.keys = keys
        self.settings = {setting.key: setting for setting in game.settings}
        self.config: dict[str, Any] = {}
        initial = {key: stored_text(self.settings[key], raw) for key, raw in stored.items() if key in self.settings}
        super().__init__(data, initial=initial, prefix="config", use_required_attribute=False)
        self.stored = {key: raw for key, raw in stored.items() if key in self.settings}
        self._make_fields(self._typed(self.stored))
        if data is not None:
            # Some defaults, and the shape of some fields, depend on what was just typed.
            kept = {key: raw for key, raw in self.stored.items() if key not in self.fields}
            self._make_fields(self._typed(kept | self._readable()))

    def _make_fields(self, chosen: Mapping[str, Any]) -> None:
        defaults = self.game.config_type.defaults(chosen)
        values = {**defaults, **chosen}
        self.fields = {}
        for key, setting in self.settings.items():
            if self.keys is not None and key not in self.keys:
                continue
            # A field's placeholder is its own default; the other values are the present ones.
            field = field_of(self.game, setting, {**values, key: defaults[key]})
            if field is not None:
                self.fields[key] = field

    def _readable(self) -> dict[str, Any]:
        """The typed values that each field alone accepts."""
        found = {}
        for key, field in self.fields.items():
            try:
                value = field.clean(field.widget.value_from_datadict(self.data, self.files, self.add_prefix(key)))
            except forms.ValidationError:
                continue
            if value is not None:
                found[key] = value
        return found

    def _typed(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        found = {}
        for key, value in raw.items():
            try:
                found[key] = self.settings[key].read(value)
            except ConfigError:
                continue
        return found

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        raw = {key: value for key, value in cleaned.items() if value is not None}
        # Settings without a field stay as they are.
        raw |= {key: value for key, value in self.stored.items() if key not in self.fields}
        _, wrong = self.game.config_type.judge(raw, unread=list(self.errors))
        for error in wrong:
            self.refuse(error)
        if self.errors:
            return cleaned
        try:
            self.config = without_defaults(self.game, raw)
        except ConfigError as error:  # of rules that this site does not have
            self.refuse(error)
        return cleaned

    @property
    def first(self) -> list[forms.BoundField]:
        """The fields that hosts change first."""
        return [self[key] for key in self.fields if key in self._first]

    @property
    def rest(self) -> list[forms.BoundField]:
        """The other fields."""
        return [self[key] for key in self.fields if key not in self._first]

    @property
    def is_rest_open(self) -> bool:
        """Whether something is set or wrong among the other fields."""
        return any(key not in self._first for key in (*self.stored, *self.errors, *self.config))

    @property
    def _first(self) -> tuple[str, ...]:
        return self.game.first_settings or tuple(self.settings)[:_SHOWN_FIRST]

    def refuse(self, error: ConfigError) -> None:
        """Show an error at its field."""
        self.add_error(error.setting if error.setting in self.fields else None, sentence(error.message))


def without_defaults(game: AnyGame, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return a config without the values that equal their defaults."""
    settings = {setting.key: setting for setting in game.settings}
    kept = {key: settings[key].read(value) for key, value in raw.items()}
    for key in reversed(list(kept)):
        rest = {other: value for other, value in kept.items() if other != key}
        if game.config_type.defaults(rest)[key] == kept[key]:
            kept = rest
    short = {key: raw[key] for key in raw if key in kept}
    return short if game.read_config(short) == game.read_config(raw) else dict(raw)
