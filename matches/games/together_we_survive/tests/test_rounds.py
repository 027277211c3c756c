"""What a close makes of votes, what stands until then, and what hosts may correct meanwhile."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.engine.actions import decode_action
from matches.engine.errors import Rejected
from matches.games.together_we_survive import GAME
from matches.games.together_we_survive.private_view import VotesForecast
from matches.games.together_we_survive.tests.table import Table, four_and_four, vote_a, vote_b, withdraw

HOUR = timedelta(hours=1)


def test_what_stands_cannot_be_taken_by_a_correction() -> None:
    table = four_and_four(garnets={"ann": 1}).act("1h", "ann", vote_a(ann=4)).act("1h", "ann", vote_b(kim=3))
    assert GAME.holds(table.state, "ann") == {"token": 4, "garnet": 1}
    GAME.correct(table.state, "ann", "token", -1, HOUR)
    for asset, amount in (("token", -2), ("garnet", -1)):
        with pytest.raises(Rejected) as refused:
            GAME.correct(table.state, "ann", asset, amount, HOUR)
        assert refused.value.code == "not_enough"
    table.act("2h", "ann", withdraw("B"))
    GAME.correct(table.state, "ann", "garnet", -1, 2 * HOUR)


def test_a_player_is_asked_for_each_kind_of_votes_unless_the_second_costs_garnets() -> None:
    def asked(table: Table) -> list[str]:
        return [ask.kind for ask in table.private("ann").asked]

    free = four_and_four(config={"both_price": 0})
    assert asked(free) == ["vote_a", "vote_b"]
    assert asked(free.act("1h", "ann", vote_a(bob=1))) == ["vote_b"]
    assert asked(free.act("2h", "ann", vote_b(kim=3))) == []
    assert asked(free.act("3h", "ann", withdraw("A"))) == ["vote_a"]
    for votes in (vote_a(bob=1), vote_b(kim=3)):
        assert asked(four_and_four(garnets={"ann": 5}).act("1h", "ann", votes)) == []


ON_STAGE = st.dictionaries(st.sampled_from(("ann", "bob", "cat", "dan")), st.integers(1, 2), min_size=1, max_size=2)
IN_B = st.sampled_from(({"kim": 3}, {"leo": 2, "max": 1}, {"kim": 1, "leo": 1, "ned": 1}))


@given(st.lists(st.tuples(st.sampled_from(("ann", "bob", "kim", "leo")), ON_STAGE | IN_B), max_size=8))
def test_what_forecasts_say_of_tokens_and_garnets_is_what_the_close_takes(
    votes: list[tuple[str, dict[str, int]]],
) -> None:
    table = four_and_four(garnets={"ann": 1, "kim": 1}, config={"tokens_b": 3})
    told: dict[str, VotesForecast] = {}
    for player, each in votes:
        raw = vote_a(**each) if set(each) <= {"ann", "bob", "cat", "dan"} else vote_b(**each)
        seen = GAME.forecast(table.public, table.private(player), decode_action(GAME.actions, raw))
        try:
            table.act("1h", player, raw)
        except Rejected:
            continue
        assert isinstance(seen, VotesForecast)
        told[player] = seen
    gained = {each.handle: each.gained[0] for each in table.until("48h").public.group_b}
    for player, seen in told.items():
        after = table.private(player)
        assert after.tokens == seen.tokens_left + gained.get(player, 0)
        assert after.past[0].paid == seen.garnets
        assert (after.past[0].kind == "both") == seen.both
