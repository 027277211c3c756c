"""A bot that uses only what its player may see: it bids on numbers by their value on its own score sheet.

It keeps nothing between calls, and bids once in each round. Each draw's purpose names the round.
"""

from datetime import timedelta

from matches.engine.actions import RawAction
from matches.engine.bots import Chance
from matches.engine.core import PREGAME, RUNNING
from matches.engine.draw import Draw
from matches.games.number_auction.conditions import ENOUGH_TOKENS, Holding, lines_of, met
from matches.games.number_auction.private_view import NumbersPrivate
from matches.games.number_auction.public_view import NumbersPublic
from matches.games.number_auction.scoring import gain

CONDITION_WORTH = 25
"""The worth, in points, of a condition that a number would meet."""
LINE_WORTH = 50
"""The extra worth of a line that it would fill."""

SPEND_OVER_ROUNDS = 2
"""A bot plans to spend its tokens over about this many rounds."""
SAVES_ONE_IN = 2
BUYS_ONE_IN = 12
MOST_PAID = 2
"""The most garnets that a bot pays for one purchase."""


def action(public: NumbersPublic, private: NumbersPrivate, now: timedelta, draw: Draw) -> RawAction | None:
    """What the bot does: an action as JSON, or None to wait."""
    chance = Chance(draw, private.handle, public.round)
    if public.phase == RUNNING and private.bids is None:
        return {"type": "bid", "bids": _bids(public, private, chance)}
    if public.phase in (PREGAME, RUNNING) and _buys(private, chance):
        return {"type": "buy_tokens"}
    return None


def _buys(private: NumbersPrivate, chance: Chance) -> bool:
    """Whether to buy: now and then, while it is cheap, and never on credit."""
    cheap = private.may_buy and private.next_price <= min(private.garnets, MOST_PAID)
    return cheap and chance.one_in(BUYS_ONE_IN, f"buy:{private.bought}")


def _bids(public: NumbersPublic, private: NumbersPrivate, chance: Chance) -> dict[str, int]:
    """Bids in proportion to what the numbers are worth, with a random part."""
    worth = _worth(Holding(private.numbers, private.tokens, public.rounds_known), public.numbers)
    budget = _budget(public, private, chance)
    total = sum(worth.values())
    bids = {}
    for number in public.numbers:
        mood = 50 + chance.below(101, f"mood:{number}")
        amount = 2 * budget * worth[number] * mood // (100 * total) if total else 0
        bids[str(number)] = min(amount, private.tokens)
    return bids


def _budget(public: NumbersPublic, private: NumbersPrivate, chance: Chance) -> int:
    """The tokens to spend in this round; near the end some bots keep enough for condition A2."""
    if public.rounds_left < SPEND_OVER_ROUNDS and chance.below(SAVES_ONE_IN, "save"):
        return max(private.tokens - ENOUGH_TOKENS, 0)
    return private.tokens // min(SPEND_OVER_ROUNDS, public.rounds_left + 1)


def _worth(own: Holding, numbers: tuple[int, ...]) -> dict[int, int]:
    """Number -> its value by rule of thumb: points, and a bonus for conditions and lines."""
    owned, had = set(own.numbers), met(own)
    lines = len(lines_of(had))
    worth = {}
    for number in numbers:
        has = met(own.plus(number))
        bonus = CONDITION_WORTH * (len(has) - len(had)) + LINE_WORTH * (len(lines_of(has)) - lines)
        worth[number] = max(gain(owned, number) + bonus, 1)
    return worth
