"""Advice before an action, and the effect of an action, calculated only from what the player may know."""

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
    """Advice. `worth`: place that can be bid on -> how many points its card would add; in the last round only for the
    team that flags it, since the other can no longer claim it. `team`: the player's."""

    worth: dict[str, Worth]
    team: TeamView


def prospects(public: MvpPublic, private: MvpPrivate) -> Prospects | None:
    """The advice for a player; None if nobody can bid any more."""
    if public.closes_at is None:
        return None
    us = next(team for team in public.reaching if team.team == private.team)
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
    """The purchase of the chips that bids lack."""
    if refused.code != NOT_ENOUGH_CHIPS or not isinstance(action, PlaceBids):
        return None
    return chips_missing(sum(action.adds.values()) - private.free, private.chip_price, private.affordable)


# -- forecast ------------------------------------------------------------------------------------------


class Effect(msgspec.Struct, frozen=True):
    """The effect of chips on a card, as far as the player knows. `mine`: the player's chips there, with those of the
    action.

    `kind`: `waits` (the card is only nearly exposed), `open` (no flag), `claims` (the player's team has the flag;
    `total`: its chips, with those of the action) or `contests` (the `other` team has the flag, with `total` chips;
    those of the player's team were returned). `needed`: how many chips in all the team without the flag needs to take
    it; 0 if there is no flag.
    """

    place: str
    kind: str
    mine: int
    total: int = 0
    needed: int = 0
    other: str = ""


class BidsForecast(msgspec.Struct, frozen=True):
    """The effect of bids. `added`: their chips; `unused`: chips that stay free; `effects`: by card, in place order."""

    added: int
    unused: int
    effects: tuple[Effect, ...]


class PurchaseForecast(msgspec.Struct, frozen=True):
    """The effect of buying `count` chips for `price` garnets. `free_after`: chips that are then on no card."""

    count: int
    price: int
    free_after: int
    garnets_after: int


class QuestionForecast(msgspec.Struct, frozen=True):
    """The effect of a question for `price` garnets. `kind`, `about`: as in `AnswerView`. `known`: the answer, if it is
    public or the player has bought it before; `pending`: the player has already asked this in this round."""

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
