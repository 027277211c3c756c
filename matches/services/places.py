"""Names of players, and a place of a running match that changes hands.

In the rules and in the log a place is its handle: it keeps its balances, secrets and announcements when another person
takes it. Only the account and the shown name change, and the person who leaves keeps no access.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError

from accounts.deletion import NEUTRAL
from accounts.models import User
from accounts.validators import is_reserved, looks, validate_not_reserved
from matches.models import Match, Player, Submission
from matches.models.player import new_nonce
from matches.services import signals
from matches.services.errors import CommandRefused, as_rule_failure
from matches.services.roles import note_leaver, why_not_play
from matches.services.writer import Writer

# -- names of players: in one match no two may look alike, whether the handle or the name is shown -----------

_OURS = frozenset(("bot", "player"))
"""Names that are reserved, but that the site itself gives to places."""

_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")

_LEFT = re.compile(rf"{NEUTRAL} \d+\b")

_LONGEST_BASE = 24

CHANGED = "The player there has changed since you opened this page. Look at the current players first."


class Names(NamedTuple):
    """The names of a player. The handle is shown if `name` is empty."""

    handle: str
    name: str = ""


def _is_email_address(name: str) -> bool:
    return _MAIL.fullmatch(name.strip()) is not None


def names_in(match: Match, besides: int = 0) -> list[Names]:
    """The names of a match's players, except the one with the id `besides`, and of its hosts."""
    players = match.players.exclude(pk=besides).values_list("handle", "name")
    return [*map(Names._make, players), *host_names(match)]


def host_names(match: Match) -> list[Names]:
    """The names of a match's hosts, which no player's name may look like."""
    return [Names(host.username, host.get_full_name()) for host in match.hosts.all()]


def validate_player_name(name: str) -> None:
    """Raise `ValidationError` for a name that might be taken for the site or its staff, and for an email address, which
    should not be public."""
    if _is_email_address(name):
        raise ValidationError(
            "This looks like an email address, and everybody sees a player's name. Write a name instead.",
            code="email_address",
        )
    if name.lower() not in _OURS:
        validate_not_reserved(name)


def alike(players: Sequence[Names]) -> dict[int, tuple[str, str]]:
    """Index of each player whose name looks like another's -> the field (`handle` or `name`) and a sentence."""
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
    """A name to show for a person that looks like nobody else's. Empty if neither of their names can be shown."""
    own = (user.get_full_name(), user.username)
    name = next((name for name in own if not is_reserved(name) and not _is_email_address(name)), "")
    if not name:
        return ""
    with_username = [f"{name[: 47 - len(user.username)]} ({user.username})"] if name != user.username else []
    return _first_free(name, chain(with_username, (f"{name[:44]} {number}" for number in count(2))), taken)


def own_name(user: Any) -> str:
    """The name to show for a person outside any match."""
    return free_name(user, ()) or str(user.username)


def name_beside(handle: str, user: Any, taken: Iterable[Names]) -> str:
    """The name to show for a person in a place whose handle a host has chosen. Usually empty, since everybody knows the
    place by its handle; but if the handle looks like somebody else's username, the person's own name."""
    return free_name(user, taken) if User.objects.looks_taken(handle, besides=user.pk) else ""


def chosen(name: str) -> str:
    """The name of a place as hosts or its player chose it: empty if it only stands for a deleted account."""
    return "" if _LEFT.match(name) else name


def unlike(wanted: Iterable[Names], taken: Iterable[Names]) -> Iterator[Names]:
    """Yield the wanted names that look like no taken name and like no other wanted one."""
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


# -- announcements to one player when the place changes hands ------------------------------------------------

PERSONAL = ("added_to_match", "question_answered")
"""Kinds of announcement that concern the person, not the place in the play."""


def let_go_of_personal(player: Player) -> None:
    """Hide from the next person of a place the announcements that concerned only the last one. Those about the play
    stay with the place."""
    player.announcements.filter(kind__in=PERSONAL).update(player=None)


def let_go(player: Player) -> None:
    """Hide from the next person of a place all announcements to the last one, and delete that person's absences."""
    player.announcements.update(player=None)
    player.absences.all().delete()


# -- places --------------------------------------------------------------------------------------------------

TAKE_PLACE = "take_place"


def need_newcomer(match: Match, newcomer: Any, handle: str = "") -> None:
    """Raise `CommandRefused` with a sentence for somebody who may not get a place in this match, or the one with this
    handle."""
    need_stranger(match.players, newcomer, "already plays in this match", why_not_play(match, newcomer, handle))


def need_stranger(places: Any, newcomer: Any, is_there: str, why_not: str) -> None:
    """The same for anything with places. `is_there` follows the name of a person who already has one; `why_not` is the
    sentence about a person who may not have one, or empty."""
    if not newcomer.is_active:
        raise CommandRefused(f"{newcomer}'s account is closed.", field="person")
    if places.filter(user=newcomer).exists():
        raise CommandRefused(f"{newcomer} {is_there}.", field="person")
    if why_not:
        raise CommandRefused(why_not, field="person")


def change_hands(writer: Writer, player: Player, newcomer: Any, *, is_bot: bool = False) -> Submission | None:
    """Give a place to somebody, or (None) to nobody or a bot. The person who had it loses all access with the commit,
    and can never play in this match again. The caller records why, announces it and saves. Returns the log's row with
    which the newcomer takes the place."""
    left, before = player.user, player.shown_name
    others = names_in(writer.match, besides=player.pk)
    player.user, player.is_bot, player.bot_acts_at = newcomer, is_bot, None
    player.invite_nonce = new_nonce()
    # A new name must not look like that of the person who leaves.
    taken = [*others, Names(before)] if left is not None else others
    player.name = name_beside(player.handle, newcomer, taken) if newcomer is not None else ""
    player.save(update_fields=["user", "is_bot", "bot_acts_at", "invite_nonce", "name"])
    player.absences.filter(ended_at=None).update(ended_at=writer.now)
    if left is not None:
        note_leaver(player, left, writer.now)
        let_go_of_personal(player)
    entry = None if newcomer is None else writer.record(_row_of(writer, player, newcomer))
    writer.touch_all()
    signals.place_changed_hands.send(sender=Player, player=player, left=left)
    return entry


def switch_bot(writer: Writer, player: Player, *, on: bool) -> None:
    """Let a bot play in a place, or stop it. The caller records and saves."""
    player.is_bot, player.bot_acts_at = on, None
    player.save(update_fields=["is_bot", "bot_acts_at"])
    writer.touch_all()
    if on:
        signals.place_played_by_others.send(sender=Player, player=player)


def _row_of(writer: Writer, player: Player, newcomer: Any) -> Submission:
    """The row with which somebody takes a place; from it on they act there."""
    payload = {"command": TAKE_PLACE, "player": player.handle}
    return writer.row(payload, actor=f"player:{player.handle}", user_id=newcomer.pk)


def where(writer: Writer) -> str:
    """Where the match stands, in words for everybody: “Round 2 of 4”."""
    with as_rule_failure():
        return str(writer.game.progress(writer.game.public_view(writer.state)).where)
