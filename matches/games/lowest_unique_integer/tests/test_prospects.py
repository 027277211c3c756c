"""What players are told before they bid: from their own views, and by the rules."""

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from matches.engine.errors import Rejected
from matches.games.lowest_unique_integer import GAME
from matches.games.lowest_unique_integer.advice import Prospects, usable
from matches.games.lowest_unique_integer.tests.table import Table, bid, buy, live, three

NAMES = ("ann", "bob", "cat")


def ahead(table: Table, player: str) -> Prospects:
    found = GAME.prospects(table.public, table.private(player))
    assert isinstance(found, Prospects)
    return found


def test_the_amounts_of_each_seat_are_those_that_the_rules_accept() -> None:
    """All that are named are accepted, and nothing else is."""
    table = live(ann={"garnets": 3}).act(0, "ann", bid("R", 2)).act(1, "bob", bid("S", 4)).act(2, "cat", bid("R", 5))
    table.act(3, "ann", bid("T", 12))
    for player in NAMES:
        named = {
            (each.lot, amount)
            for each in usable(table.public, table.private(player))
            for first, last in each.ranges
            for amount in range(first, last + 1)
        }
        accepted = {
            (seat, amount)
            for seat in "RSTUVWXYZ"
            for amount in range(1, 20)
            if is_accepted(table, player, seat, amount)
        }
        assert named == accepted, player


def is_accepted(table: Table, player: str, seat: str, amount: int) -> bool:
    steps = list(table.steps)
    try:
        table.act(4, player, bid(seat, amount))
    except Rejected:
        return False
    finally:
        table.steps = steps
    return True


def tokens_awarded(table: Table) -> dict[str, int]:
    assert table.public.result is not None
    found = dict.fromkeys(NAMES, 0)
    for award in table.public.result.awards:
        found[award.player] += award.count
    return found


MOVES = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from("RSTUVWXYZ"), st.integers(0, 17)), max_size=25)


@given(MOVES, st.sampled_from(["15d", "30h"]))
def test_what_is_promised_if_nobody_bids_any_more_comes_true(moves: list[tuple[str, str, int]], stop: str) -> None:
    """0 stands for a purchase; what the rules refuse is left out."""
    openings = {name: {"garnets": 6} for name in NAMES}
    table = three({"pregame": 0, "stop_after": stop, "loser_chips": 12}, **openings).until(0)
    for hour, (name, seat, amount) in enumerate(moves):
        if table.until(f"{hour}h").public.phase == "running":
            with suppress(Rejected):
                table.act(f"{hour}h", name, bid(seat, amount) if amount else buy())
    if table.public.phase != "running":
        return
    told, quiet = {name: ahead(table, name) for name in NAMES}, table.public.quiet
    table.to_the_end()
    assert table.state.core.decisions is not None
    (poll,) = table.state.core.decisions.polls
    assert table.public.winners == ((quiet.winner,) if quiet.winner else ())
    assert {name: each.tokens for name, each in told.items()} == tokens_awarded(table)
    for name, each in told.items():
        assert each.wins == (name in table.public.winners)
        assert each.chips == table.private(name).chips
        if each.danger == "sure":
            assert name in poll.options
        if each.danger in ("", "others"):
            assert name not in poll.options


def test_who_lost_chips_to_hosts_is_not_told_that_others_have_too_many() -> None:
    table = three({"pregame": 0, "loser_chips": 12}).until(0)
    table.act("1h", "ann", bid("Z", 6)).act("1h", "bob", bid("R", 5)).correct("cat", "chip", -10)
    assert ahead(table, "cat").danger == "possible"
