"""A bot that gives random answers, and the stand-in for the host in rehearsals and demos.

Both keep nothing between calls. Each draw's purpose names the round.
"""

from datetime import timedelta
from typing import Any

from matches.engine.actions import RawAction
from matches.engine.bots import Chance
from matches.engine.core import DECISION, balance, with_most
from matches.engine.draw import Draw
from matches.games.hosts_match.config import NUMBER, SPLIT, TEXT, Question
from matches.games.hosts_match.state import JUDGING, NAMED, WINNERS_VOTE, HostState
from matches.games.hosts_match.views import HostPrivate, HostPublic

_NUMBERS = 20
_WORDS = ("Yes.", "No.", "Perhaps.", "I trust nobody.", "Together we are stronger.")
_CHANGES_ONE_IN = 12


def action(public: HostPublic, private: HostPrivate, now: timedelta, draw: Draw) -> RawAction | None:
    """What the bot does: an action as JSON, or None to wait."""
    if not private.questions:
        return None
    if private.answers is not None:
        again = Chance(draw, private.handle, f"{public.round}:{private.answered_at}")
        return {"type": "withdraw"} if again.one_in(_CHANGES_ONE_IN, "again") else None
    chance = Chance(draw, private.handle, f"{public.round}:{now}")
    possible = [each for each in private.questions if each.kind in (TEXT, NUMBER) or each.options]
    wanted = [each for each in possible if not each.optional or not chance.one_in(3, f"skip {each.key}")]
    return {"type": "answer", "answers": {each.key: _answer(each, chance) for each in wanted}}


def _answer(question: Question, chance: Chance) -> Any:
    key, options = question.key, question.options or ()
    if question.kind == TEXT:
        return _WORDS[chance.below(len(_WORDS), key)][: question.longest]
    if question.kind == NUMBER:
        least, most = question.least or 0, question.most or 0
        return least + chance.below(min(most - least, _NUMBERS) + 1, key)
    if question.kind == SPLIT:
        return _split(question.total or 0, chance.some(options, len(options), key), chance)
    if question.most == 1:
        return options[chance.below(len(options), key)]
    count = 1 + chance.below(min(question.most or 1, len(options)), f"count {key}")
    return list(chance.some(options, count, key))


def _split(left: int, options: tuple[str, ...], chance: Chance) -> dict[str, int]:
    shares = {}
    for option in options[:-1]:
        shares[option] = chance.below(left + 1, f"split {option} {left}")
        left -= shares[option]
    return {**shares, options[-1]: left}


# -- the stand-in host ---------------------------------------------------------------------------------


def host_play(state: HostState, draw: Draw) -> RawAction | None:
    """What the stand-in host does, or None: it reveals all answers but texts, gives everybody who answered a little of
    the match's first own asset, and in the end draws a winner."""
    if state.stage == JUDGING:
        return _result(state, draw)
    if state.core.phase != DECISION or state.core.decisions is not None:
        return None
    handles = state.core.handles
    shared = state.config.shared_assets[:1]
    winner = draw.choice(
        "host:winner", with_most(handles, lambda each: [balance(state.core.purses, each, a) for a in shared])
    )
    others = [handle for handle in handles if handle != winner]
    candidates = WINNERS_VOTE if state.config.winners_decide else [draw.choice("host:candidate", others)]
    return {"type": "decide", "winners": [winner], "tokens": {winner: 1}, "candidates": candidates}


def _result(state: HostState, draw: Draw) -> RawAction:
    answers, assets = state.past[-1].answers, state.config.asset_names[:1]
    return {
        "type": "post_result",
        "text": f"The answers of round {state.round} are in.",
        "reveal": {question.key: NAMED for question in state.this.questions if question.kind != TEXT},
        "book": [
            {"player": player, "asset": asset, "amount": 1 + draw.integer(f"host:{state.round}:{player}", 3)}
            for player in answers
            for asset in assets
        ],
        "round": state.round,
    }
