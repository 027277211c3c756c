"""The form fields in which hosts write the rules, name assets, and build rounds of questions."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.template.loader import render_to_string

from matches.engine.errors import ConfigError
from matches.engine.sentences import sentence
from matches.engine.settings import Data, Values
from matches.games.hosts_match.config import (
    CHOICE,
    LONGEST_ASK,
    LONGEST_NAME,
    LONGEST_RULES,
    LONGEST_TEXT,
    LONGEST_TITLE,
    NUMBER,
    PLAYER,
    SPLIT,
    TEXT,
    USES,
)
from matches.inputs import InputsField

_HOSTING = "games/hosts_match/hosting"
STYLE = "games/hosts_match/hosting.css"


class RulesInput(forms.Textarea):
    """A text area with a preview of the rules below it."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        box = super().render(name, value, attrs, renderer)
        return render_to_string(f"{_HOSTING}/rules.html", {"box": box, "text": value or "", "id": f"id_{name}_preview"})

    @property
    def media(self) -> forms.Media:
        return forms.Media(css={"all": (STYLE,)})


class RulesField(forms.CharField):
    """The rules in the host's own words."""

    def __init__(self, setting: Data, values: Values) -> None:
        attrs = {"rows": 14, "cols": 80, "maxlength": LONGEST_RULES, "data-updates": True}
        super().__init__(required=False, widget=RulesInput(attrs=attrs))
        self.setting = setting

    def clean(self, value: Any) -> Any:
        text = str(value or "").replace("\r\n", "\n").strip()
        try:
            return self.setting.read(text) or None
        except ConfigError as error:
            raise forms.ValidationError(sentence(error.message)) from None


class AssetsField(InputsField):
    """The match's own assets: a row for each, and an empty one at the end."""

    template = f"{_HOSTING}/assets.html"
    style = STYLE
    attrs = {"name": {"maxlength": LONGEST_NAME, "data-begin": True, "placeholder": "such as coin"}}
    labels = {"name": "Name (singular)", "start": "Everybody begins with"}
    words = {"shown": {"own": "each player their own", "public": "everybody"}}


class RoundsField(InputsField):
    """The round builder: each round ends with an empty question, and the list with an empty round."""

    template = f"{_HOSTING}/rounds.html"
    style = STYLE
    shows_usual = True
    attrs = {
        "title": {"maxlength": LONGEST_TITLE, "data-begin": True},
        "text": {"rows": 2, "maxlength": LONGEST_TEXT},
        "length": {"size": 6},
        "ask": {"maxlength": LONGEST_ASK, "data-begin": True},
        "key": {"maxlength": 30, "placeholder": "from the question"},
        **{name: {"rows": 3} for name in ("options", "among", "between")},
        **{name: {"size": 7, "maxlength": 11} for name in ("longest", "least", "most", "total")},
    }
    labels = {
        "length": "Lasts",
        "ask": "Question",
        "key": "Short name",
        "between": "Shared between",
        "among": "Who can be chosen",
        "options": "Options",
        "total": "Total",
    }
    words = {
        "kind": {
            TEXT: "a text",
            NUMBER: "a whole number",
            CHOICE: "one or more of these options",
            PLAYER: "one or more players",
            SPLIT: "amounts, shared out",
        }
    }

    def details(self, value: Any) -> dict[str, Any]:
        for each in value:
            each["asks"] = ", ".join(q["ask"].value for q in each["questions"] if q["ask"].value)
        return {}

    def join(self, value: Any) -> Any:
        """Drop what was typed for another kind of question."""
        return [{**each, "questions": [_of_its_kind(question) for question in each["questions"]]} for each in value]


def _of_its_kind(question: Mapping[str, Any]) -> dict[str, Any]:
    names = ("key", "kind", "optional", *USES[question["kind"]])
    said = {name: question[name] for name in names if question[name] not in (None, "", [])}
    return {"ask": question["ask"], **{name: each for name, each in said.items() if each is not False}}


FIELDS = {"rules": RulesField, "assets": AssetsField, "rounds": RoundsField}
