"""Form fields in which hosts build rounds and auctions, set the coins at the start, and name the items.

This is the only file of the folder that may use Django; the hosts' console finds `FIELDS` automatically.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from django import forms
from django.template.loader import render_to_string

from matches.engine.errors import ConfigError
from matches.engine.sentences import sentence
from matches.games.coin_collectors import rounds_widget
from matches.games.coin_collectors.config import LONGEST_DESCRIPTION, LONGEST_NAME, Items, Rounds, StartCoins, untidy
from matches.games.coin_collectors.prizes import COINS, KINDS, USUAL_WORDS, Coins, ItemWords, Round
from matches.games.coin_collectors.rounds_widget import Drawing, Errors, Row, box, whole

_HOSTING = "games/coin_collectors/hosting/"


class Sheets(forms.Widget):
    """A widget of many inputs, `<name>-<input>`. `errors` are shown at their inputs while the form shows its own."""

    template_name: str
    use_fieldset = True

    class Media:
        css = {"all": ("games/coin_collectors/hosting.css",)}

    def __init__(self) -> None:
        super().__init__()
        self.errors: Errors = {}

    def inputs(self, data: Mapping[str, Any], name: str) -> dict[str, str]:
        """What was typed, by the inputs' short names."""
        begin = f"{name}-"
        return {key.removeprefix(begin): str(data[key]).strip() for key in data if key.startswith(begin)}

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        return False

    def id_for_label(self, id_: str, index: str | None = None) -> str:
        return ""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        attrs = attrs or {}
        shown = self.errors if attrs.get("aria-invalid") else {}
        context = {"name": name, "id": attrs.get("id", ""), **self.details(name, value, shown)}
        return render_to_string(self.template_name, context)

    def details(self, name: str, value: Any, errors: Errors) -> dict[str, Any]:
        """More values for the template."""
        raise NotImplementedError


class SheetField(forms.Field):
    """A field whose widget has many inputs: what is wrong with one of them is said there."""

    widget: Sheets

    def clean(self, value: Any) -> Any:
        self.widget.errors = {}
        found = self.read(value, self.widget.errors)
        if self.widget.errors:
            raise forms.ValidationError("Something is wrong in it: please look at the inputs marked below.")
        return found

    def read(self, value: Any, errors: Errors) -> Any:
        """What was typed as JSON; None for the default. What is wrong goes into `errors`."""
        raise NotImplementedError


# -- coins at the start ------------------------------------------------------------------------


class StartWidget(Sheets):
    template_name = f"{_HOSTING}start.html"

    def __init__(self, usual: Coins) -> None:
        super().__init__()
        self.usual = usual

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> dict[str, str]:
        return {coin: text for coin, text in self.inputs(data, name).items() if coin in COINS}

    def details(self, name: str, value: Any, errors: Errors) -> dict[str, Any]:
        texts = value or {}
        return {"coins": [box(name, c, texts.get(c, ""), errors, coin=c, usual=self.usual.of(c)) for c in COINS]}


class StartField(SheetField):
    """A number of coins of each kind. An empty input means the default."""

    def __init__(self, setting: StartCoins, values: Mapping[str, Any]) -> None:
        self.usual: Coins = values[setting.key]
        super().__init__(widget=StartWidget(self.usual))

    def prepare_value(self, value: Any) -> dict[str, str]:
        return {coin: str(amount) for coin, amount in (value or {}).items() if str(amount)}

    def read(self, value: Any, errors: Errors) -> dict[str, int] | None:
        amounts = {coin: whole(value.get(coin, ""), coin, errors, self.usual.of(coin)) for coin in COINS}
        return None if Coins(**amounts) == self.usual else amounts


# -- items -------------------------------------------------------------------------------------

_LONGEST = {"name": LONGEST_NAME, "description": LONGEST_DESCRIPTION}


class ItemsWidget(Sheets):
    template_name = f"{_HOSTING}items.html"

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> dict[str, dict[str, str]]:
        typed = self.inputs(data, name)
        return {kind: {key: " ".join(typed.get(f"{kind}-{key}", "").split()) for key in _INPUTS} for kind in KINDS}

    def details(self, name: str, value: Any, errors: Errors) -> dict[str, Any]:
        rows = []
        for kind in KINDS:
            texts = (value or {}).get(kind, {})
            boxes = {key: box(name, f"{kind}-{key}", texts.get(key, ""), errors) for key in _INPUTS}
            rows.append({"kind": kind, "usual": USUAL_WORDS[kind], **boxes})
        return {"rows": rows, "longest_name": LONGEST_NAME, "longest_description": LONGEST_DESCRIPTION}


_INPUTS = (*_LONGEST, "out")


class ItemsField(SheetField):
    """The name and description of each kind of item, or that the match leaves it out."""

    def __init__(self, setting: Items, values: Mapping[str, Any]) -> None:
        super().__init__(widget=ItemsWidget())

    def prepare_value(self, value: Any) -> dict[str, dict[str, str]]:
        shown = {}
        for kind, words in (value or {}).items():
            usual = msgspec.structs.asdict(USUAL_WORDS[kind])
            shown[kind] = (
                {"out": "1"} if words is None else {key: text for key, text in words.items() if text != usual.get(key)}
            )
        return shown

    def read(self, value: Any, errors: Errors) -> dict[str, Any] | None:
        """Kind -> its words or None, only kinds that differ from the default; None if none does."""
        changed: dict[str, Any] = {}
        for kind in KINDS:
            usual = msgspec.structs.asdict(USUAL_WORDS[kind])
            words = None if value[kind]["out"] else {key: value[kind][key] or usual[key] for key in _LONGEST}
            if words != usual:
                changed[kind] = words
            for key, text in (words or {}).items():
                if (fault := untidy(text, _LONGEST[key])) is not None:
                    errors[f"{kind}-{key}"] = sentence(fault)
        return changed or None


# -- rounds ------------------------------------------------------------------------------------


class RoundsWidget(Sheets):
    """Rounds with their auctions. Each list ends with an empty row; fill it in to add one.

    The default rounds are sent with a signature. If they come back unchanged, the setting stays at its default, even
    if the default has changed since then.
    """

    template_name = f"{_HOSTING}rounds.html"

    def __init__(self, names: Mapping[str, str], usual: tuple[Round, ...]) -> None:
        super().__init__()
        self.names = names
        self.usual = usual
        self.fixed = 0

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Row | None:
        """The submitted rounds; None for the default."""
        inputs = self.inputs(data, name)
        if not inputs or inputs.get("back"):
            return None
        sheet = rounds_widget.typed(inputs)
        rounds, errors = rounds_widget.read(sheet, dict.fromkeys(KINDS, ""))
        same = not errors and inputs.get("usual") == rounds_widget.signature(rounds)
        return None if same else sheet

    def details(self, name: str, value: Any, errors: Errors) -> dict[str, Any]:
        is_usual = value is None
        sheet: Row = rounds_widget.written(self.usual) if is_usual else value
        drawing = Drawing(name, self.names, errors, self.fixed)
        columns = drawing.columns(sheet)
        return {
            "usual": rounds_widget.signature(self.usual) if is_usual else "",
            "back": None if is_usual or self.fixed else box(name, "back", "", errors),
            "columns": columns,
            "rounds": drawing.rounds(sheet, columns),
            "longest_name": LONGEST_NAME,
        }


class RoundsField(SheetField):
    """The round builder."""

    widget: RoundsWidget

    def __init__(self, setting: Rounds, values: Mapping[str, Any]) -> None:
        self.setting = setting
        items: Mapping[str, ItemWords | None] = values["items"]
        names: dict[str, str] = {kind: words.name for kind in KINDS if (words := items[kind]) is not None}
        super().__init__(widget=RoundsWidget(names, values[setting.key]))

    def show_running(self, view: Any) -> None:
        """In a running match, rounds that have started are read-only."""
        self.widget.fixed = view.round

    def prepare_value(self, value: Any) -> Row | None:
        """Turn stored rounds into a sheet; typed rounds are one already."""
        return value if value is None or isinstance(value, Row) else rounds_widget.written(self.setting.read(value))

    def read(self, value: Row | None, errors: Errors) -> list[dict[str, Any]] | None:
        if value is None:
            return None
        rounds, wrong = rounds_widget.read(value, self.widget.names)
        errors |= wrong
        if errors:
            return None
        try:
            self.setting.read(rounds_widget.stored(rounds))
        except ConfigError as error:
            raise forms.ValidationError(sentence(error.message)) from None
        return None if rounds == self.widget.usual else rounds_widget.stored(rounds)


FIELDS = {"start": StartField, "items": ItemsField, "rounds": RoundsField}
