"""What a player may want to weigh before acting, and the effect of an action, from what that player may know."""

import msgspec

from matches.engine.actions import Action
from matches.engine.errors import Rejected
from matches.engine.purchases import chips_missing
from matches.engine.views import Remedy
from matches.games.the_mvp.bidding import NOT_ENOUGH_CHIPS, AskIdentity, AskLocation, BuyChips, PlaceBids
from matches.games.the_mvp.board_views import PlaceView, TeamView
from matches.games.the_mvp.cards import gain
from matches.games.the_mvp.config import TEAMS
from matches.games.the_mvp.private_view import MvpPrivate
from matches.games.the_mvp.public_view import MvpPublic

# -- prospects -----------------------------------------------------------------------------------------


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


# -- forecast ------------------------------------------------------------------------------------------


class Effect(msgspec.Struct, frozen=True):
    """What chips do on a card, as far as the player knows; `mine` lie there then.

    `kind`: `waits` on a nearly exposed card; `open` without a flag; `claims` with the own team's flag, whose `total`
    includes the chips added now; `contests` with the `other` team's flag and total, of whose opponents no chips have
    stayed. `needed`: the chips with which the team without the flag takes it, in all; 0 without a flag.
    """

    place: str
    kind: str
    mine: int
    total: int = 0
    needed: int = 0
    other: str = ""


class BidsForecast(msgspec.Struct, frozen=True):
    """The effect of bids: `added` chips in all, `unused` ones that stay free, and what each does, in place order."""

    added: int
    unused: int
    effects: tuple[Effect, ...]


class PurchaseForecast(msgspec.Struct, frozen=True):
    """`count` chips for `price` garnets, and the totals after it; `free_after`: chips that lie on no card."""

    count: int
    price: int
    free_after: int
    garnets_after: int


class QuestionForecast(msgspec.Struct, frozen=True):
    """A question for `price` garnets. `kind` and `about` as in answers. `known`: the answer, if the player has it
    already, because it is public or was bought before; `pending`: the player has asked it in this round already."""

    kind: str
    about: str
    price: int
    garnets_after: int
    known: str | None
    pending: bool


Forecast = BidsForecast | PurchaseForecast | QuestionForecast


def forecast(public: MvpPublic, private: MvpPrivate, action: Action) -> Forecast | None:
    """The effect of the action; None for decisions."""
    match action:
        case PlaceBids():
            return _bids(public, private, action.adds)
        case BuyChips():
            price = action.count * private.chip_price
            return PurchaseForecast(action.count, price, private.free + action.count, private.garnets - price)
        case AskIdentity():
            return _question(private, "identity", action.place, private.identity_price, _known(public, private))
        case AskLocation():
            where = {card: place for place, card in _known(public, private).items()}
            return _question(private, "location", action.card, private.location_price, where)
        case _:
            return None


def _bids(public: MvpPublic, private: MvpPrivate, adds: dict[str, int]) -> BidsForecast:
    standing = {each.place: each.standing for each in private.on_cards if each.standing}
    added = sum(adds.values())
    effects = tuple(
        _effect(place, private.team, adds[place.place], standing.get(place.place, 0))
        for place in public.places
        if place.place in adds
    )
    return BidsForecast(added, private.free - added, effects)


def _effect(place: PlaceView, team: str, added: int, standing: int) -> Effect:
    mine = standing + added
    if place.state != "exposed" or place.flag is None or place.total is None:
        return Effect(place.place, "open" if place.state == "exposed" else "waits", mine)
    if place.flag == team:
        total = place.total + added
        return Effect(place.place, "claims", mine, total, total + 1, next(each for each in TEAMS if each != team))
    return Effect(place.place, "contests", mine, place.total, place.total + 1, place.flag)


def _known(public: MvpPublic, private: MvpPrivate) -> dict[str, str]:
    """Place -> card, as far as the player knows."""
    return private.known | {each.place: each.card for each in public.places if each.card is not None}


def _question(private: MvpPrivate, kind: str, about: str, price: int, known: dict[str, str]) -> QuestionForecast:
    pending = any(each.kind == kind and each.about == about for each in private.pending)
    return QuestionForecast(kind, about, price, private.garnets - price, known.get(about), pending)
