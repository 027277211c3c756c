"""What players are told before they bid: from their own views, and by the rules."""

from hypothesis import given
from hypothesis import strategies as st

from matches.games.the_mvp import GAME
from matches.games.the_mvp.bidding import PlaceBids
from matches.games.the_mvp.prospects import BidsForecast, Effect
from matches.games.the_mvp.state import MvpState
from matches.games.the_mvp.tests.table import NAMES, Table, bid, six


def effects(table: Table, player: str, **adds: int) -> dict[str, Effect]:
    found = GAME.forecast(table.public, table.private(player), PlaceBids(adds))
    assert isinstance(found, BidsForecast)
    return {each.place: each for each in found.effects}


def flagged(max_rounds: int = 5) -> Table:
    """Red has flagged U with 6, green X with 3; ann has 2 of a tie on V."""
    table = six({"max_rounds": max_rounds}).act("1h", "ann", bid(U=4, V=2)).act("1h", "cat", bid(U=2))
    return table.act("1h", "bob", bid(X=3, V=2, U=1)).until("48h")


ADDS = st.dictionaries(st.sampled_from("UVWXP"), st.integers(1, 4), max_size=3)
ROUND = st.fixed_dictionaries(dict.fromkeys(NAMES, ADDS))


@given(st.lists(ROUND, min_size=1, max_size=4))
def test_what_a_forecast_says_of_a_card_is_what_becomes_of_it(rounds: list[dict[str, dict[str, int]]]) -> None:
    table = six({"max_rounds": 5})
    for number, adds in enumerate(rounds):
        at = f"{number * 24 + 25 if number else 1}h"
        told = {}
        for name, own in adds.items():
            own = {
                place: amount
                for place, amount in own.items()
                if place in {each.place for each in table.public.open_places}
            }
            if table.public.phase == "running" and sum(own.values()) <= table.private(name).free:
                told[name] = effects(table, name, **own)
                table.act(at, name, bid(**own))
        before = table.state
        if table.public.phase != "running" or not table.until(f"{number * 24 + 48}h").state.closed[number:]:
            return
        for name, found in told.items():
            for effect in found.values():
                comes_true(table, before, name, effect)


def comes_true(table: Table, before: MvpState, name: str, effect: Effect) -> None:
    own = before.team_of[name]
    place = next(each for each in table.public.places if each.place == effect.place)
    other = next(team for team in ("red", "green") if team != own)
    sums = {
        team: sum(
            before.standing.get(effect.place, {}).get(player, 0)
            + (before.sealed[player].value.get(effect.place, 0) if player in before.sealed else 0)
            for player, side in before.team_of.items()
            if side == team
        )
        for team in (own, other)
    }
    assert effect.mine <= sums[own]
    if effect.kind == "claims":
        assert effect.total <= sums[own]
        if sums[other] < effect.needed:
            assert (place.state, place.team) == ("claimed", own)
    elif effect.kind == "contests":
        if sums[own] < effect.needed:
            assert (place.state, place.team) == ("claimed", other)
        if effect.mine >= effect.needed and sums[other] == effect.total:
            assert (place.state, place.team) == ("exposed", own)
    elif effect.kind == "open":
        most = max(sums, key=lambda team: sums[team])
        assert place.flag == (most if sums[own] != sums[other] else None)
    elif place.state == "nearly":
        assert place.flag is None


def test_the_chips_of_others_show_in_no_forecast() -> None:
    one, other = flagged(), flagged().act("49h", "cat", bid(U=9)).act("49h", "dan", bid(U=3, V=9))
    for player in ("ann", "bob", "eve"):
        assert effects(one, player, U=2, V=1) == effects(other, player, U=2, V=1)
        assert GAME.prospects(one.public, one.private(player)) == GAME.prospects(other.public, other.private(player))


def test_in_the_last_round_a_team_can_reach_only_what_its_flagged_cards_bring() -> None:
    table = flagged(max_rounds=2)
    assert [team.most for team in table.public.reaching] == [team.score for team in table.to_the_end().public.teams]
    assert [team.most for team in six({"max_rounds": 1}).public.reaching] == [0, 0]
