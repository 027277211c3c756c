"""Names of players: in one match no two may look alike, whether the handle or the name is shown."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError

from accounts.models import User
from accounts.names import is_reserved, looks
from accounts.validators import validate_not_reserved
from matches.models import Match

_OURS = frozenset(("bot", "player"))
"""Reserved names that the site itself gives."""

_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")

_LONGEST_BASE = 24


class Names(NamedTuple):
    """What a player is called. Without a name the handle is shown."""

    handle: str
    name: str = ""


def _is_email_address(name: str) -> bool:
    return _MAIL.fullmatch(name.strip()) is not None


def names_in(match: Match, besides: int = 0) -> list[Names]:
    """What the players of a match are called, but for the one of this id, and what its hosts are."""
    players = match.players.exclude(pk=besides).values_list("handle", "name")
    return [*map(Names._make, players), *host_names(match)]


def host_names(match: Match) -> list[Names]:
    """The names of a match's hosts, which no player's name may look like."""
    return [Names(host.username, host.get_full_name()) for host in match.hosts.all()]


def validate_player_name(name: str) -> None:
    """Raise `ValidationError` for a name that would be taken for the site itself, or for somebody with rights, and for
    an email address: everybody reads the name, also those whom the owner of the address would not give it to."""
    if _is_email_address(name):
        raise ValidationError(
            "This looks like an email address, and everybody reads a player's name. Write a name instead.",
            code="email_address",
        )
    if name.lower() not in _OURS:
        validate_not_reserved(name)


def alike(players: Sequence[Names]) -> dict[int, tuple[str, str]]:
    """Names that look like another, by place in the list: the field (`handle` or `name`), and a sentence."""
    owners = defaultdict(set)
    for number, names in enumerate(players):
        for look in _looks(names):
            owners[look].add(number)
    found: dict[int, tuple[str, str]] = {}
    for number, names in enumerate(players):
        for field, text in zip(Names._fields, names, strict=True):
            if text and any(len(owners[look]) > 1 for look in looks(text)):
                message = f"“{text}” is, or looks like, the name of somebody else here. Please choose another one."
                found.setdefault(number, (field, message))
    return found


def free_handle(wanted: str, taken: Iterable[Names]) -> str:
    """A handle close to a wanted name that looks like nobody's."""
    base = re.sub(r"[^A-Za-z0-9_.-]", "", wanted).lstrip("_.-")[:_LONGEST_BASE]
    if not base or (is_reserved(base) and base.lower() not in _OURS):
        base = "player"
    return _first_free(base, (f"{base}{number}" for number in count(2)), taken)


def free_name(user: Any, taken: Iterable[Names]) -> str:
    """What to show of a person, so that nobody takes them for another player. Empty where only the handle is left."""
    own = (user.get_full_name(), user.username)
    name = next((name for name in own if not is_reserved(name) and not _is_email_address(name)), "")
    if not name:
        return ""
    with_username = [f"{name[: 47 - len(user.username)]} ({user.username})"] if name != user.username else []
    return _first_free(name, chain(with_username, (f"{name[:44]} {number}" for number in count(2))), taken)


def own_name(user: Any) -> str:
    """What a person is called, wherever they play."""
    return free_name(user, ()) or str(user.username)


def name_beside(handle: str, user: Any, taken: Iterable[Names]) -> str:
    """What to show of a person in a place whose handle a host has given. Empty: the handle is what everybody knows the
    place by, whoever plays there, unless it would be taken for somebody else's username."""
    return free_name(user, taken) if User.objects.looks_taken(handle, besides=user.pk) else ""


def unlike(wanted: Iterable[Names], taken: Iterable[Names]) -> Iterator[Names]:
    """Those of the wanted names that look like nobody's, and not like one another."""
    seen = {look for names in taken for look in _looks(names)}
    for names in wanted:
        if seen.isdisjoint(_looks(names)):
            seen |= _looks(names)
            yield names


def _first_free(wanted: str, others: Iterable[str], taken: Iterable[Names]) -> str:
    seen = {look for names in taken for look in _looks(names)}
    if seen.isdisjoint(looks(wanted)):
        return wanted
    return next(other for other in others if seen.isdisjoint(looks(other)))


def _looks(names: Names) -> set[str]:
    return {look for text in names if text for look in looks(text)}
