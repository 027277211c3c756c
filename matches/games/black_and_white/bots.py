"""A bot that uses only what its player may see. It keeps a share of its points for each round that it still needs,
gives up rounds that are too dear, and spends what it takes where the other player could end the match.

It keeps nothing between calls. Each draw's purpose names the round.
"""

from __future__ import annotations

from datetime import timedelta

from matches.engine.actions import RawAction
from matches.engine.bots import Chance
from matches.engine.draw import Draw
from matches.games.black_and_white.private_view import DuelPrivate
from matches.games.black_and_white.public_view import DuelPublic

GIVES_UP_ONE_IN = 4
"""A bot lets one round in this many go, where it can afford to."""


def action(public: DuelPublic, private: DuelPrivate, now: timedelta, draw: Draw) -> RawAction | None:
    """What the bot does, as JSON; None to wait."""
    if not private.may_place:
        return None
    chance = Chance(draw, private.handle, public.round)
    stones = public.rounds[-1].stones
    number = _answer(public, private, chance, stones[0].colour) if stones else _lead(public, private, chance)
    return {"type": "place", "points": max(0, min(number, private.points))}


def most_left(public: DuelPublic, handle: str) -> int:
    """The most points that the lamps and colours of a player leave possible."""
    seat = public.seat(handle)
    white = sum(stone.colour == "white" for each in public.rounds for stone in each.stones if stone.player == handle)
    return max(0, min(seat.lamps * public.lamp - 1, public.points - white * public.white_from))


def _share(public: DuelPublic, private: DuelPrivate) -> int:
    """The points for each round that is still needed."""
    return private.points // max(1, public.wins - public.seat(private.handle).wins)


def _must_win(public: DuelPublic, private: DuelPrivate) -> bool:
    """Whether the other player wins the match with this round."""
    return public.other(private.handle).wins + 1 >= public.wins


def _lead(public: DuelPublic, private: DuelPrivate, chance: Chance) -> int:
    """A number to begin with. One more than the other player can have wins for sure."""
    sure = most_left(public, public.other(private.handle).handle) + 1
    share = _share(public, private)
    if sure <= share or (_must_win(public, private) and sure <= private.points):
        return sure
    if _must_win(public, private):
        return private.points - chance.below(private.points // 4 + 1, "all but")
    if chance.one_in(GIVES_UP_ONE_IN, "give up"):
        return chance.below(min(public.white_from, share + 1), "little")
    return share * 3 // 4 + chance.below(share // 2 + 1, "lead")


def _answer(public: DuelPublic, private: DuelPrivate, chance: Chance, colour: str) -> int:
    """A number against one of which only the colour is known."""
    share = _share(public, private)
    # What is known of the other purse is after that number: it may have been anything that fits.
    other = public.other(private.handle).handle
    if colour == "black":
        if public.white_from <= max(share, private.points if _must_win(public, private) else 0):
            return public.white_from  # wins for sure
        return chance.below(private.points + 1, "against black")
    likely = public.white_from + chance.below(max(1, share * 3 // 2), "likely")
    if _must_win(public, private):
        return max(likely, private.points - chance.below(private.points // 5 + 1, "all but"))
    if likely > share * 3 // 2 or likely > private.points or chance.one_in(GIVES_UP_ONE_IN, "give up"):
        return chance.below(min(public.white_from, 3), "little")
    return min(likely, most_left(public, other) + public.points)
