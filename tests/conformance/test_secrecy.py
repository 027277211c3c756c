"""Two matches that differ only in what one player has sealed look the same to all others."""

from collections.abc import Iterator
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from matches.engine.core import FINISHED
from matches.engine.draw import Draw
from matches.engine.game import AnyGame, Game
from matches.engine.settings import Roster
from tests.conformance.match import Match, Move
from tests.conformance.scripts import NUMBERS, scripts
from tests.conformance.subjects import Subject, every_game, every_subject


def sealed_now(match: Match) -> bool:
    """Whether players can make sealed submissions now."""
    return match.game.sealed(match.state) is not None


def secretive(match: Match, script: list[Move], secret: str, number: int) -> list[Any]:
    """Play on, `secret` by a random number of their own; return what all others see until a deadline passes."""
    seen: list[Any] = []
    others = [player for player in match.names if player != secret]
    for place, move in enumerate(script):
        player = match.names[move.number % len(match.names)]
        chance = Draw(f"{move.number}:{place}".encode().ljust(32, b"."))
        if player == secret:
            own = Draw(f"{number}:{place}".encode().ljust(32, b"."))
            if number and own.integer("idle", 3):
                action = match.bot_action(secret, own)
                if action is not None:
                    match.submit(secret, action)
        elif move.kind == "mischief":
            match.move(move, place)
        else:
            match.bot(player, chance)
        verdicts = [(event.player, event.accepted) for event in match.events if event.player != secret]
        seen.append((verdicts, [match.views.of(player) for player in others] if match.views else None))
    return seen


@every_game
def test_who_keeps_sealed_submissions_says_when_they_are_secret(game: AnyGame) -> None:
    """Otherwise no test here would check that they stay secret."""
    has_sealed = any("Sealed[" in str(each.type) for each in msgspec.structs.fields(type(_opened(game))))
    overrides = type(game).sealed is not Game.sealed
    assert not has_sealed or game.sealed_in or overrides, (
        "the state holds sealed submissions, but `sealed_in` names no phase: nothing checks that they stay secret"
    )


def _opened(game: AnyGame) -> Any:
    roster = Subject(game, {}).roster(0, 977)
    return game.open(game.read_config({}), roster, Draw(bytes(32))).state


@every_game
def test_what_a_player_brings_shows_to_nobody_else(game: AnyGame) -> None:
    first, *others = Subject(game, {}).roster(0, 977)
    richer = msgspec.structs.replace(first, garnets=first.garnets + 7)
    one, other = (list(_idle(game, (each, *others))) for each in (first, richer))
    assert one == other


def _idle(game: AnyGame, roster: Roster) -> Iterator[Any]:
    """What all but the first player see of a match in which nobody acts, until it is finished or waits for hosts."""
    draw = Draw(bytes(32))
    state = game.open(game.read_config({}), roster, draw).state
    while state.core.phase != FINISHED:
        yield game.public_view(state), [game.private_view(state, each) for each in state.core.handles[1:]]
        if game.next_deadline(state) is None:
            return
        state = game.pass_deadline(state, draw).state


@every_subject
@given(data=st.data())
def test_what_one_player_seals_shows_nowhere_else(subject: Subject, data: st.DataObject) -> None:
    seed, extra, wealth = data.draw(NUMBERS), data.draw(st.integers(0, 3)), data.draw(NUMBERS)
    before, script = data.draw(scripts()), data.draw(scripts(bot=2, mischief=1))
    numbers = data.draw(st.tuples(NUMBERS, NUMBERS))

    def one(number: int) -> list[Any]:
        match = Match(subject, seed, extra=extra, wealth=wealth).play(before)
        if not sealed_now(match):
            match = Match(subject, seed, extra=extra, wealth=wealth)
        if not sealed_now(match):
            return []
        return secretive(match, script, match.names[seed % len(match.names)], number)

    assert one(numbers[0]) == one(numbers[1])
