"""The bot, which uses only what its player may see: it makes one plan for each round, and votes accordingly.

It keeps nothing between calls. Each draw's purpose contains the round.
"""

from datetime import timedelta

from matches.engine.actions import RawAction
from matches.engine.bots import Chance
from matches.engine.draw import Draw
from matches.games.together_we_survive.config import A, B
from matches.games.together_we_survive.private_view import SurvivePrivate
from matches.games.together_we_survive.public_view import SurvivePublic
from matches.games.together_we_survive.voting import VOTES_B

STAGE_ONE_IN = 3
"""Players off stage vote for the stage in about one of this many rounds, and players on stage in all but that one."""
BOTH_ONE_IN = 6
SPREAD_ONE_IN = 3
"""In about one of this many rounds, the three free votes go to three different players."""


def action(public: SurvivePublic, private: SurvivePrivate, now: timedelta, draw: Draw) -> RawAction | None:
    """What the bot does: an action as JSON, or None to wait."""
    chance = Chance(draw, private.handle, public.round)
    kinds = _kinds(private, chance)
    if A in kinds and private.vote_a is None and private.tokens and (private.vote_b is None or _may_add(private)):
        return {"type": "vote_a", "votes": _votes_a(public, private, chance)}
    if B in kinds and private.vote_b is None and (private.vote_a is None or _may_add(private)):
        return {"type": "vote_b", "votes": _votes_b(public, private, chance)}
    return None


def _may_add(private: SurvivePrivate) -> bool:
    """Whether the bot can pay for both kinds of votes, without credit."""
    return private.garnets >= private.garnets_for_both and private.can_do_both


def _kinds(private: SurvivePrivate, chance: Chance) -> str:
    """Which kinds of votes to submit in this round: mostly A on stage, and mostly B off stage."""
    if not private.tokens:
        return B
    if private.garnets_for_both <= private.garnets and chance.one_in(BOTH_ONE_IN, "both"):
        return A + B
    rare = chance.one_in(STAGE_ONE_IN, "stage")
    on_stage = bool(private.on_stage)
    return A if rare != on_stage else B


def _votes_a(public: SurvivePublic, private: SurvivePrivate, chance: Chance) -> dict[str, int]:
    """One or two votes: for itself while on stage, otherwise for a player there."""
    count = 1 + chance.below(min(2, private.tokens), "tokens")
    if private.on_stage:
        return {private.handle: count}
    others = public.on_stage
    return {chance.some(others, 1, "favourite")[0]: count}


def _votes_b(public: SurvivePublic, private: SurvivePrivate, chance: Chance) -> dict[str, int]:
    """Three votes: in group B two for itself and one for another, to avoid the most votes; in group A for others."""
    own = private.handle
    others = tuple(player for player in public.prospering if player != own)
    if private.group == B:
        return {own: VOTES_B - 1, chance.some(others, 1, "friend")[0]: 1}
    if len(others) >= VOTES_B and chance.one_in(SPREAD_ONE_IN, "spread"):
        return dict.fromkeys(chance.some(others, VOTES_B, "three"), 1)
    first, second = chance.some(others, 2, "two")
    return {first: VOTES_B - 1, second: 1}
