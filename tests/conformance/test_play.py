"""Random legal and illegal play of every game. `Match` checks each event; these tests say what else must hold.

What holds for every event (see `checks`): no argument is changed; what is stored reads back; postings add up to the
balances and none is below zero; every changed view is declared; news reach those they are for and can be worded; views
are JSON without the seed; deadlines only go forward.
"""

import json
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from matches.engine.draw import Draw
from matches.engine.errors import Rejected
from tests.conformance.match import HOST, Match, Move
from tests.conformance.mutations import ODD_WHOLES
from tests.conformance.scripts import NUMBERS, matches, scripts
from tests.conformance.subjects import Subject, every_subject


@every_subject
@given(data=st.data())
def test_bots_alone_play_a_whole_match(subject: Subject, data: st.DataObject) -> None:
    match, number = data.draw(matches(subject)), data.draw(NUMBERS)

    def everybody_twice(match: Match) -> None:
        for turn in range(2):
            for seat, player in enumerate(match.names):
                chance = Draw(f"{number}:{len(match.events)}:{turn}:{seat}".encode().ljust(32, b"."))
                match.bot(player, chance)
            match.wait(Draw(f"{number}:{len(match.events)}".encode().ljust(32, b"-")))

    match.run_out(everybody_twice)


@every_subject
@given(data=st.data())
def test_any_play_comes_to_an_end_after_which_nothing_is_taken_and_the_same_events_give_the_same_states(
    subject: Subject, data: st.DataObject
) -> None:
    match = data.draw(matches(subject)).play(data.draw(scripts()))
    refuses_again_in_the_same_words(match)
    assert match.run_out().state.core.phase == "finished"
    comes_to_the_same_from_its_events(match)
    takes_nothing_any_more(match, data.draw(scripts(mischief=3, wait=1, bot=1)))


def refuses_again_in_the_same_words(match: Match) -> None:
    for raw in ODD_WHOLES:
        for player in (match.names[0], "zed"):
            first, second = match.submit(player, raw), match.submit(player, raw)
            assert isinstance(first, Rejected)
            assert isinstance(second, Rejected)
            assert (first.code, first.message) == (second.code, second.message)
            assert (first.code == "not_a_player") == (player == "zed")


def comes_to_the_same_from_its_events(match: Match) -> None:
    """Also if the state is stored after each event, and an action's keys come in another order."""
    game, draw = match.game, Draw(match.seed)
    stored = game.encode_state(game.open(game.read_config(match.subject.config), match.roster, draw).state)
    for event in match.events:
        state = game.decode_state(stored)
        if event.player is None:
            assert game.next_deadline(state) == event.now
            stored = game.encode_state(game.pass_deadline(state, draw).state)
        elif event.accepted:
            raw = json.loads(json.dumps(event.raw, sort_keys=True))
            acts = game.act_as_host if event.player == HOST else partial(game.submit, player=event.player)
            stored = game.encode_state(acts(state, raw=raw, now=event.now, draw=draw).state)
        assert stored == event.after


def takes_nothing_any_more(match: Match, script: list[Move]) -> None:
    for move in script:
        before = match.game.encode_state(match.state)
        match.move(move, 0)
        assert match.game.encode_state(match.state) == before
