"""Two matches that differ only in what a viewer may not know look the same to that viewer."""

from datetime import timedelta
from typing import Any

import pytest

from matches.engine.actions import encode
from matches.engine.core import DECISION, FINISHED
from matches.engine.errors import Rejected
from matches.games.the_mvp import GAME
from matches.games.the_mvp.tests.table import DECK, NAMES, Table, bid, buy, identity, location, six, vote
from tests.games import twins

OPEN = "UVWXPQRST"

BATTERY: tuple[Any, ...] = (
    *(bid(**{place: amount}) for place in ("U", "P", "J", "A", "Z") for amount in (-1, 0, 1, 30, 31, 10**9)),
    bid(),
    bid(U=20, V=20),
    buy(1),
    buy(10),
    *(identity(place) for place in ("A", "U", "Z")),
    *(location(card) for card in ("apple-1", "grape-6", "plum-1")),
    *(vote(player) for player in (*NAMES, "zed")),
    {"type": "give_tokens", "to": ["ann"]},
    {"type": "bid"},
)


def look_the_same_to(viewer: str, one: Table, other: Table) -> None:
    twins.look_the_same_to(viewer, one, other, BATTERY, secrets_end=False)


def rich(**config: Any) -> Table:
    return six(config, **{name: {"garnets": 9} for name in NAMES})


@pytest.mark.parametrize("viewer", ["cat", "eve", "bob"])
@pytest.mark.parametrize("action", [bid(U=3), bid(), bid(P=30), buy(2), identity("A"), location("apple-1")])
def test_what_one_player_does_shows_to_nobody_else(viewer: str, action: Any) -> None:
    """Team-mates (cat, eve) neither; nor that anything was done at all."""
    look_the_same_to(viewer, rich().act("1h", "ann", action), rich())


def test_who_of_a_team_bid_on_a_flagged_card_stays_secret() -> None:
    def play(**by: int) -> Table:
        table = rich()
        for player, chips in by.items():
            table.act("1h", player, bid(U=chips))
        return table.until("48h")

    look_the_same_to("bob", play(ann=3, cat=1), play(ann=1, cat=1, eve=2))
    look_the_same_to("eve", play(ann=3, cat=1), play(ann=2, cat=2))
    assert play(ann=3, cat=1).public.places[20].total == 4


def test_bids_on_cards_that_nobody_flags_stay_secret() -> None:
    def play(red: int, green: int, ahead: int) -> Table:
        table = rich().act("1h", "ann", bid(**({"U": red} if red else {}), P=ahead)).act("1h", "bob", bid(V=1))
        return table.act("1h", "dan", bid(**({"U": green} if green else {}), P=7)).until("48h")

    for viewer in ("cat", "fay"):
        look_the_same_to(viewer, play(2, 2, 1), play(5, 5, 9))
        look_the_same_to(viewer, play(2, 2, 1), play(0, 0, 1))


def test_chips_that_came_back_show_to_their_owner_alone() -> None:
    one = rich().act("1h", "ann", bid(U=2)).act("1h", "bob", bid(U=3)).until("48h")
    other = rich().act("1h", "cat", bid(U=1)).act("1h", "bob", bid(U=3)).until("48h")
    for viewer in ("eve", "bob", "fay"):
        look_the_same_to(viewer, one, other)


def test_who_controls_a_card_stays_secret_until_the_play_is_over() -> None:
    def play(**by: int) -> Table:
        table = rich(max_rounds=3)
        for player, chips in by.items():
            table.act("1h", player, bid(U=chips))
        return table.until("72h")

    one, other, none = play(ann=3, cat=1), play(ann=1, cat=3), play(ann=2, cat=2)
    for viewer in ("eve", "bob", "fay"):
        look_the_same_to(viewer, one, other)
        look_the_same_to(viewer, one, none)
    # A player who bid 1 of 4 cannot tell who of the others controls the card, nor whether anybody does.
    look_the_same_to("eve", play(eve=1, ann=3, cat=1), play(eve=1, ann=2, cat=2))
    assert [claim.controls for claim in one.private("ann").claims] == [True]
    assert [claim.controls for claim in none.private("ann").claims] == [False]
    assert one.public.result is None
    assert one.to_the_end().public.result.controllers == {"U": "ann"}


def test_hidden_cards_show_to_nobody() -> None:
    """Nor in the result: what was never uncovered stays hidden on all pages."""
    swapped = DECK | {"A": DECK["O"], "O": DECK["A"], "J": DECK["K"], "K": DECK["J"]}

    def play(deck: dict[str, str]) -> Table:
        return rich(deck=deck).act("1h", "ann", bid(W=1, P=2))

    for viewer in NAMES:
        look_the_same_to(viewer, play(DECK), play(swapped))
        look_the_same_to(viewer, play(DECK).until("48h"), play(swapped).until("48h"))
    over = play(DECK).to_the_end()
    assert over.state.core.phase == FINISHED
    assert encode(over.public) == encode(play(swapped).to_the_end().public)
    assert {each.place for each in over.public.places if each.card is not None} == set(OPEN)


def test_whether_the_deck_was_fixed_shows_to_nobody() -> None:
    drawn = Table(**{name: {} for name in NAMES})
    fixed = Table(config={"deck": drawn.state.deck}, **{name: {} for name in NAMES})
    look_the_same_to("ann", drawn.act("1h", "bob", bid(U=1)), fixed.act("1h", "bob", bid(U=1)))


def test_bought_answers_show_to_their_buyer_alone() -> None:
    one = rich().act("1h", "ann", identity("A")).act("1h", "bob", bid(U=1)).until("48h")
    other = rich().act("1h", "bob", bid(U=1)).until("48h")
    for viewer in ("cat", "eve", "bob", "dan"):
        look_the_same_to(viewer, one, other)
    assert one.private("ann").known == {"A": "apple-1"}


def test_a_question_tells_nothing_before_the_round_has_closed() -> None:
    swapped = DECK | {"A": DECK["O"], "O": DECK["A"]}

    def play(deck: dict[str, str]) -> Table:
        return rich(deck=deck).act("1h", "ann", identity("A")).act("1h", "ann", location("pear-3"))

    look_the_same_to("ann", play(DECK), play(swapped))
    assert play(DECK).until("48h").private("ann").known != play(swapped).until("48h").private("ann").known


def test_bids_stay_secret_in_the_decision_and_in_the_result() -> None:
    def play(cat: int) -> Table:
        return rich(max_rounds=2).act("1h", "ann", bid(X=9)).act("1h", "cat", bid(P=cat)).until("72h")

    one, other = play(2), play(5)
    assert one.public.phase == DECISION
    look_the_same_to("eve", one, other)
    look_the_same_to("bob", one.to_the_end(), other.to_the_end())


def test_votes_stay_secret_until_all_are_in() -> None:
    one, other = rich().act("49h", "ann", vote("bob")), rich().act("49h", "ann", vote("cat"))
    look_the_same_to("bob", one, other)


def test_no_bid_is_ever_public_in_the_book() -> None:
    table = rich().act("1h", "ann", bid(U=2)).act("1h", "bob", bid(U=1, X=3)).to_the_end()
    bids = [each for step in table.steps for each in step.bids]
    assert {each.status for each in bids} == {"won", "returned"}
    assert not any(each.public for each in bids)


def test_a_refused_correction_does_not_tell_hosts_how_much_is_sealed() -> None:
    said = set()
    for sealed in (6, 11, 30):
        table = six().act("1h", "ann", bid(U=sealed))
        with pytest.raises(Rejected) as caught:
            GAME.correct(table.state, "ann", "chip", -25, timedelta(hours=2))
        said.add(caught.value.message)
    assert len(said) == 1
    assert not any(letter.isdecimal() for letter in said.pop())
