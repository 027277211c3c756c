"""How the console writes times, lengths of time, people, JSON values, and differences between values."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone

from matches.infra.text import moment_in_words
from matches.models import Match
from matches.pages.texts import in_round_words
from matches.services.amending import Foreseen

# -- times in UTC and in the host's zone, and people ---------------------------------------------------------


def instant(at: datetime) -> str:
    """Return “Sat 21 Nov, 14:00 UTC (15:00 your time)”, the second part only if the zones differ."""
    said, here, there = moment_in_words(at), timezone.localtime(at), at.astimezone(UTC)
    if here.utcoffset() == there.utcoffset():
        return said
    day = "" if here.date() == there.date() else f"{here:%a} {here.day} {here:%b}, "
    return f"{said} ({day}{here:%H:%M} your time)"


def local(at: datetime) -> str:
    """Return “Sat 21 Nov, 15:00:07” in the host's zone, which every page of the console names at its foot."""
    here = timezone.localtime(at)
    return f"{here:%a} {here.day} {here:%b}, {here:%H:%M:%S}"


def called(player: Any) -> str:
    """Return a player or member for hosts: the handle, and the name if it differs."""
    return str(player.handle if player.shown_name == player.handle else f"{player.handle} ({player.shown_name})")


# -- JSON values in words, without brackets and braces -------------------------------------------------------


def value_in_words(value: Any) -> str:
    """Return “17”, “yes”, “nothing”, “Z, Y”, “Treasury (gold 3, silver 1)”."""
    if value is None or value in ("", [], {}, ()):
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(_named(key, part) for key, part in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(f"({value_in_words(part)})" if _has_parts(part) else value_in_words(part) for part in value)
    return str(value)


def fields_in_words(value: Any) -> list[tuple[str, str]]:
    """Return a submission as names and values; empty for None."""
    if value is None:
        return []
    fields = value.items() if isinstance(value, Mapping) else [("submission", value)]
    return [(key_in_words(key), value_in_words(part)) for key, part in fields]


def key_in_words(key: Any) -> str:
    """Return a key as a name, without underscores."""
    return str(key).replace("_", " ")


def _named(key: Any, part: Any) -> str:
    said = value_in_words(part)
    return f"{key_in_words(key)} ({said})" if _has_parts(part) else f"{key_in_words(key)} {said}"


def _has_parts(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple) and bool(value)


# -- differences between two values of a setting, line by line -----------------------------------------------

_LONGEST = 60
_MOST = 20


def differences(changes: Mapping[str, Any]) -> list[str]:
    """Describe key -> (before, after) in lines such as “round 2, limit: 3 → 4”: at most twenty, then one that says how
    many more there are."""
    lines = [line for key, (before, after) in changes.items() for line in _between(key, before, after)]
    more = len(lines) - _MOST
    return lines if more <= 0 else [*lines[:_MOST], f"and {more} more"]


def in_a_row(changes: Mapping[str, Any]) -> str:
    """Describe the changes in one line, for the log."""
    return "; ".join(differences(changes))


def _between(where: str, before: Any, after: Any) -> Iterator[str]:
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in {**before, **after}:
            yield from _at(f"{where}, {key_in_words(key)}", key, before, after)
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple):
        old, new = dict(enumerate(before)), dict(enumerate(after))
        for place in range(max(len(old), len(new))):
            yield from _at(_entry(where, place, old, new), place, old, new)
    else:
        yield f"{where}: {_value(before)} → {_value(after)}"


def _entry(where: str, place: int, before: Mapping[int, Any], after: Mapping[int, Any]) -> str:
    """The label of an entry of a list: its own name, or else its number."""
    entries = [each for each in (before.get(place), after.get(place)) if isinstance(each, dict)]
    names = {str(each["name"]) for each in entries if each.get("name")}
    head, comma, last = where.rpartition(", ")
    return head + comma + (names.pop() if len(names) == 1 else f"{last.removesuffix('s')} {place + 1}")


def _at(where: str, key: Any, before: Mapping[Any, Any], after: Mapping[Any, Any]) -> Iterator[str]:
    if key not in before:
        yield f"{where}: new, {_value(after[key])}"
    elif key not in after:
        yield f"{where}: removed, was {_value(before[key])}"
    else:
        yield from _between(where, before[key], after[key])


def _value(value: Any) -> str:
    """A value as a short text."""
    text = value_in_words(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


# -- consequences of a command, for its confirmation ---------------------------------------------------------


_TIMES = frozenset({"at", "until", "closes", "next_deadline", "fee_from"})


def in_lines(match: Match, foreseen: Foreseen | None) -> list[str]:
    """Describe what everybody sees before and afterwards, or a refusal, or that nothing changes; empty if unknown."""
    if foreseen is None:
        return []
    if foreseen.refusal:
        return [f"The rules would refuse this: {foreseen.refusal}"]
    before, after = _readable(match, foreseen.before), _readable(match, foreseen.after)
    changes = {key_in_words(key): (before.get(key), after.get(key)) for key in {**before, **after}}
    lines = differences({key: pair for key, pair in changes.items() if pair[0] != pair[1]})
    if not lines:
        return ["The standings and the result stay as they are."]
    return [f"Everybody will then see: {line}." for line in lines]


def _readable(match: Match, value: Any, key: str = "") -> Any:
    """Replace match times by instants, and lists of players by dicts by handle."""
    if isinstance(value, dict):
        return {name: _readable(match, part, name) for name, part in value.items()}
    if isinstance(value, list | tuple):
        if value and all(isinstance(part, dict) and "handle" in part for part in value):
            return {part["handle"]: _readable(match, part) for part in value}
        return [_readable(match, part, key) for part in value]
    if isinstance(value, int | float) and not isinstance(value, bool) and (key in _TIMES or key.endswith("_at")):
        at = match.clock.instant(timedelta(seconds=value))
        return instant(at) if at is not None else in_round_words(value)
    return value
