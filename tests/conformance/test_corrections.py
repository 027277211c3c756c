"""Hosts correct balances in every phase: each correction is accepted whole or refused, and the match still ends."""

import random

from hypothesis import given
from hypothesis import strategies as st

from matches.engine.core import GARNET, PRIORITY, TOL, balance
from matches.engine.errors import Rejected
from matches.engine.purchases import NOT_ENOUGH
from tests.conformance.checks import Views
from tests.conformance.match import Match
from tests.conformance.scripts import NUMBERS, scripts
from tests.conformance.subjects import Subject, every_subject


def corrected(match: Match, player: str, asset: str, amount: int) -> bool:
    """Correct a balance with every check of a step; return whether the rules accepted it."""
    game, state = match.game, match.state
    stored = game.encode_state(state)
    try:
        step = game.correct(state, player, asset, amount, match.now)
    except Rejected as refusal:
        assert refusal.code == NOT_ENOUGH  # noqa: PT017
        assert game.encode_state(state) == stored, "a refused correction changed the state"
        return False
    match._take(step, Views(game, step.state))
    assert balance(match.state.core.purses, player, asset) == balance(state.core.purses, player, asset) + amount
    return True


def take_all(match: Match, player: str, asset: str) -> None:
    """Take as much as the rules allow, by halves; they keep what they need."""
    amount = balance(match.state.core.purses, player, asset)
    while amount > 0:
        if corrected(match, player, asset, -amount):
            amount = min(amount, balance(match.state.core.purses, player, asset))
        else:
            amount //= 2


@every_subject
@given(data=st.data())
def test_a_match_goes_on_whatever_is_taken_and_given(subject: Subject, data: st.DataObject) -> None:
    number = data.draw(NUMBERS)
    match, chance = Match(subject, number), random.Random(f"correct {number}")
    assets = (GARNET, PRIORITY, TOL, *subject.game.own_assets(match.state.config))
    for place, move in enumerate(data.draw(scripts())):
        match.move(move, place)
        if match.state.core.phase != "finished" and chance.random() < 0.3:
            player, asset = chance.choice(match.names), chance.choice(assets)
            if chance.random() < 0.3:
                corrected(match, player, asset, chance.choice((1, 5)))
            else:
                take_all(match, player, asset)
    assert match.run_out().state.core.phase == "finished"
