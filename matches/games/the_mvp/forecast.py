"""Forecasts: the effect of an acceptable action, from what the player may know."""

from __future__ import annotations

import msgspec

from matches.engine.actions import Action
from matches.games.the_mvp.actions import AskIdentity, AskLocation, BuyChips, PlaceBids
from matches.games.the_mvp.private_view import MvpPrivate, OwnBid, on_cards
from matches.games.the_mvp.public_view import MvpPublic


class BidsForecast(msgspec.Struct, frozen=True):
    """The effect of bids: `added` chips in all, `unused` ones that stay free, and `on_cards`, the player's chips on
    each card after them, in place order."""

    added: int
    unused: int
    on_cards: tuple[OwnBid, ...]


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
    cards = {each.place: each.card for each in public.places if each.card is not None}
    added = sum(adds.values())
    return BidsForecast(added, private.free - added, on_cards(standing, adds, cards))


def _known(public: MvpPublic, private: MvpPrivate) -> dict[str, str]:
    """Place -> card, as far as the player knows."""
    return private.known | {each.place: each.card for each in public.places if each.card is not None}


def _question(private: MvpPrivate, kind: str, about: str, price: int, known: dict[str, str]) -> QuestionForecast:
    pending = any(each.kind == kind and each.about == about for each in private.pending)
    return QuestionForecast(kind, about, price, private.garnets - price, known.get(about), pending)
