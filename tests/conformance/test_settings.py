"""Whatever settings a game accepts, it can be played with them to the end."""

import random

from hypothesis import given
from hypothesis import strategies as st

from tests.conformance.match import Match
from tests.conformance.scripts import NUMBERS, scripts
from tests.conformance.settings import random_config
from tests.conformance.subjects import Subject, every_kind_of_game


@every_kind_of_game
@given(data=st.data())
def test_any_settings_that_are_taken_can_be_played(subject: Subject, data: st.DataObject) -> None:
    number = data.draw(NUMBERS)
    chance = random.Random(f"{number}")
    odd = Subject(subject.game, random_config(subject.game, number))
    match = Match(odd, number, extra=chance.randrange(4), wealth=chance.getrandbits(64))
    match.play(data.draw(scripts())).run_out()
    assert match.state.core.phase == "finished"
