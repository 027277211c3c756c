"""Two matches that differ only in what a viewer may not know look the same to that viewer; some also after it."""

from datetime import timedelta
from typing import Any

import pytest

from matches.engine.actions import encode
from matches.engine.core import FINISHED
from matches.engine.errors import Rejected
from matches.games.together_we_survive import GAME
from matches.games.together_we_survive.tests.table import (
    Table,
    elect,
    four_and_four,
    give,
    sole_winner,
    vote_a,
    vote_b,
    withdraw,
)
from tests.games import twins

EVERYBODY = ("ann", "bob", "cat", "dan", "kim", "leo", "max", "ned")
BATTERY: tuple[Any, ...] = (
    *(vote_a(**{player: count}) for player in EVERYBODY for count in (-1, 1, 2, 6)),
    *(vote_b(**{player: count}) for player in EVERYBODY for count in (0, 2, 3)),
    *(withdraw(kind) for kind in "ABC"),
    *(elect(player) for player in EVERYBODY),
    *(give(player, "eve") for player in EVERYBODY),
    give("cat"),
    {"type": "vote_a"},
)


def look_the_same_to(viewer: str, one: Table, other: Table) -> None:
    twins.look_the_same_to(viewer, one, other, BATTERY)


def rich() -> Table:
    return four_and_four(garnets=dict.fromkeys(EVERYBODY, 1))


@pytest.mark.parametrize("action", [vote_a(ann=1), vote_a(bob=5), vote_b(kim=3), vote_b(kim=1, leo=1, max=1)])
def test_what_is_submitted_and_whether_shows_to_nobody_else(action: Any) -> None:
    one, other = rich().act("1h", "ann", action), rich().act("1h", "ann", vote_a(cat=2))
    for viewer in EVERYBODY[1:]:
        if one.state != other.state:
            look_the_same_to(viewer, one, other)
    silent = rich()
    assert encode((one.public, one.private("kim"))) == encode((silent.public, silent.private("kim")))
    assert one.heard("kim") == silent.heard("kim")


def story(first: Any, second: Any) -> Table:
    """ann and bob vote; whatever the others do is the same."""
    return rich().act("1h", "ann", first).act("2h", "bob", second).act("3h", "kim", vote_a(ann=1)).until("48h")


def test_who_voted_for_whom_on_stage_stays_secret_for_ever() -> None:
    one, other = story(vote_a(ann=1, cat=1), vote_a(bob=2)), story(vote_a(bob=2), vote_a(ann=1, cat=1))
    for viewer in EVERYBODY[2:]:
        look_the_same_to(viewer, one, other)
    one, other = one.to_the_end(), other.to_the_end()
    assert one.public.phase == FINISHED
    for viewer in EVERYBODY[2:]:
        look_the_same_to(viewer, one, other)


def test_who_voted_for_whom_in_group_b_stays_secret_for_ever() -> None:
    def play(first: Any, second: Any) -> Table:
        return story(first, second).to_the_end()

    for viewer in EVERYBODY[2:]:
        look_the_same_to(viewer, play(vote_b(kim=2, leo=1), vote_b(max=3)), play(vote_b(max=3), vote_b(kim=2, leo=1)))


def test_tokens_of_group_a_stay_secret_for_ever() -> None:
    """Nobody sees which of two players spent one token and which three, not even after the match."""
    one = story(vote_a(ann=2, bob=1), vote_a(cat=1)).to_the_end()
    other = story(vote_a(cat=1), vote_a(ann=2, bob=1)).to_the_end()
    assert (one.private("ann").tokens, other.private("ann").tokens) == (2, 4)
    for viewer in EVERYBODY[2:]:
        look_the_same_to(viewer, one, other)
    outcome = GAME.outcome(one.state)
    assert outcome is not None
    assert list(outcome.details["tokens"]) == ["kim", "leo", "max", "ned"]


def test_tokens_of_group_b_stay_secret_until_the_play_is_over() -> None:
    def play(spender: str) -> Table:
        table = rich().act("1h", spender, vote_a(ann=1)).act("1h", "leo" if spender == "kim" else "kim", vote_a(bob=1))
        return table.until("48h")

    # Each has spent one token, on different players.
    look_the_same_to("max", play("kim"), play("leo"))
    one = rich().act("1h", "ann", vote_a(ann=1, bob=1)).until("48h")
    assert [each.tokens for each in one.public.group_b] == [None] * 4
    assert [each.tokens for each in one.until("72h").public.group_b] == [1] * 4


def test_votes_for_the_candidate_stay_secret_for_ever() -> None:
    def play(first: str, second: str) -> Table:
        table = four_and_four().act("49h", "ann", elect(first)).act("50h", "bob", elect(second))
        return table.act("51h", "cat", elect("ann")).act("51h", "dan", elect("ann"))

    one, other = play("bob", "cat"), play("cat", "bob")
    for viewer in ("cat", "dan", "kim", "ned"):
        look_the_same_to(viewer, one, other)
        look_the_same_to(viewer, play("bob", "cat").to_the_end(), play("cat", "bob").to_the_end())


def test_whose_vote_was_drawn_stays_secret_for_ever() -> None:
    def play(absent: str) -> Table:
        table = four_and_four()
        for voter in ("ann", "bob", "cat", "dan"):
            if voter != absent:
                table.act("49h", voter, elect("dan"))
        return table.to_the_end()

    look_the_same_to("kim", play("ann"), play("bob"))
    look_the_same_to("dan", play("ann"), play("bob"))


@pytest.mark.parametrize("viewer", ["ann", "cat", "dan", "eve", "kim", "leo"])
def test_gifts_stay_secret_until_all_is_decided(viewer: str) -> None:
    def play(*to: str) -> Table:
        table = sole_winner()
        return table.act("97h", "bob", give(*to)) if to else table

    look_the_same_to(viewer, play("cat", "dan"), play("dan", "eve"))
    assert encode(play("cat", "dan").public) == encode(play().public), "even that they are made"
    one = play("cat", "dan")
    for voter in ("kim", "leo", "max"):
        one.act("98h", voter, elect("leo"))
    assert one.public.decisions is not None
    assert one.public.decisions.gifts[0].to == ("cat", "dan")


def test_garnets_stay_secret_for_ever() -> None:
    look_the_same_to("bob", four_and_four(garnets={"ann": 3}).to_the_end(), four_and_four().to_the_end())


def test_a_refused_correction_does_not_tell_hosts_how_many_votes_are_sealed() -> None:
    said = set()
    for votes in (1, 3, 5):
        table = four_and_four().act("1h", "ann", vote_a(bob=votes))
        with pytest.raises(Rejected) as caught:
            GAME.correct(table.state, "ann", "token", -5, timedelta(hours=2))
        said.add(caught.value.message)
    assert len(said) == 1
    assert not any(letter.isdecimal() for letter in said.pop())
