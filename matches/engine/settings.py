"""What hosts choose for a match: its players, and settings, each of which a game declares in one line."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import cache
from typing import Annotated, Any, Self, get_args, get_origin, get_type_hints

import msgspec

from matches.engine.errors import ConfigError, in_plain_words
from matches.engine.match_time import parse_duration, seconds, spell


class Entrant(msgspec.Struct, frozen=True):
    """One player as listed when the match opens. Opening garnets and priority are whole and >= 0, except that garnets
    may be below zero if they come from a season with credit."""

    handle: str
    team: str | None = None
    garnets: int = 0
    priority: int = 0


Roster = tuple[Entrant, ...]
"""All players, in list order."""


def dealt(teams: Sequence[str], count: int, *, halves: bool = False) -> list[str]:
    """A team for each of `count` players: in turns, or (`halves`) the first part of the list is the first team. Their
    sizes differ by at most one; the first is the larger one."""
    numbers = [number % len(teams) for number in range(count)]
    return [teams[number] for number in (sorted(numbers) if halves else numbers)]


def in_teams(roster: Roster, teams: Sequence[str], *, halves: bool = False) -> Roster:
    """The roster with everybody in a team: as given, or dealt if nobody has one."""
    if any(entrant.team for entrant in roster):
        return roster
    each = zip(roster, dealt(teams, len(roster), halves=halves), strict=True)
    return tuple(msgspec.structs.replace(entrant, team=team) for entrant, team in each)


class Sizes(msgspec.Struct, frozen=True):
    """How many players a match may have. Outside `usual` (least, most) hosts get a warning. `of_team`: the fewest in
    a team, where there are teams."""

    least: int
    most: int
    usual: tuple[int, int]
    of_team: int = 1

    def in_words(self) -> str:
        """The possible numbers of players: “3 to 8”, or “6” if only one is possible."""
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"


# -- settings --------------------------------------------------------------------------------------
#     class Config(Settings, frozen=True, kw_only=True):
#         chips: Annotated[int, Whole("Chips", "What each player starts with.", maximum=100)] = 20
#
# The decoder below, the hosts' form and the API's schema are all made from that line.

Values = Mapping[str, Any]
"""Key -> typed value."""


class Setting(msgspec.Struct, frozen=True):
    """How one key of a config is shown and read. `help` is a sentence for hosts.

    `default_from` makes the default from the values of earlier keys, if it depends on them; otherwise the field has a
    plain default. (It must be a named function, because annotations are evaluated outside their module.) `key` is
    the field's name and is filled in automatically.
    `draw` names what is drawn if this is not set, such as “the deck”. If a host sets it, everybody is told so before
    the match begins, without the value.
    """

    label: str
    help: str = ""
    key: str = ""
    default_from: Callable[[Values], Any] | None = None
    draw: str = ""

    def read(self, raw: object) -> Any:
        """The typed value of this setting from JSON. Raises `ConfigError`."""
        raise NotImplementedError

    def write(self, value: Any) -> Any:
        """The value as JSON, which `read` turns back into an equal value."""
        return msgspec.to_builtins(value)

    def refuse(self, message: str) -> ConfigError:
        """Return the error about this setting that `read` raises."""
        return ConfigError(self.key, message)


class Whole(Setting, frozen=True, kw_only=True):
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


class Span(Setting, frozen=True, kw_only=True):
    """A length of match time; `positive` refuses zero."""

    positive: bool = False

    def read(self, raw: object) -> timedelta:
        try:
            span = parse_duration(raw)
        except ValueError as error:
            raise self.refuse(str(error)) from None
        if self.positive and not span:
            raise self.refuse("must be longer than 0")
        return span

    def write(self, value: timedelta) -> str | int | float:
        return seconds(value) if value.microseconds else spell(value)


class Flag(Setting, frozen=True, kw_only=True):
    """Yes or no."""

    def read(self, raw: object) -> bool:
        if not isinstance(raw, bool):
            raise self.refuse("expected true or false")
        return raw


class Choice(Setting, frozen=True, kw_only=True):
    """One of a few words. `said` is the label of each for hosts, in the same order; without it they read the words."""

    choices: tuple[str, ...]
    said: tuple[str, ...] = ()

    @property
    def words(self) -> dict[str, str]:
        """Choice -> its label for hosts."""
        return dict(zip(self.choices, self.said or [word.replace("_", " ") for word in self.choices], strict=True))

    def read(self, raw: object) -> str:
        if not isinstance(raw, str) or raw not in self.choices:
            raise self.refuse("expected one of " + ", ".join(f'"{word}"' for word in self.choices))
        return raw


class Data(Setting, frozen=True, kw_only=True):
    """A value of any other type that msgspec can convert to; the type is taken from the field's annotation.

    The game brings a form field for it, so that hosts never edit raw JSON.
    """

    shape: Any = None

    def read(self, raw: object) -> Any:
        return self.convert(raw, self.shape)

    def convert(self, raw: object, shape: Any, path: str = "") -> Any:
        """Return `raw`, found at a path in the setting such as `[0].auctions`, as the type `shape`. Raises
        `ConfigError` with the path of what is wrong."""
        if get_origin(shape) is dict and isinstance(raw, Mapping):  # msgspec would not say at which key
            # Sorted: JSON objects have no order, so nothing may depend on the order of keys in the file.
            return {
                key: self.convert(raw[key], get_args(shape)[1], f"{path}.{str(key)[:40]}")
                for key in sorted(raw, key=str)
            }
        try:
            return msgspec.convert(msgspec.to_builtins(raw, order="sorted"), shape)
        except msgspec.ValidationError as error:
            message, deeper = _explained(str(error))
            raise self.refuse_at(path + deeper, message) from None
        except UnicodeEncodeError:
            raise self.refuse_at(path, "every key must be text") from None

    def refuse_at(self, path: str, message: str, *beside: str) -> ConfigError:
        """Return the error about a path in the setting; `beside` lists other settings with which it must agree."""
        return ConfigError(f"{self.key}{path}", in_places(f"{self.key}{path}", message), beside=beside)


_PLACE = re.compile(r"(?P<message>.*) - at `\$(?P<path>[^`]*)`", re.DOTALL)
_FIELD = re.compile(r"(?:missing required|contains unknown) field `([^`]*)`")
_STEP = re.compile(r"([^.\[\]]+)(?:\[(\d+)\])?")


def _explained(error: str) -> tuple[str, str]:
    """Return msgspec's message in plain words and without its path, and the path."""
    found = _PLACE.fullmatch(error)
    message, path = (found["message"], found["path"]) if found else (error, "")
    if (field := _FIELD.search(message)) is not None:
        return ("missing" if "missing" in message else "there is no such key"), f"{path}.{field[1][:40]}"
    return in_plain_words(message), path


def in_places(path: str, message: str) -> str:
    """A message about a path into a setting, with the path in words: `round 1, auction 2, name: …`."""
    words = [f"{name.removesuffix('s')} {int(row) + 1}" if row else name for name, row in _STEP.findall(path)]
    where = ", ".join(words if "[" in path.split(".")[0] else words[1:])
    return f"{where}: {message}" if where else message


def on_credit(what: str) -> Flag:
    """The setting `garnet_credit`, for a game in which garnets buy something."""
    return Flag("Garnets on credit", f"Allows {what} to take garnets below zero.")


def time_to_decide(what: str) -> Span:
    """The setting `decision_time`."""
    return Span("Time to decide", f"How long players have for {what}.")


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Base of a match type's config. The order of the fields is that of the hosts' form."""

    def conflicts(self) -> Iterator[ConfigError]:
        """Yield an error for each combination of values that cannot be played."""
        yield from ()

    def misfits(self, roster: Roster) -> Iterator[ConfigError]:
        """Yield an error for each value that cannot be played by these players. Messages reveal nothing secret."""
        yield from ()

    def unusual(self, roster: Roster) -> tuple[str, ...]:
        """Sentences that warn hosts about values or players that are possible but probably a mistake."""
        return ()

    @classmethod
    def read(cls, raw: object) -> Self:
        """The config from JSON: the values that are set, and defaults for the rest.

        Raises `ConfigError` that names an unknown key, a wrong type or an impossible value.
        """
        if not isinstance(raw, Mapping):
            raise ConfigError("config", "expected an object with the match's settings")
        config, wrong = cls.judge(raw)
        for error in wrong:
            raise error
        return config

    @classmethod
    def judge(cls, raw: Values, unread: Collection[str] = ()) -> tuple[Self, list[ConfigError]]:
        """The config with defaults for values that cannot be read, and an error for everything that is wrong.

        `unread` are keys that were set to something that is not even JSON. Conflicts that involve a value that could
        not be read are left out, since they may not be real.
        """
        known = {setting.key: setting for setting in settings_of(cls)}
        unknown = "there is no such setting; known are " + ", ".join(known)
        wrong = [ConfigError(str(key), unknown) for key in raw if key not in known]
        chosen, open_keys = {}, set(unread)
        for key in [key for key in raw if key in known]:
            try:
                chosen[key] = known[key].read(raw[key])
            except ConfigError as error:
                wrong.append(error)
                open_keys.add(key)
        config = cls(**{**cls.defaults(chosen), **chosen})
        wrong += [each for each in config.conflicts() if open_keys.isdisjoint((each.setting, *each.beside))]
        return config, wrong

    def write(self) -> dict[str, Any]:
        """The config with all keys as JSON; `read` turns it back into an equal config."""
        return {setting.key: setting.write(getattr(self, setting.key)) for setting in settings_of(type(self))}

    @classmethod
    def defaults(cls, chosen: Values) -> dict[str, Any]:
        """The typed default of every key, given the typed values chosen so far, on which some defaults depend."""
        rules = {setting.key: setting.default_from for setting in settings_of(cls)}
        values: dict[str, Any] = {}
        found = {}
        for field in _fields_of(cls):
            rule = rules[field.name]
            found[field.name] = rule(values) if rule else _own_default(field)
            values[field.name] = chosen.get(field.name, found[field.name])
        return found


_fields_of = cache(msgspec.structs.fields)  # cached because it reads the annotations anew each time


def _own_default(field: msgspec.structs.FieldInfo) -> Any:
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()


_LAST = ("garnet_credit", "decision_time")
_ROUNDS = ("first_round", "round")
"""Settings that many match types have, which come after a match type's own."""


@cache
def settings_of(config_type: type[Settings]) -> tuple[Setting, ...]:
    """The settings that a config type declares, in the order in which hosts see them."""
    hints = get_type_hints(config_type, include_extras=True)
    found = [_declared(name, hints[name]) for name in config_type.__struct_fields__]
    last = (*_ROUNDS, *_LAST) if set(_ROUNDS) <= set(hints) else _LAST
    return tuple(sorted(found, key=lambda setting: last.index(setting.key) + 1 if setting.key in last else 0))


def _declared(name: str, hint: Any) -> Setting:
    shape, setting = get_args(hint) if get_origin(hint) is Annotated else (hint, None)
    if not isinstance(setting, Setting):
        raise TypeError(f"{name} does not say how it is set: annotate it with a Setting")
    more = {"shape": shape} if isinstance(setting, Data) else {}
    return msgspec.structs.replace(setting, key=name, **more)
