"""Who becomes Elimination Candidate: naming, votes, draws, and decisions with one answer."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from matches.engine.core import without_immune
from matches.engine.draw import Draw
from tests.engine.play import SEED, Table

DAY = timedelta(days=1)
PLAYERS = ("ann", "bob", "cat", "dan")


def poll(kind: str, deciders: str, options: str, key: str = "candidate") -> dict[str, Any]:
    return {"key": key, "kind": kind, "deciders": deciders.split(), "options": options.split()}


def asking(*polls: dict[str, Any], seed: bytes = SEED, **config: Any) -> Table:
    """A table where the play is over and these questions have just been put."""
    return Table(*PLAYERS, seed=seed, ending={"polls": list(polls)}, **config).until("24h")


def naming_table(**config: Any) -> Table:
    return asking(poll("name", "ann", "bob cat"), **config)


def voting_table(options: str = "cat dan", deciders: str = "ann bob", **config: Any) -> Table:
    return asking(poll("vote", deciders, options), **config)


# -- naming --------------------------------------------------------------------------------------


@pytest.mark.parametrize("choice", ["ann", "dan", "zed", "", "\ud800"])
def test_whoever_does_not_fit_is_not_eligible(choice: str) -> None:
    assert naming_table().refused("ann", "name_candidate", player=choice) == "not_eligible"


def test_a_missing_naming_is_drawn_at_the_deadline() -> None:
    table = naming_table().until("47h59m59s")
    assert table.candidates == ()
    table.until("48h")
    (decided,) = table.told_of("candidate_decided")
    assert decided["how"] == "drawn"
    assert table.candidates == (Draw(SEED).choice("candidate:for:ann", ("bob", "cat")),)


# -- no choice -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["name", "vote"])
@pytest.mark.parametrize("deciders", ["", "ann"])
def test_a_decision_with_one_answer_is_taken_at_once_and_announced(kind: str, deciders: str) -> None:
    table = asking(poll(kind, deciders, "cat"))
    assert (table.phase, table.candidates, table.asked("ann")) == ("finished", ("cat",), ())
    assert [decided["how"] for decided in table.told_of("candidate_decided")] == ["only_one"]


@pytest.mark.parametrize("kind", ["name", "vote"])
def test_with_nobody_to_decide_it_is_drawn_at_once(kind: str) -> None:
    table = asking(poll(kind, "", "bob cat dan"))
    assert table.phase == "finished"
    assert table.candidates == (Draw(SEED).choice("candidate", ("bob", "cat", "dan")),)
    assert [decided["how"] for decided in table.told_of("candidate_decided")] == ["drawn"]


def test_a_window_without_length_is_over_at_once() -> None:
    table = naming_table(decision_time=0)
    assert len(table.steps) == 2, "the opening, and one step for everything else"
    assert table.phase == "finished"
    assert table.closes() is None


# -- votes ---------------------------------------------------------------------------------------


def test_each_winner_votes_and_most_votes_decide() -> None:
    table = voting_table(deciders="ann bob cat", options="ann dan")
    for voter, choice in (("ann", "dan"), ("bob", "ann"), ("cat", "dan")):
        assert table.candidates == ()
        table.do(voter, "vote", player=choice)
    assert table.candidates == ("dan",)
    (decided,) = table.told_of("candidate_decided")
    assert (decided["how"], decided["votes"]) == ("voted", {"ann": 1, "dan": 2})


def test_a_vote_is_private() -> None:
    table = voting_table()
    before = [table.game.public_view(table.state), *(table.game.private_view(table.state, p) for p in PLAYERS[1:])]
    table.do("ann", "vote", player="dan")
    step = table.steps[-1]
    after = [table.game.public_view(table.state), *(table.game.private_view(table.state, p) for p in PLAYERS[1:])]
    assert before == after
    assert (step.public, step.touched, step.announcements) == (False, {"ann"}, ())
    assert [decided.players for decided in table.game.private_view(table.state, "ann").decided] == [("dan",)]


def test_a_tie_is_drawn_among_the_tied_as_soon_as_all_votes_are_in() -> None:
    table = voting_table(options="bob cat dan").until("25h")
    table.do("ann", "vote", player="dan").do("bob", "vote", player="cat")
    assert table.phase == "finished"
    assert table.candidates == (Draw(SEED).choice("candidate:tie", ("cat", "dan")),)
    (decided,) = table.told_of("candidate_decided")
    assert (decided["how"], decided["votes"]) == ("drawn", {"cat": 1, "dan": 1})


def test_each_missing_vote_is_drawn_by_itself_and_then_they_are_counted() -> None:
    table = voting_table(deciders="ann bob dan", options="ann cat").until("30h").do("bob", "vote", player="cat")
    table.until("48h")
    draw = Draw(SEED)
    drawn = {voter: draw.choice(f"candidate:for:{place}", ("ann", "cat")) for place, voter in ((1, "ann"), (2, "dan"))}
    (decided,) = table.told_of("candidate_decided")
    assert Counter([*drawn.values(), "cat"]) == decided["votes"]
    assert table.told_of("votes_drawn") == [{"poll": "candidate", "count": 2}]


def test_the_seed_does_not_tell_whose_vote_was_drawn() -> None:
    """One of three votes is missing: the drawn vote and the published counts do not depend on whose vote it is."""
    published = []
    for absent in ("ann", "bob", "dan"):
        table = voting_table(deciders="ann bob dan", options="cat eve fay")
        for voter in {"ann", "bob", "dan"} - {absent}:
            table.do(voter, "vote", player="cat")
        table.until("48h")
        published.append((table.game.public_view(table.state), table.told_of("votes_drawn")))
    assert published[0] == published[1] == published[2]


def test_whose_vote_was_drawn_is_told_to_the_voter_alone() -> None:
    table = voting_table(deciders="ann bob dan", options="ann cat").do("bob", "vote", player="cat").until("48h")
    audiences = [item.audience for item in table.told if item.kind == "vote_drawn"]
    assert audiences == ["player:ann", "player:dan"]
    drawn = [table.game.private_view(table.state, player).decided[0].drawn for player in ("ann", "bob", "dan")]
    assert drawn == [True, False, True]


def test_a_tie_and_the_vote_of_a_player_called_tie_are_separate_draws() -> None:
    """Both are drawn with the same options: sharing a purpose would make them always agree."""
    agreed = set()
    for number in range(20):
        ending = {"polls": [poll("vote", "tie bob", "cat dan")]}
        table = Table("tie", "bob", "cat", "dan", seed=bytes([number]) * 32, ending=ending).until("72h")
        (decided,) = table.told_of("candidate_decided")
        if len(decided["votes"]) == 2:
            agreed.add(table.game.private_view(table.state, "tie").decided[0].players == table.candidates)
    assert agreed == {True, False}


def test_two_polls_run_side_by_side_and_candidates_come_in_their_order() -> None:
    table = asking(poll("vote", "ann", "bob cat", key="A"), poll("vote", "dan", "bob cat", key="B"))
    table.do("dan", "vote", player="bob")
    assert [decided["poll"] for decided in table.told_of("candidate_decided")] == ["B"]
    assert (table.phase, table.candidates) == ("decision", ())
    table.do("ann", "vote", player="cat")
    assert (table.phase, table.candidates) == ("finished", ("cat", "bob"))


# -- immunity ------------------------------------------------------------------------------------


def test_holders_of_a_token_are_left_out_before_the_rule_is_applied() -> None:
    assert without_immune({"ann": {"tol": 1}, "bob": {"chip": 1}}, ("ann", "bob", "cat")) == ("bob", "cat")


def test_immunity_is_waived_only_if_nobody_at_all_would_be_left() -> None:
    everyone = {"ann": {"tol": 1}, "bob": {"tol": 2}}
    assert without_immune(everyone, ("ann", "bob")) == ("ann", "bob")
    assert without_immune(everyone, ("ann", "bob", "cat")) == ("cat",)


def test_where_immunity_is_waived_winners_may_vote_for_themselves() -> None:
    table = Table("ann", "bob", tokens=1).do("ann", "bid", amount=2).do("bob", "bid", amount=2).until("24h")
    assert table.options("ann") == ("ann", "bob")
    table.do("ann", "vote", player="ann").do("bob", "vote", player="ann")
    assert table.candidates == ("ann",)
