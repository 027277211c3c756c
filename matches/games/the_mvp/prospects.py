"""What a player may want to weigh before bidding: what each card would bring, and what the team can still make.

Everything follows from the board and from the player's own view, so it tells nothing that the player does not know.
"""

from __future__ import annotations

import msgspec

from matches.engine.actions import Action
from matches.engine.errors import Rejected
from matches.engine.purchases import chips_missing
from matches.engine.views import Remedy
from matches.games.the_mvp.actions import PlaceBids
from matches.games.the_mvp.bidding import NOT_ENOUGH_CHIPS
from matches.games.the_mvp.board_views import PlaceView
from matches.games.the_mvp.private_view import MvpPrivate
from matches.games.the_mvp.public_view import MvpPublic
from matches.games.the_mvp.scoring import gain
from matches.games.the_mvp.team_views import TeamView


class Worth(msgspec.Struct, frozen=True):
    """How many points a card would add now to the player's team (`us`) and to the other one (`them`)."""

    us: int
    them: int


class Prospects(msgspec.Struct, frozen=True):
    """`worth`: place -> what its card would bring, of the cards that can be bid on; in the last round only to the team
    that flags it, since no other can claim it any more. `team`: the player's own."""

    worth: dict[str, Worth]
    team: TeamView


def prospects(public: MvpPublic, private: MvpPrivate) -> Prospects | None:
    """What the player may want to weigh; None when nobody can bid any more."""
    if public.closes_at is None:
        return None
    us = next(team for team in public.teams if team.team == private.team)
    them = next(team for team in public.teams if team.team != private.team)
    worth = {
        place.place: Worth(_brings(public, place, us), _brings(public, place, them)) for place in public.open_places
    }
    return Prospects(worth, us)


def _brings(public: MvpPublic, place: PlaceView, team: TeamView) -> int:
    if place.card is None or (public.is_last and place.flag != team.team):
        return 0
    return gain(team.cards, place.card)


def remedy(public: MvpPublic, private: MvpPrivate, action: Action, refused: Rejected) -> Remedy | None:
    """The purchase of the chips that bids are short of."""
    if refused.code != NOT_ENOUGH_CHIPS or not isinstance(action, PlaceBids):
        return None
    return chips_missing(sum(action.adds.values()) - private.free, private.chip_price, private.affordable)
