"""Form fields in which hosts write the rules, name assets, and build rounds of questions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import msgspec
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
)
from matches.inputs import InputsField

_HOSTING = "games/hosts_match/hosting"
STYLE = "games/hosts_match/hosting.css"

# -- rules ---------------------------------------------------------------------------------------------


class RulesInput(forms.Textarea):
    """The text, and below it how players read it."""

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


# -- assets --------------------------------------------------------------------------------------------


class AssetsField(InputsField):
    """The match's own assets: a row each, and an empty one at the end."""

    template = f"{_HOSTING}/assets.html"
    style = STYLE
    attrs: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "name": {"maxlength": LONGEST_NAME, "data-begin": True, "placeholder": "coin"}
    }
    words: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "shown": {"own": "each player their own", "public": "everybody"}
    }


# -- rounds --------------------------------------------------------------------------------------------


class QuestionInputs(msgspec.Struct):
    """A question as it is typed: names stand in lines, and what may be empty or below 0 is a text."""

    ask: str = ""
    key: str = ""
    kind: Literal["text", "number", "choice", "player", "split"] = "text"
    optional: bool = False
    longest: str = ""
    least: str = ""
    most: str = ""
    names: str = ""
    total: str = ""
    exactly: bool = False


class RoundInputs(msgspec.Struct):
    """A round as it is typed."""

    title: str = ""
    text: str = ""
    length: str = "24h"
    questions: tuple[QuestionInputs, ...] = ()


_NAMES = {CHOICE: "options", PLAYER: "among", SPLIT: "between"}
"""Kind of question -> what names typed in lines are to it."""
_USES = {
    TEXT: ("longest",),
    NUMBER: ("least", "most"),
    CHOICE: ("names", "most"),
    PLAYER: ("names", "most"),
    SPLIT: ("names", "total", "exactly"),
}


class RoundsField(InputsField):
    """The round builder: each round ends with an empty question, and the list with an empty round."""

    template = f"{_HOSTING}/rounds.html"
    style = STYLE
    shape = tuple[RoundInputs, ...]
    shows_usual = True
    attrs: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "title": {"maxlength": LONGEST_TITLE, "data-begin": True},
        "text": {"rows": 2, "maxlength": LONGEST_TEXT},
        "length": {"size": 6},
        "ask": {"maxlength": LONGEST_ASK, "data-begin": True},
        "key": {"maxlength": 30, "placeholder": "from the question"},
        "names": {"rows": 3},
        **{
            name: {"size": 7, "maxlength": 11, "inputmode": "numeric"} for name in ("longest", "least", "most", "total")
        },
        "least": {"size": 7, "maxlength": 11},
    }
    words: ClassVar[Mapping[str, Mapping[str, str]]] = {
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

    def split(self, value: Any) -> Any:
        return [{**each, "questions": [_typed(question) for question in each["questions"]]} for each in value]

    def join(self, value: Any) -> Any:
        return [{**each, "questions": _meant(each["questions"])} for each in value]


def _typed(question: Mapping[str, Any]) -> dict[str, Any]:
    """A stored question as it would have been typed."""
    names = question.get(_NAMES.get(question.get("kind", TEXT), ""), "")
    numbers = {name: str(question.get(name, "")) for name in ("longest", "least", "most", "total")}
    flags = {name: bool(question.get(name)) for name in ("optional", "exactly")}
    words = {name: question.get(name, "") for name in ("ask", "key")}
    lines = names if isinstance(names, str) else "\n".join(names)
    return {**words, **numbers, **flags, "kind": question.get("kind", TEXT), "names": lines}


def _meant(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Typed questions as they are stored, each with a key."""
    found: list[dict[str, Any]] = []
    for typed in questions:
        kind = typed["kind"]
        question = {"key": typed["key"] or _key_of(typed["ask"], found), "ask": typed["ask"], "kind": kind}
        if typed["optional"]:
            question["optional"] = True
        for name in _USES[kind]:
            if typed[name] not in ("", False):
                question |= _part(kind, name, typed[name])
        found.append(question)
    return found


def _part(kind: str, name: str, value: Any) -> dict[str, Any]:
    if name == "names":
        lines = [line.strip() for line in value.split("\n") if line.strip()]
        alone = len(lines) == 1 and lines[0] in ("others", "all") and kind != CHOICE
        return {_NAMES[kind]: lines[0] if alone else lines}
    return {name: int(value) if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,10}", value) else value}


def _key_of(ask: str, before: list[dict[str, Any]]) -> str:
    """A key made of the first words of a question, unlike those before it."""
    key = "_".join(re.findall(r"[a-z0-9]+", ask.lower())[:3])[:24] or "question"
    taken = {each["key"] for each in before}
    return key if key not in taken else f"{key}_{len(before) + 1}"


FIELDS = {"rules": RulesField, "assets": AssetsField, "rounds": RoundsField}
