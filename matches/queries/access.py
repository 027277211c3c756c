"""Who may see a match and its balances; and reading a match with its players, even if its rules fail."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple, TypeVar

import structlog
from django.db import DatabaseError
from django.db.models import F, Model, Prefetch, Q, QuerySet

from accounts.models import User
from matches.engine.core import BLOOD_GARNET
from matches.engine.game import AnyGame
from matches.engine.match_type import MatchType
from matches.games.registry import UnknownRules, all_games
from matches.models import Holding, Match, Player, Role
from matches.queries.matches import Position
from matches.services.commands import role_of
from matches.services.storage.instances import fetch

# -- accounts --------------------------------------------------------------------------------------------
# The usernames of players, for links to their profiles, and whether they are bots. They are read together with the
# players, or for all players of a match at once, never one by one.

_OF_PLAYER = f"FROM {User._meta.db_table} WHERE id = {Player._meta.db_table}.user_id"
SQL = f"(SELECT username {_OF_PLAYER}), (SELECT is_bot {_OF_PLAYER}), (SELECT mark {_OF_PLAYER})"
"""SQL columns of a player's account, in the order of `OF_ACCOUNT`."""
OF_ACCOUNT = ("username", "by_a_bot", "mark")
"""The attributes of a player that hold their account, if it was read with them."""


class Account(NamedTuple):
    """The account of a player: the username (empty for the site's bots and open places), whether it is a bot's account,
    and the mark that its owner has chosen."""

    username: str
    is_bot: bool
    mark: int | None = None


NOBODY = Account("", False)


def players_with_accounts(way: str = "") -> Prefetch[Any]:
    """For `prefetch_related`: the players of matches with their accounts. `way` is the match's lookup: `match__`."""
    found = Player.objects.annotate(username=F("user__username"), by_a_bot=F("user__is_bot"), mark=F("user__mark"))
    return Prefetch(f"{way}players", found)


def accounts_of(players: Iterable[Player]) -> list[Account]:
    """The account of each of these players. Accounts that were not read with the players are read now."""
    found = list(players)
    unread = {player.user_id for player in found if player.user_id is not None and "username" not in vars(player)}
    rows = User.objects.filter(pk__in=unread).values_list("pk", "username", "is_bot", "mark") if unread else ()
    read = {pk: Account(username, is_bot, mark) for pk, username, is_bot, mark in rows}
    for player in found:
        if player.user_id in read:
            vars(player).update(zip(OF_ACCOUNT, read[player.user_id], strict=True))
    return [NOBODY if player.user_id is None else _kept(player) for player in found]


def _kept(player: Player) -> Account:
    return Account(vars(player)["username"] or "", bool(vars(player)["by_a_bot"]), vars(player)["mark"])


# -- positions -------------------------------------------------------------------------------------------
# What live pages need of a match, read in two statements whose text is built only once.
#
# Players are read before the match. If somebody acts in between, the match is newer than the players' versions say, and
# the next look finds the difference; the other way round it would never be noticed.


class MatchAndPlayers(NamedTuple):
    """A match's current position, and the requested players by id."""

    position: Position
    players: dict[int, Player]


def look_at(match_id: int, player_ids: Collection[int] = (), *, everybody: bool = False) -> MatchAndPlayers | None:
    """Read a match with these players, or with `everybody`, so that templates need not read them. None if there is no
    such match."""
    players = _players(match_id, () if everybody else player_ids) if everybody or player_ids else []
    for match, _ in fetch(Match, "id = %s", match_id):
        if everybody:
            _give(match, players)
        return MatchAndPlayers(Position(match), {player.pk: player for player in players})
    return None


def give_again(match: Match, known: Match, player: Player | None) -> None:
    """Give a match that was read again the players of the one `known` before, with `player` as they are now."""
    players = list(known.players.all())
    for place, before in enumerate(players):
        if player is not None and before.pk == player.pk:
            players[place] = player
            if "username" in vars(before) and before.user_id == player.user_id:
                vars(player).update((name, vars(before)[name]) for name in OF_ACCOUNT)
    _give(match, players)


_IN_MATCH = f"match_id = (SELECT id FROM {Match._meta.db_table} WHERE public_id = %s)"  # noqa: S608


def _players(match_id: int, player_ids: Collection[int]) -> list[Player]:
    """The players with these ids, or all, in list order."""
    some = f" AND id IN ({', '.join(['%s'] * len(player_ids))})" if player_ids else ""
    return _read(f"match_id = %s{some}", match_id, *player_ids)


def _read(which: str, *values: object) -> list[Player]:
    """The players for which the SQL `which` holds, in list order, with their blood garnets and accounts."""
    found = []
    for player, besides in fetch(Player, f"{which} ORDER BY position, id", *values, more=_BESIDES):
        vars(player).update(zip(("blood_units", *OF_ACCOUNT), besides, strict=True))
        found.append(player)
    return found


_BESIDES = f""",
    (SELECT amount FROM {Holding._meta.db_table}
     WHERE player_id = {Player._meta.db_table}.id AND asset = '{BLOOD_GARNET}'),
    {SQL}
"""  # noqa: S608


def _give(match: Match, players: list[Player]) -> None:
    """Make `match.players.all()` return these players, as if they had been prefetched."""
    query = match.players.all()
    query._result_cache, query._prefetch_done = players, True  # type: ignore[attr-defined]
    for player in players:
        player.match = match
    vars(match)["_prefetched_objects_cache"] = {"players": query}


# -- legible ---------------------------------------------------------------------------------------------
# Showing a match whose rules fail on its stored state, because they have a fault or its row was damaged. Lists show it
# without its position, like one whose rules are unknown, so that it does not hide the others. Its own pages and the API
# say so, instead of "something failed".

NOT_SHOWN = (
    "The site cannot show this match because of a fault in its rules or its data. Its hosts know. Nobody can act in "
    "the match until this is fixed."
)

logger = structlog.get_logger(__name__)

M = TypeVar("M", bound=Model)
T = TypeVar("T")


class Illegible(LookupError):
    """The match exists, but nothing of it can be shown now. The message is for everybody who may see it."""

    code = "match_illegible"
    message = NOT_SHOWN


def is_legible(match: Match) -> bool:
    """Whether the rules can show a match's position to everybody who may see it. Failures are logged."""
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
    """What `read` returns for a match's position (the given one, or a new one) or, if that fails, for none."""
    try:
        return read(position or Position(match))
    except DatabaseError:
        raise
    except Exception:
        logger.exception("match_illegible", match=match.pk)
        return read(Position.of_none(match))


# -- access ----------------------------------------------------------------------------------------------


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
    """A match and its viewer. `player` is the viewer's own place in it, `role` their role as host or observer, if
    any."""

    match: Match
    user: Any
    player: Player | None
    role: Role | None = None

    @property
    def is_host(self) -> bool:
        """Whether the viewer may give commands."""
        return self.role is not None and self.role.acts

    @property
    def sees(self) -> bool:
        """Whether the viewer sees what hosts see, as a host or observer."""
        return self.role is not None


def access_match(public_id: str, user: Any, *, everybody: bool = False) -> Viewer:
    """The match with this id, if this user may see it; with all its players (`everybody`) for a page that shows them.
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
"""The most players in a match with presence: so few wait for each other; in larger matches nobody needs it."""


def sees_who_is_here(viewer: Viewer) -> bool:
    """Whether presence is shown to this viewer: in small matches, to players, hosts and observers."""
    return (viewer.player is not None or viewer.sees) and viewer.match.players.count() <= MOST_WHO_WAIT


def viewer_of(match: Match, user: Any) -> Viewer:
    """The `Viewer` for a user and a match. Does not check whether they may see it."""
    if not user.is_authenticated:
        return Viewer(match, user, None)
    if "players" in getattr(match, "_prefetched_objects_cache", ()):
        player = next((each for each in match.players.all() if each.user_id == user.pk), None)
    else:
        player = match.players.filter(user_id=user.pk).first()
    return Viewer(match, user, player, role_of(match, user) if player is None else None)


# -- balances --------------------------------------------------------------------------------------------
# A game declares which assets everybody can see; all others become public when the match is over, unless they would
# reveal what the game keeps secret for ever. Until then hosts do not see them either, except by an explicit look, which
# is logged.


def keeps_balances(game: AnyGame) -> bool:
    """Whether private balances stay hidden, from hosts too, when a match is over: they tell of its secret actions."""
    return not game.secret_for_ever - game.read_by_hosts <= MatchType.secret_for_ever


def is_open(match: Match, asset: str) -> bool:
    """Whether everybody may know how much of an asset each player of this match has."""
    return asset in match.rules.public_assets or (match.is_over and not keeps_balances(match.rules))


def only_open(rows: QuerySet[M], match: str) -> QuerySet[M]:
    """The rows with a public `asset`. `match` is the lookup of a row's match."""
    kept = [slug for slug, game in all_games().items() if keeps_balances(game)]
    found = Q(**{f"{match}__status__in": Match.OVER}) & ~Q(**{f"{match}__game__in": kept})
    for slug, game in all_games().items():
        found |= Q(**{f"{match}__game": slug, "asset__in": game.public_assets})
    return rows.filter(found)
