"""The bot, which uses only what its player may see: it bids on the cards that its team still lacks.

It keeps nothing between calls, and submits once in each round. Each draw's purpose contains the round.
"""

from datetime import timedelta

from matches.engine.actions import RawAction
from matches.engine.bots import Chance
from matches.engine.draw import Draw
from matches.games.the_mvp.board_views import PlaceView
from matches.games.the_mvp.cards import gain
from matches.games.the_mvp.private_view import MvpPrivate
from matches.games.the_mvp.public_view import MvpPublic

BUYS_ONE_IN = 15
ASKS_ONE_IN = 25
SKIPS_ONE_IN = 3
"""The bot leaves one in this many good cards to its team-mates."""
NEARLY_ONE_IN = 3
"""The bot bids on one in this many cards that are only nearly exposed."""
WORTH_PER_CHIP = 3
"""On a card without a flag, the bot bids 1 chip, plus at most one more for each time its worth contains this."""


def action(public: MvpPublic, private: MvpPrivate, now: timedelta, draw: Draw) -> RawAction | None:
    """What the bot does: an action as JSON, or None to wait."""
    chance = Chance(draw, private.handle, public.round)
    if private.bids is None:
        return {"type": "bid", "adds": _adds(public, private, chance)}
    return _purchase(public, private, chance)


def _purchase(public: MvpPublic, private: MvpPrivate, chance: Chance) -> RawAction | None:
    """After its bids, the bot sometimes buys a chip or an answer, but never on credit."""
    so_far = f"buy:{private.garnets}:{private.chips}"  # so that each purchase has its own draw
    if private.chip_price <= private.garnets and private.affordable and chance.one_in(BUYS_ONE_IN, so_far):
        return {"type": "buy_chips", "count": 1}
    if public.hidden and private.identity_price <= private.garnets and private.may_ask_identity:
        unknown = [each.place for each in public.hidden if each.place not in private.known]
        if unknown and not private.pending and chance.one_in(ASKS_ONE_IN, "ask"):
            return {"type": "ask_identity", "place": unknown[chance.below(len(unknown), "which")]}
    return None


def _adds(public: MvpPublic, private: MvpPrivate, chance: Chance) -> dict[str, int]:
    """Place -> chips to add: the most valuable cards first, as far as the budget goes."""
    adds: dict[str, int] = {}
    budget = _budget(public, private)
    if not budget:
        return adds
    for worth, place in sorted(_worth(public, private), key=lambda each: (-each[0], each[1].place)):
        amount = min(_amount(worth, place, private, chance), budget)
        if amount:
            adds[place.place] = amount
            budget -= amount
        if not budget:
            break
    return adds


def _budget(public: MvpPublic, private: MvpPrivate) -> int:
    """The free chips, divided by the rounds that are likely to come."""
    likely = max(min(public.max_rounds - public.round + 1, 1 + len(public.left) // 4), 1)
    return -(-2 * private.free // (likely + 1))


def _worth(public: MvpPublic, private: MvpPrivate) -> list[tuple[int, PlaceView]]:
    """Each card that can be bid on, with its worth: its gain for the bot's team plus its gain for the other team."""
    own = next(team for team in public.teams if team.team == private.team)
    other = next(team for team in public.teams if team.team != private.team)
    free = [place.card for place in public.left if place.card is not None]
    return [
        (_gain(own.cards, place.card, free) + _gain(other.cards, place.card, free) // 2, place)
        for place in public.open_places
        if place.card is not None
    ]


def _gain(cards: tuple[str, ...], card: str, free: list[str]) -> int:
    """Twice the points that a card adds now, plus the points that it would add with all face-up cards."""
    return 2 * gain(cards, card) + gain((*cards, *(each for each in free if each != card)), card)


def _amount(worth: int, place: PlaceView, private: MvpPrivate, chance: Chance) -> int:
    """The chips to add to one card, or 0."""
    most = 1 + worth // WORTH_PER_CHIP
    if place.state == "nearly":
        return chance.below(most, place.place) if chance.one_in(NEARLY_ONE_IN, f"ahead:{place.place}") else 0
    if chance.one_in(SKIPS_ONE_IN, f"skip:{place.place}"):
        return 0
    if place.flag is None:
        return 1 + chance.below(most, place.place)
    if place.flag == private.team:
        return chance.below(max(most // 2, 1), place.place)
    needed = (place.total or 0) + 1
    return needed if needed <= 2 * most else 0
