"""A bot that uses only what its player may see. It keeps a share of its points for each round that it still needs to
win, infers from colours, lamps and its own numbers what the other player may have placed and may have left, and spends
more if the other player could end the match.

It keeps nothing between calls. Each draw's purpose names the round.
"""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from matches.engine.actions import RawAction
from matches.engine.bots import Chance
from matches.engine.draw import Draw
from matches.games.black_and_white.views import DuelPrivate, DuelPublic, RoundView, StoneView

LETS_GO_ONE_IN = 5
"""When it leads, a bot places only a little in one of this many rounds."""


SPREAD = 2
"""How likely the bot thinks numbers away from the usual one; the greater, the likelier."""


class Range(NamedTuple):
    """The range of what a number can be, both ends included."""

    least: int
    most: int

    def within(self, least: int, most: int) -> Range:
        """The intersection with another range; at least one number stays."""
        found = max(self.least, least)
        return Range(found, max(found, min(self.most, most)))

    def less(self, other: Range) -> Range:
        """The range of the difference to a number in the other range; never below 0."""
        return Range(max(0, self.least - other.most), max(0, self.most - other.least))


def action(public: DuelPublic, private: DuelPrivate, now: timedelta, draw: Draw) -> RawAction | None:
    """What the bot does: an action as JSON, or None to wait."""
    if not private.may_place:
        return None
    chance = Chance(draw, private.handle, public.round)
    placed, left = known_of_other(public, private)
    worth = _worth(public, private, chance)
    usual = left.most // max(1, public.wins - public.other(private.handle).wins)
    if public.this_round.stones:
        number = _best(placed, usual, private.points, worth)
    elif left.most < worth:
        number = left.most + 1
    elif chance.one_in(LETS_GO_ONE_IN, "let go"):
        number = chance.below(public.white_from, "little")
    else:
        number = worth // 2 + chance.below(worth // 3 + 1, "lead")
    return {"type": "place", "points": min(number, private.points)}


def known_of_other(public: DuelPublic, private: DuelPrivate) -> tuple[Range, Range]:
    """The ranges of the other player's last number, and of the points that they have left."""
    own = {each.round: each.points for each in private.placed}
    other = public.other(private.handle).handle
    number, left = Range(0, 0), Range(public.points, public.points)
    for each in public.rounds:
        if stone := each.by_player.get(other):
            least = (stone.lamps - 1) * public.lamp
            number = _number_of(public, each, stone, own).within(
                left.least - least - public.lamp + 1, left.most - least
            )
            left = left.less(number).within(least, least + public.lamp - 1)
    return number, left


def _number_of(public: DuelPublic, each: RoundView, stone: StoneView, own: dict[int, int]) -> Range:
    """The range of one of the other player's numbers, by its colour and by the own number that it beat or lost to."""
    if stone.late:
        return Range(0, 0)
    found = Range(0, public.white_from - 1) if stone.colour == "black" else Range(public.white_from, public.points)
    if not each.over:
        return found
    mine = own.get(each.round, 0)
    if each.winner is None:
        return Range(mine, mine)
    return found.within(mine + 1, public.points) if each.winner == stone.player else found.within(0, mine - 1)


def _worth(public: DuelPublic, private: DuelPrivate, chance: Chance) -> int:
    """How many points a round is worth: more than its share, since the bot lets some rounds go, and almost all points
    if losing the round would lose the match."""
    if public.other(private.handle).wins + 1 >= public.wins:
        return private.points - chance.below(private.points // 8 + 1, "worth")
    share = 3 * private.points // (2 * max(1, public.wins - public.seat(private.handle).wins))
    return share * 4 // 5 + chance.below(share * 2 // 5 + 1, "worth")


def _best(placed: Range, usual: int, points: int, worth: int) -> int:
    """The number with the best expected gain against one in the range `placed`, of which those near `usual` are the
    likeliest."""
    likely = [1 / (SPREAD + abs(number - usual)) for number in range(placed.least, placed.most + 1)]
    best, best_brings, beaten = 0, 0.0, 0.0
    for number, each in enumerate(likely[: points - placed.least], placed.least + 1):
        beaten += each
        if (brings := worth * beaten / sum(likely) - number) > best_brings:
            best, best_brings = number, brings
    return best
