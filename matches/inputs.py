"""Form fields of many inputs, for settings that hold a table, a list of rows or nested rows (`config_fields.py`).

The inputs follow from the setting's type. Each is named after its path in the value, such as
`rounds-0-auctions-1-name`. Errors appear above all of them, place by place, in the setting's own words.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec
from django import forms
from django.forms.utils import flatatt
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from msgspec import inspect

from matches.engine.errors import ConfigError
from matches.engine.sentences import sentence
from matches.engine.settings import Data, Values, in_places

GONE = "gone"
"""The name of the box that removes a row of a list, or leaves out an optional part."""
_UPDATE, _AGAIN = "_update", "again"
"""A button `_update` with the value `rounds-0-again` inserts a copy of that row after it."""
_USUAL, _BACK = "usual", "back"
_MOST = 1_000_000
_LONGEST_NUMBER = 4
_NUMBER = re.compile(r"-?[0-9]{1,10}")
_DEEPEST = 10

Where = tuple[str, ...]
"""The path of an input: names of fields, keys, and numbers of rows, which may have gaps."""


class Texts(dict[str, Any]):
    """What is typed: name of a field, key or number of a row -> a text, or `Texts` of its own."""

    @property
    def rows(self) -> list[str]:
        """The numbers of the rows in which something is typed, or that are marked as gone."""
        numbers = [key for key in self if key.isascii() and key.isdecimal() and len(key) < _LONGEST_NUMBER]
        return sorted((key for key in numbers if isinstance(self[key], Texts) and self[key].filled), key=int)

    @property
    def filled(self) -> Texts:
        """A copy without empty texts."""
        parts = {key: each.filled if isinstance(each, Texts) else each for key, each in self.items()}
        return Texts({key: each for key, each in parts.items() if each})

    @property
    def checksum(self) -> str:
        """A short checksum."""
        return hashlib.sha256(msgspec.json.encode(self.filled, order="sorted")).hexdigest()[:16]


def _with_copy(texts: Texts, number: str) -> Texts:
    """Insert a copy of that row after it."""
    copied = [row for key in texts.rows for row in [texts[key]] * (1 + (key == number))]
    others = {key: each for key, each in texts.items() if key not in texts.rows}
    return Texts({**others, **{str(place): row for place, row in enumerate(copied)}})


# -- types -------------------------------------------------------------------------------------------

_PARTS = inspect.StructType | inspect.DictType | inspect.VarTupleType


def _plain(kind: inspect.Type) -> inspect.Type:
    """The type of a value without None."""
    if isinstance(kind, inspect.UnionType):
        types = [each for each in kind.types if not isinstance(each, inspect.NoneType)]
        return next(filter(_is_lines, types), types[0])
    return kind


def _is_lines(kind: inspect.Type) -> bool:
    """Whether it is a list of names, which are typed one a line."""
    return isinstance(kind, inspect.VarTupleType) and isinstance(kind.item_type, inspect.StrType)


def _has_parts(kind: inspect.Type) -> bool:
    return isinstance(kind, _PARTS) and not _is_lines(kind)


def _default(field: inspect.Field) -> Any:
    """The default of a struct's field, as JSON."""
    if field.default_factory is not msgspec.NODEFAULT:
        return msgspec.to_builtins(field.default_factory())
    return None if field.default is msgspec.NODEFAULT else msgspec.to_builtins(field.default)


def _typed(kind: inspect.Type, texts: Any) -> Any:
    """The typed value, if it suits the type: anybody can send other names."""
    if _has_parts(_plain(kind)):
        return texts if isinstance(texts, Texts) else Texts()
    return texts if isinstance(texts, str) else ""


# -- what templates get ------------------------------------------------------------------------------


class Box:
    """One input, which `{{ box }}` renders. `usual`: what it means while it is empty."""

    def __init__(self, name: str, value: str, attrs: Mapping[str, Any], usual: Any = None, wrong: bool = False) -> None:
        self.name, self.id, self.value, self.usual, self.wrong = name, f"id_{name}", value, usual, wrong
        self.attrs = {"id": self.id, "name": name, **attrs}

    def __str__(self) -> SafeString:
        if "rows" in self.attrs:
            attrs = {key: each for key, each in self.attrs.items() if key not in ("type", "value")}
            return format_html("<textarea{}>\n{}</textarea>", flatatt(attrs), self.value)
        return format_html("<input{}>", flatatt(self.attrs))


class Select(Box):
    """A choice of a few words, initially the usual one."""

    def __init__(self, words: Mapping[str, str], box: Box) -> None:
        super().__init__(box.name, box.value, box.attrs, box.usual, box.wrong)
        self.words = words

    def __str__(self) -> SafeString:
        attrs = {key: each for key, each in self.attrs.items() if key not in ("type", "value", "placeholder")}
        options = [("" if word == self.usual else word, said) for word, said in self.words.items()]
        chosen = ((word, SafeString(" selected" if word == self.value else ""), said) for word, said in options)
        inner = format_html_join("", '<option value="{}"{}>{}</option>', chosen)
        return format_html("<select{}>{}</select>", flatatt(attrs), inner)


class Part(dict[str, Any]):
    """A struct or a dict: boxes, parts, and lists of rows, by name. `wrong`: something in it is wrong; `gone`: the box
    that leaves it out; `again`: the value of a button that copies it. Of a row: `number` counts from 1; `blank`: it is
    the one at the end for another row; `fixed`: it has begun."""

    number = 0
    blank = fixed = wrong = False
    gone: Box | None = None
    again = ""


class Inputs(forms.Widget):
    """The widget of an `InputsField`, rendered by the field's template."""

    use_fieldset = True
    field: InputsField
    is_wrong = False

    @property
    def media(self) -> forms.Media:
        """The game's own style sheet."""
        return forms.Media(css={"all": (self.field.style,)} if self.field.style else {})

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Texts | None:
        """Return what is typed; None for the usual value."""
        texts, begin = Texts(), f"{name}-"
        for full in sorted(key for key in data if key.startswith(begin)):
            *path, last = full.removeprefix(begin).split("-")
            into = texts
            for key in path[:_DEEPEST]:
                if not isinstance(into.get(key), Texts):
                    into[key] = Texts()
                into = into[key]
            into[last] = str(data[full]).strip()
        if str(data.get(_UPDATE, "")).endswith(f"-{_AGAIN}"):
            texts = _with_copy(texts, str(data[_UPDATE]).removeprefix(begin).removesuffix(f"-{_AGAIN}"))
        usual, back = texts.pop(_USUAL, ""), texts.pop(_BACK, "")
        return None if back or usual == texts.checksum or not texts.filled else texts

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        return False

    def id_for_label(self, id_: str, index: str | None = None) -> str:
        return ""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        field, attrs = self.field, attrs or {}
        self.is_wrong = bool(attrs.get("aria-invalid"))
        texts = field.texts_of_usual if value is None and field.shows_usual else value
        context = {
            "name": name,
            "id": attrs.get("id", ""),
            "value": self._part(field.kind, texts, field.usual, (name,)),
        }
        if field.shows_usual:
            context["usual"] = texts.checksum if value is None else ""
            context["back"] = None if value is None or field.begun else self._tick((name, _BACK))
        return render_to_string(field.template, {**context, **field.details(context["value"])})

    def _part(self, kind: inspect.Type, texts: Any, usual: Any, path: Where) -> Any:
        inner, texts = _plain(kind), _typed(kind, texts)
        if isinstance(inner, inspect.VarTupleType) and not _is_lines(inner):
            return list(self._rows(inner, texts, path))
        if not _has_parts(inner):
            return self._box(inner, texts, usual, path)
        parts = self.field.parts(inner, usual)
        part = Part({key: self._part(each, texts.get(key), told, (*path, key)) for key, each, told, _ in parts})
        part.wrong = self.is_wrong and any((path[0], *each)[: len(path)] == path for each in self.field.wrong)
        part.gone = self._tick((*path, GONE), texts.get(GONE, ""))
        part.again = "-".join((*path, _AGAIN))
        return part

    def _rows(self, kind: inspect.VarTupleType, texts: Texts, path: Where) -> Iterator[Part]:
        rows = texts.rows
        for number, key in enumerate((*rows, str(int(rows[-1]) + 1 if rows else 0)), 1):
            part: Part = self._part(kind.item_type, texts.get(key), {}, (*path, key))
            part.number, part.blank, part.fixed = number, key not in rows, self._has_begun((*path, key))
            if not (part.blank and part.fixed):
                yield part

    def _has_begun(self, path: Where) -> bool:
        return len(path) > 1 and path[1].isdecimal() and int(path[1]) < self.field.begun

    def _box(self, kind: inspect.Type, text: str, usual: Any, path: Where) -> Box:
        attrs: dict[str, Any] = {"type": "text", "autocomplete": "off", "value": text}
        attrs["placeholder"] = "" if usual is None else str(usual)
        if isinstance(kind, inspect.BoolType):
            return self._tick(path, text)
        if isinstance(kind, inspect.IntType):
            attrs |= {"inputmode": "numeric", "maxlength": "9"}
        if wrong := self.is_wrong and path[1:] in self.field.wrong:
            attrs |= {"aria-invalid": "true", "aria-describedby": f"id_{path[0]}_error"}
        attrs |= {"readonly": self._has_begun(path), **self.field.attrs.get(path[-1], {})}
        box = Box("-".join(path), text, attrs, usual, wrong)
        return Select(self.field.words[path[-1]], box) if isinstance(kind, inspect.LiteralType) else box

    def _tick(self, path: Where, text: str = "") -> Box:
        attrs = {"type": "checkbox", "value": "1", "checked": bool(text), **self.field.attrs.get(path[-1], {})}
        return Box("-".join(path), text, attrs)


# -- the field -----------------------------------------------------------------------------------------


class InputsField(forms.Field):
    """The field of a setting of type `Data`. A game's subclass defines how it looks; if empty, it has the usual
    values."""

    template: ClassVar[str]
    """The template; gets `value`, with a box or a part for each field, and what `details` adds."""
    style: ClassVar[str] = ""
    attrs: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Name of a field -> more attributes of its inputs."""
    words: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """Name of a field with a few possible words -> word -> what people read."""
    labels: ClassVar[Mapping[str, str]] = {}
    """Name of a field -> its name on the page, for errors."""
    shows_usual: ClassVar[bool] = False
    """Whether usual values are filled in as if they had been typed. If they come back unchanged, the setting keeps
    following the usual value."""
    keys: Sequence[str] = ()
    """The keys of a dict that have inputs."""
    begun = 0
    """How many rows of the outer list have begun in a running match and can only be read."""
    widget: Inputs

    def __init__(self, setting: Data, values: Values) -> None:
        super().__init__(required=False, widget=Inputs())
        self.setting = setting
        self.kind = inspect.type_info(setting.shape)
        self.usual = msgspec.to_builtins(values[setting.key])
        self.wrong: set[Where] = set()
        """The paths of wrong inputs."""
        self._paths: dict[Where, str] = {}
        self.widget.field = self

    def details(self, value: Any) -> dict[str, Any]:
        """Return what else the template gets."""
        return {}

    def join(self, value: Any) -> Any:
        """Return the typed value as JSON; a game can leave out what means nothing."""
        return value

    def parts(self, kind: inspect.Type, usual: Any) -> Iterator[tuple[str, inspect.Type, Any, Any]]:
        """Yield what a struct or a dict holds: its name, its type, its usual value here, and its value if left out."""
        usual = usual or {}
        if isinstance(kind, inspect.StructType):
            for each in kind.fields:
                default = _default(each)
                yield each.encode_name, each.type, usual.get(each.encode_name, default), default
        elif isinstance(kind, inspect.DictType):
            for key in self.keys:
                yield key, kind.value_type, usual.get(key), None

    def has_changed(self, initial: Any, data: Any) -> bool:
        return True

    # -- from JSON to texts ----------------------------------------------------------------------

    def prepare_value(self, value: Any) -> Texts | None:
        if value is None or isinstance(value, Texts):
            return value
        texts: Texts = self._texts(self.kind, msgspec.to_builtins(self.setting.read(value)), self.usual)
        return texts

    @property
    def texts_of_usual(self) -> Texts:
        """The usual value as if it had been typed."""
        texts: Texts = self._texts(self.kind, self.usual, self.usual)
        return texts

    def _texts(self, kind: inspect.Type, value: Any, usual: Any) -> Any:
        inner = _plain(kind)
        if _is_lines(inner):
            return value if isinstance(value, str) else "\n".join(value or ())
        if isinstance(inner, inspect.VarTupleType):
            return Texts({str(row): self._texts(inner.item_type, each, {}) for row, each in enumerate(value)})
        if isinstance(inner, _PARTS):
            if value is None and inner is not kind:
                return Texts({GONE: "1"})
            value = value or {}
            parts = self.parts(inner, usual)
            return Texts({key: self._texts(each, value.get(key, left), told) for key, each, told, left in parts})
        if isinstance(inner, inspect.BoolType):
            return "1" if value else ""
        is_usual = value == usual and (not value or isinstance(value, str))
        return "" if is_usual or value is None else str(value)

    # -- from texts to JSON ----------------------------------------------------------------------

    def clean(self, value: Texts | None) -> Any:
        """Return the value as JSON, None for the usual one. Raises `ValidationError` with all invalid numbers, or with
        the setting's own error."""
        self.wrong, self._paths = set(), {}
        if value is None:
            return None
        said: list[str] = []
        found = self.join(self._read(self.kind, value, self.usual, (), self.setting.key, said))
        if said:
            raise forms.ValidationError(said)
        try:
            typed = self.setting.read(found)
        except ConfigError as error:
            self.wrong = {where for where, path in self._paths.items() if path == error.key}
            name = error.key.rpartition(".")[2]
            message = error.message.replace(f"{name}:", f"“{self.labels.get(name, name)}”:", 1)
            raise forms.ValidationError(sentence(message)) from None
        return None if msgspec.to_builtins(typed) == self.usual else found

    def _read(self, kind: inspect.Type, texts: Any, usual: Any, where: Where, path: str, said: list[str]) -> Any:
        """Read what is typed at `where`, which is at `path` in the value; invalid numbers add errors to `said`."""
        inner, texts = _plain(kind), _typed(kind, texts)
        self._paths[where] = path
        if _is_lines(inner):
            return [line.strip() for line in texts.split("\n") if line.strip()]
        if isinstance(inner, inspect.VarTupleType):
            rows = [row for row in texts.rows if not texts[row].get(GONE)]
            return [
                self._read(inner.item_type, texts[row], {}, (*where, row), f"{path}[{number}]", said)
                for number, row in enumerate(rows)
            ]
        if isinstance(inner, _PARTS):
            if texts.get(GONE):
                return None
            read = {
                key: self._read(each, texts.get(key), told, (*where, key), f"{path}.{key}", said)
                for key, each, told, _ in self.parts(inner, usual)
            }
            return {key: each for key, each in read.items() if each != "" or isinstance(inner, inspect.StructType)}
        if isinstance(inner, inspect.BoolType):
            return bool(texts)
        if "rows" in self.attrs.get(where[-1], {}):
            return texts.replace("\r\n", "\n").strip() or usual or ""
        if not isinstance(inner, inspect.IntType):
            return " ".join(texts.split()) or usual or ""
        if not texts and inner is not kind:
            return None
        least, most = inner.ge or 0, _MOST if inner.le is None else inner.le
        if texts and not (_NUMBER.fullmatch(texts) and least <= int(texts) <= most):
            self.wrong.add(where)
            said.append(sentence(in_places(path, f"enter a whole number from {least} to {most}")))
            return 0
        return int(texts) if texts else usual or 0


# -- forms for what hosts do inside the rules ----------------------------------------------------------


class HostForm:
    """A form of a game's `host_actions`, listed by name in `FORMS` of its `host_forms.py`. It gets the present
    settings, the public view, the hosts' own (`Game.host_view`), and the names of players by handle."""

    label: ClassVar[str]
    """The text of its button."""
    icon: ClassVar[str] = "check"
    template: ClassVar[str] = ""
    """The template of the fields; gets `form` and `part`, which is this object. Without it they stand in a column."""
    style: ClassVar[str] = ""
    often: ClassVar[bool] = True
    """Whether its button is visible at once; others are behind “More”."""

    def __init__(self, config: Any, public: Any, hosts: Any, names: Mapping[str, str]) -> None:
        self.config, self.public, self.hosts, self.names = config, public, hosts, names

    @property
    def suits(self) -> bool:
        """Whether it is possible now."""
        return True

    def fields(self) -> dict[str, forms.Field]:
        """Return the fields of the form."""
        return {}

    def action(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the action as the rules read it. Raises `ValidationError`."""
        raise NotImplementedError

    def shown(self, form: Any) -> Any:
        """Return what the template shows of the form beside its fields."""
        return None

    def field_at(self, path: str) -> str | None:
        """The field that a refusal is about."""
        return path
