"""What players are called, and a place of a running match that changes hands.

Everything of a place goes to who comes, and nothing stays with who leaves. The place itself, in the rules and in the
log, is its handle: it keeps its balances, secrets and what it was told. Only the account and the shown name change.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError

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
            "This looks like an email address, and everybody sees a player's name. Write a name instead.",
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


# -- what was told to one player, and whose it is ------------------------------------------------------------

PERSONAL = ("added_to_match", "question_answered")
"""What concerns the person, and not what happens to their place in the play."""


def let_go_of_personal(player: Player) -> None:
    """Hide from the next person of a place what concerned the last one alone. What happened to the place in the play is
    theirs now."""
    player.announcements.filter(kind__in=PERSONAL).update(player=None)


def let_go(player: Player) -> None:
    """Keep from the next person of a place all that the last one was told, and had said of their absence."""
    player.announcements.update(player=None)
    player.absences.all().delete()


# -- places --------------------------------------------------------------------------------------------------
# A place of a running match that changes hands: everything of it goes to who comes, and nothing stays with who
# leaves.
#
# The place itself, in the rules and in the log, is its handle: it keeps its balances, secrets and what it was told.
# Only the account, and the name that is shown, change.

TAKE_PLACE = "take_place"


def need_newcomer(match: Match, newcomer: Any) -> None:
    """Raise `CommandRefused` with a sentence for somebody who may not come into this match."""
    need_stranger(match.players, newcomer, "already plays in this match", why_not_play(match, newcomer))


def need_stranger(places: Any, newcomer: Any, is_there: str, why_not: str) -> None:
    """The same for whatever has places. `is_there`: said of who has one of them; `why_not`: of who may have none."""
    if not newcomer.is_active:
        raise CommandRefused(f"The account of {newcomer} is closed.", field="person")
    if places.filter(user=newcomer).exists():
        raise CommandRefused(f"{newcomer} {is_there}.", field="person")
    if why_not:
        raise CommandRefused(why_not, field="person")


def change_hands(writer: Writer, player: Player, newcomer: Any, *, is_bot: bool = False) -> Submission | None:
    """Give a place to somebody, or (None) to nobody or a bot. Who had it loses all access when this is committed, and
    can never play in this match again. The caller records why, tells it, and saves. Gives the newcomer's row of the
    log."""
    left, before = player.user, player.shown_name
    others = names_in(writer.match, besides=player.pk)
    player.user, player.is_bot, player.bot_acts_at = newcomer, is_bot, None
    player.invite_nonce = new_nonce()
    # Not the name of who leaves: the next person would be taken for them.
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


def _row_of(writer: Writer, player: Player, newcomer: Any) -> Submission:
    """The row with which somebody takes a place, which says since when they act there."""
    payload = {"command": TAKE_PLACE, "player": player.handle}
    return writer.row(payload, actor=f"player:{player.handle}", user_id=newcomer.pk)


def where(writer: Writer) -> str:
    """How far the match is, in words that everybody may know: “Round 2 of 4”."""
    with as_rule_failure():
        return str(writer.game.progress(writer.game.public_view(writer.state)).where)
