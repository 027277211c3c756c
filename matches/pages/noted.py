"""Keeps what was rendered together with what its templates looked at, so that it is rendered again only where that has
changed.

A change in a match is shown to everybody who watches, and most of what they see is as it was. Templates are given
views, a match's facts and its times through stand-ins, which note each attribute that is looked up, with its value. As
long as all of these are the same, so is the text. Nobody has to list what a template reads, so nothing can be left out.

The words of a countdown are not a reason to render: browsers count on by themselves. They are rewritten once a minute,
and, for a page that may have no scripts, every few seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from copy import copy
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec

from matches.infra.kept import Kept
from matches.pages.context import MatchTimes, People

Reads = dict[tuple[str, Any], object]
"""What was looked up: the name of the source and the attribute, and a fingerprint of the value."""

Render = Callable[[dict[str, Any]], str]

_EXACT = timedelta(seconds=5)
_COUNTED_ON = timedelta(minutes=1)

_MISSING = object()
_MOST = 32_000_000  # characters


def _hook(value: object) -> object:
    if isinstance(value, range):
        return value.start, value.stop, value.step
    raise TypeError


_encode = msgspec.msgpack.Encoder(enc_hook=_hook).encode


def _fingerprint(value: object) -> object:
    """Equal for values that look alike in every template, their order and types too. What cannot be encoded, such as
    a method, is like nothing else."""
    try:
        return _encode(value)
    except TypeError:
        return object()


class Attributes:
    """An object whose attributes are looked up, and fingerprinted, once each, for however many texts."""

    def __init__(self, source: object) -> None:
        self._source = source
        self._known: dict[str, tuple[Any, object]] = {}

    def look_up(self, name: str) -> tuple[Any, object]:
        """The attribute and its fingerprint; a mark where there is none of that name."""
        found = self._known.get(name)
        if found is None:
            value = getattr(self._source, name, _MISSING)
            found = self._known[name] = value, value if value is _MISSING else _fingerprint(value)
        return found


class Times(Attributes):
    """A match's times: whether each that a template asks about has passed."""

    def __init__(self, times: MatchTimes) -> None:
        self.times = times
        self._passed: dict[float, tuple[Any, object]] = {}

    def look_up(self, name: Any) -> tuple[Any, object]:
        found = self._passed.get(name)
        if found is None:
            passed = self.times.has_passed(name)
            found = self._passed[name] = passed, passed
        return found


class Noted:
    """Stands for an object in a template, and notes the attributes that are looked up, each once: then it has them."""

    def __init__(self, name: str, source: Attributes, reads: Reads) -> None:
        self._noted = name, source, reads

    def __getattr__(self, attribute: str) -> Any:
        name, source, reads = self._noted
        value, reads[name, attribute] = source.look_up(attribute)
        if value is _MISSING:
            raise AttributeError(attribute)
        self.__dict__[attribute] = value
        return value


class NotedTimes(MatchTimes):
    """Match times that note what a template asks them."""

    def __init__(self, source: Times, reads: Reads, age: timedelta) -> None:
        self.__dict__.update(source.times.__dict__)
        self.key = self.key_for(age.total_seconds())
        self._noted = source, reads

    def has_passed(self, time: int | float) -> bool:
        source, reads = self._noted
        value, reads["times", time] = source.look_up(time)
        return bool(value)


class Text(NamedTuple):
    """A text as it was rendered: when, from which values, and what else it looked at."""

    at: datetime
    values: object
    reads: Reads
    text: str


_texts: Kept[Hashable, Text] = Kept(_MOST, lambda kept: len(kept.text))


class Sources:
    """What the templates of a match may look at, at one moment.

    `objects` are noted attribute by attribute; `people`, the match's clock, and where there is no object, belong to
    every text.
    """

    def __init__(self, now: datetime, times: MatchTimes, people: People, **objects: object) -> None:
        self._now, self._people = now, people
        self._times = Times(times)
        self._objects = {name: None if each is None else Attributes(each) for name, each in objects.items()}
        self._fixed = (times.place, people.key)

    def with_own(self, own: object) -> Sources:
        """For one player, who has a view of their own; what was looked up already is known here too."""
        sources = copy(self)
        sources._objects = {**self._objects, "own": None if own is None else Attributes(own)}
        return sources

    def text(self, key: Hashable | None, render: Render, exact: bool = False, **values: object) -> str:
        """What `render` makes of the context; or what it made of it last, where that is still so.

        `key` names the text and who may see it; a text without a key is not kept. `values` go into the context as they
        are. `exact`: the words of countdowns are those of now.
        """
        missing = tuple(name for name, source in self._objects.items() if source is None)
        fixed = (self._fixed, missing, _fingerprint(tuple(values.values())))
        kept = _texts.get(key) if key else None
        if kept is not None and kept.values == fixed and self._is_as_it_was(kept, _EXACT if exact else _COUNTED_ON):
            return kept.text
        reads: Reads = {}
        text = render({**self._context(reads, _EXACT if exact else _COUNTED_ON), **values})
        if key is None:
            return text
        _texts.keep(key, Text(self._now, fixed, reads, text))
        return text

    def _is_as_it_was(self, kept: Text, longest: timedelta) -> bool:
        if abs(self._now - kept.at) >= longest:
            return False
        for (name, attribute), before in kept.reads.items():
            source = self._times if name == "times" else self._objects[name]
            if source is None or source.look_up(attribute)[1] != before:
                return False
        return True

    def _context(self, reads: Reads, longest: timedelta) -> dict[str, Any]:
        noted = {name: source and Noted(name, source, reads) for name, source in self._objects.items()}
        times = NotedTimes(self._times, reads, longest)
        return {**noted, "people": self._people, "times": times, "now": self._now}
