"""Names of people in sentences and in stored data: right-to-left names, and names of deleted accounts."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any
from unicodedata import bidirectional

from django.db.models import Q, QuerySet

from accounts.models import FormerName, User
from matches.models import Match

# -- bidirectional ---------------------------------------------------------------------------------------

APART, AGAIN = "\u2068", "\u2069"
"""Unicode's invisible marks (first strong isolate) around text that must not change the direction of what follows."""
_FROM_THE_RIGHT = ("R", "AL")


def set_apart(name: str) -> str:
    """A name for a sentence. A right-to-left name is isolated by invisible marks; otherwise it would reverse what
    follows, such as a number and the next name."""
    return f"{APART}{name}{AGAIN}" if any(bidirectional(letter) in _FROM_THE_RIGHT for letter in name) else name


# -- former names ----------------------------------------------------------------------------------------
# Stored data of a match still has the names of people whose accounts were deleted; pages show neutral names instead.
# Rows of the log cannot change, because their hashes cover the names. Handles stay, because the rules and the log name
# players by them.

NamesNow = Mapping[str, str]
"""Former name of a deleted account -> the name to show instead."""

_LONGEST = 60


def names_now(match: Match, names: Iterable[str]) -> NamesNow:
    """What to show instead of those of these names that belonged to deleted accounts which did something in this match
    or looked after it. Handles of its players are left alone."""
    found = FormerName.now({name for name in names if name and len(name) <= _LONGEST})
    if not found:
        return {}
    handles = {player.handle for player in match.players.all()}
    tables = (match.log.all(), match.insiders.all())
    here = _among({now.account for _, now in found}, tables)
    kept = handles | still_borne(dict(found), *tables)
    return {name: now.shown for name, now in found if name not in kept and now.account in here}


def still_borne(names: Collection[str], *tables: QuerySet[Any]) -> set[str]:
    """Those of these names that also belong to an active account with a row in one of the tables. They stay, because
    nobody can tell which of the two people is meant."""
    living = User.objects.filter(Q(username__in=names) | Q(display_name__in=names), is_active=True)
    here = _among({person.pk for person in living}, tables)
    return {name for person in living if person.pk in here for name in (person.username, person.display_name)}


def _among(accounts: set[int], tables: Iterable[QuerySet[Any]]) -> set[int]:
    found = (table.filter(user__in=accounts).order_by().values_list("user", flat=True) for table in tables)
    return {pk for each in found for pk in each}


_NAMES = frozenset({"fixed", "host", "hosts", "left", "name", "newcomer", "owner", "observers", "user"})


def _below(key: str, inner: str) -> str:
    """The key that says what a value is. Below `fixed` it is what a host has set, and the value is that host's name."""
    return key if key == "fixed" else inner


def names_in_data(data: object, key: str = "") -> Iterator[str]:
    """The texts in JSON that are people's names."""
    if isinstance(data, str):
        if key in _NAMES:
            yield data
    elif isinstance(data, Mapping):
        for inner, value in data.items():
            yield from names_in_data(value, _below(key, inner))
    elif isinstance(data, list | tuple):
        for value in data:
            yield from names_in_data(value, key)


def shown_in(data: Any, now: NamesNow, key: str = "") -> Any:
    """JSON data with people's names replaced by `now`."""
    if not now:
        return data
    if isinstance(data, str):
        return now.get(data, data) if key in _NAMES else data
    if isinstance(data, Mapping):
        return {inner: shown_in(value, now, _below(key, inner)) for inner, value in data.items()}
    if isinstance(data, list | tuple):
        return [shown_in(value, now, key) for value in data]
    return data
