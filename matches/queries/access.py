"""Who may see a match and its balances, and how it is read: with its players and their accounts, and only if it can be
shown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple, TypeVar

import structlog
from django.db import DatabaseError
from django.db.models import F, Model, Prefetch, Q, QuerySet

from accounts.models import User
from matches.engine.core import BLOOD_GARNET
from matches.games.registry import UnknownRules, all_games
from matches.models import Holding, Match, Player, Role
from matches.queries.matches import Position
from matches.services.commands import role_of
from matches.services.storage.instances import fetch

# -- accounts --------------------------------------------------------------------------------------------
# The accounts of those who play: the usernames, by which their names on pages lead to their profiles, and the mark of
# bots.
#
# They are read together with the players, or for all players of a match at once: never one by one.

_OF_PLAYER = f"FROM {User._meta.db_table} WHERE id = {Player._meta.db_table}.user_id"
SQL = f"(SELECT username {_OF_PLAYER}), (SELECT is_bot {_OF_PLAYER}), (SELECT mark {_OF_PLAYER})"
"""The same for handwritten statements; for `keep`."""


class Account(NamedTuple):
    """Who plays: the username, empty for bots of the site and open places, whether it is a bot's account, and the mark
    that its owner has chosen."""

    username: str
    is_bot: bool
    mark: int | None = None


NOBODY = Account("", False)


def players_with_accounts(way: str = "") -> Prefetch[Any]:
    """For `prefetch_related`: the players of matches, with the accounts; `way`: to the matches, such as `match__`."""
    found = Player.objects.annotate(username=F("user__username"), by_a_bot=F("user__is_bot"), mark=F("user__mark"))
    return Prefetch(f"{way}players", found)


def keep(player: Player, username: str | None, by_a_bot: Any, mark: int | None) -> None:
    """Remember the account that was read with a player."""
    vars(player).update(username=username, by_a_bot=bool(by_a_bot), mark=mark)


def accounts_of(players: Iterable[Player]) -> list[Account]:
    """The account of each of these players; those that were not read with the players are read now."""
    found = list(players)
    unread = {player.user_id for player in found if player.user_id is not None and "username" not in vars(player)}
    rows = User.objects.filter(pk__in=unread).values_list("pk", "username", "is_bot", "mark") if unread else ()
    read = {pk: Account(username, is_bot, mark) for pk, username, is_bot, mark in rows}
    for player in found:
        if player.user_id in read:
            keep(player, *read[player.user_id])
    return [NOBODY if player.user_id is None else _kept(player) for player in found]


def _kept(player: Player) -> Account:
    return Account(vars(player)["username"] or "", bool(vars(player)["by_a_bot"]), vars(player)["mark"])


# -- positions -------------------------------------------------------------------------------------------
# Reads what a look at a match needs, in two statements that are never compiled again.
#
# Players are read before the match. If somebody acts in between, the look has an old version and new contents, and
# the next look finds the difference; the other way round the change would never be seen.


class MatchAndPlayers(NamedTuple):
    """A match as it stands, and those of its players who were asked for, by id."""

    position: Position
    players: dict[int, Player]


def look_at(match_id: int, player_ids: Collection[int] = (), *, everybody: bool = False) -> MatchAndPlayers | None:
    """The match with these players, or with `everybody` (whom its templates then need not read); None where there is
    no such match."""
    players = _players(match_id, () if everybody else player_ids) if everybody or player_ids else []
    for match, _ in fetch(Match, "id = %s", match_id):
        if everybody:
            _give(match, players)
        return MatchAndPlayers(Position(match), {player.pk: player for player in players})
    return None


def give_again(match: Match, known: Match, player: Player | None) -> None:
    """Let a match that was read again have the players of the one known before, and `player` as they are now."""
    players = list(known.players.all())
    for place, before in enumerate(players):
        if player is not None and before.pk == player.pk:
            players[place] = player
            if "username" in vars(before) and before.user_id == player.user_id:
                keep(player, *(vars(before)[name] for name in ("username", "by_a_bot", "mark")))
    _give(match, players)


_IN_MATCH = f"match_id = (SELECT id FROM {Match._meta.db_table} WHERE public_id = %s)"  # noqa: S608


def _players(match_id: int, player_ids: Collection[int]) -> list[Player]:
    """Players in list order, of these ids, or all."""
    some = f" AND id IN ({', '.join(['%s'] * len(player_ids))})" if player_ids else ""
    return _read(f"match_id = %s{some}", match_id, *player_ids)


def _read(which: str, *values: object) -> list[Player]:
    """These players in list order, each with their blood garnets and username."""
    found = []
    for player, (units, *account) in fetch(Player, f"{which} ORDER BY position, id", *values, more=_BESIDES):
        vars(player)["blood_units"] = units
        keep(player, *account)
        found.append(player)
    return found


_BESIDES = f""",
    (SELECT amount FROM {Holding._meta.db_table}
     WHERE player_id = {Player._meta.db_table}.id AND asset = '{BLOOD_GARNET}'),
    {SQL}
"""  # noqa: S608


def _give(match: Match, players: list[Player]) -> None:
    """Let `match.players.all()` be these, as if they had been prefetched."""
    query = match.players.all()
    query._result_cache, query._prefetch_done = players, True  # type: ignore[attr-defined]
    for player in players:
        player.match = match
    vars(match)["_prefetched_objects_cache"] = {"players": query}


# -- legible ---------------------------------------------------------------------------------------------
# What is shown of a match whose rules fail with its position, because they have a fault or its row was damaged.
#
# Lists show it without its position, as one of which this site does not have the rules: one match must not hide the
# others. Its own pages, and programs, are told so instead of "something failed".

NOT_SHOWN = (
    "The site cannot show where this match stands: its rules fail on the stored data. Its hosts know. Nobody can act "
    "in the match until this is fixed."
)

logger = structlog.get_logger(__name__)

M = TypeVar("M", bound=Model)
T = TypeVar("T")


class Illegible(LookupError):
    """A match that exists, and of which nothing can be shown now; the message is for everybody who may see it."""

    code = "match_illegible"
    message = NOT_SHOWN


def is_legible(match: Match) -> bool:
    """Whether the rules can show a match's position to everybody who may see it. What fails is logged."""
    try:
        position = Position(match)
        for player in match.players.all():
            position.private_of(player)
            position.has_submitted(player)
        return position.public is None or bool(position.public.phase)
    except DatabaseError:
        raise
    except Exception:
        logger.exception("match_illegible", match=match.pk)
        return False


def legible(match: Match, read: Callable[[Position], T], position: Position | None = None) -> T:
    """What `read` makes of a match's position (the given one, or a new one), or of none if that fails."""
    try:
        return read(position or Position(match))
    except DatabaseError:
        raise
    except Exception:
        logger.exception("match_illegible", match=match.pk)
        return read(Position.of_none(match))


# -- access ----------------------------------------------------------------------------------------------
# Who may see a match, and in which role.


class MatchHidden(LookupError):
    """There is no such match, or this viewer may not see it; both get the same answer."""

    message = "There is no such match."


class RulesNotHere(LookupError):
    """The match exists but cannot be shown: this site does not have the rules that it began with."""

    code = "rules_unknown"

    def __init__(self, title: str, message: str) -> None:
        super().__init__(message)
        self.title, self.message = title, message


class Viewer(NamedTuple):
    """A match and its viewer. `player` is the viewer's own part in it, if any; `role` the one as a host or observer."""

    match: Match
    user: Any
    player: Player | None
    role: Role | None = None

    @property
    def is_host(self) -> bool:
        """Whether the viewer gives commands."""
        return self.role is not None and self.role.acts

    @property
    def sees(self) -> bool:
        """Whether the viewer sees what hosts see, and acts or observes."""
        return self.role is not None


def access_match(public_id: str, user: Any, *, everybody: bool = False) -> Viewer:
    """The match of that id, if this user may see it; with all its players (`everybody`) for a page that shows them.
    Raises `MatchHidden`, `RulesNotHere`.

    Drafts are only for their hosts, observers and invited players.
    """
    players = _read(_IN_MATCH, public_id) if everybody else []
    match = Match.objects.filter(public_id=public_id).first()
    if match is None:
        raise MatchHidden
    if everybody:
        _give(match, players)
    viewer = viewer_of(match, user)
    if not match.is_public and not viewer.sees and viewer.player is None:
        raise MatchHidden
    if isinstance(match.rules, UnknownRules):
        raise RulesNotHere(match.title, match.rules.problem)
    return viewer


MOST_WHO_WAIT = 2
"""In a match of so few people each waits for single ones; in a larger one nobody needs to know who is here."""


def sees_who_is_here(viewer: Viewer) -> bool:
    """Whether this viewer is told who has the match open now: in small matches their own people are."""
    return (viewer.player is not None or viewer.sees) and viewer.match.players.count() <= MOST_WHO_WAIT


def viewer_of(match: Match, user: Any) -> Viewer:
    """This user as a viewer of a match that they may see."""
    if not user.is_authenticated:
        return Viewer(match, user, None)
    if "players" in getattr(match, "_prefetched_objects_cache", ()):
        player = next((each for each in match.players.all() if each.user_id == user.pk), None)
    else:
        player = match.players.filter(user_id=user.pk).first()
    return Viewer(match, user, player, role_of(match, user) if player is None else None)


# -- balances --------------------------------------------------------------------------------------------
# Which balances are public. A game says which assets everybody can see; all others open when the match is over.
#
# Until then hosts do not see them either, except by an explicit look, which is logged.


def is_open(match: Match, asset: str) -> bool:
    """Whether everybody may know how much of an asset each player of this match has."""
    return match.is_over or asset in match.rules.public_assets


def only_open(rows: QuerySet[M], match: str) -> QuerySet[M]:
    """The rows with a public `asset`. `match` is the lookup of a row's match."""
    found = Q(**{f"{match}__status__in": Match.OVER})
    for slug, game in all_games().items():
        found |= Q(**{f"{match}__game": slug, "asset__in": game.public_assets})
    return rows.filter(found)
