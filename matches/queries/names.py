"""Names of people in sentences and in stored data."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any
from unicodedata import bidirectional

from django.db.models import Q, QuerySet

from accounts.models import FormerName, User
from matches.models import Match

# -- bidirectional ---------------------------------------------------------------------------------------
# Names in sentences, whichever side they are read from.

APART, AGAIN = "\u2068", "\u2069"
"""Unicode's first strong isolate, and its end: nothing shows, and what is between them turns nothing around it."""
_FROM_THE_RIGHT = ("R", "AL")


def set_apart(name: str) -> str:
    """A name as a sentence has it. One that is read from the right is set apart by invisible marks: it would turn the
    number after it, and the name after that, around."""
    return f"{APART}{name}{AGAIN}" if any(bidirectional(letter) in _FROM_THE_RIGHT for letter in name) else name


# -- former names ----------------------------------------------------------------------------------------
# Names of people whose accounts are deleted, in what a match has stored: they are shown as those of the accounts now.
#
# Rows of the log, and what follows from them, stay as they are: their hashes cover the names. Handles stay, too, for
# the rules and the log name players by them.

NamesNow = Mapping[str, str]
"""Names of deleted accounts, each with what to show instead."""

_LONGEST = 60


def names_now(match: Match, names: Iterable[str]) -> NamesNow:
    """Of these names those that deleted accounts had who did something in this match, or looked after it; no handles of
    its players."""
    found = FormerName.now({name for name in names if name and len(name) <= _LONGEST})
    if not found:
        return {}
    handles = {player.handle for player in match.players.all()}
    tables = (match.log.all(), match.insiders.all())
    here = _among({now.account for _, now in found}, tables)
    kept = handles | still_borne(dict(found), *tables)
    return {name: now.shown for name, now in found if name not in kept and now.account in here}


def still_borne(names: Collection[str], *tables: QuerySet[Any]) -> set[str]:
    """Of these names those of active accounts with a row in one of the tables: nobody can tell whether it was they or
    somebody of the same name who has left."""
    living = User.objects.filter(Q(username__in=names) | Q(display_name__in=names), is_active=True)
    here = _among({person.pk for person in living}, tables)
    return {name for person in living if person.pk in here for name in (person.username, person.display_name)}


def _among(accounts: set[int], tables: Iterable[QuerySet[Any]]) -> set[int]:
    found = (table.filter(user__in=accounts).order_by().values_list("user", flat=True) for table in tables)
    return {pk for each in found for pk in each}


_NAMES = frozenset({"host", "hosts", "left", "name", "newcomer", "owner", "observers", "user"})


def names_in_data(data: object, key: str = "") -> Iterator[str]:
    """The texts in JSON that are people's names."""
    if isinstance(data, str):
        if key in _NAMES:
            yield data
    elif isinstance(data, Mapping):
        for inner, value in data.items():
            yield from names_in_data(value, inner)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from names_in_data(value, key)


def shown_in(data: Any, now: NamesNow, key: str = "") -> Any:
    """JSON with those names as they are shown now."""
    if not now:
        return data
    if isinstance(data, str):
        return now.get(data, data) if key in _NAMES else data
    if isinstance(data, Mapping):
        return {inner: shown_in(value, now, inner) for inner, value in data.items()}
    if isinstance(data, list | tuple):
        return [shown_in(value, now, key) for value in data]
    return data
