"""What votes for the Elimination Candidate tell of themselves; how they decide, scenarios of every game show."""

from typing import Any

from tests.engine.play import Table

PLAYERS = ("ann", "bob", "cat", "dan")


def poll(deciders: str, options: str) -> dict[str, Any]:
    return {"key": "candidate", "kind": "vote", "deciders": deciders.split(), "options": options.split()}


def voting_table(options: str = "cat dan", deciders: str = "ann bob") -> Table:
    """A table where the play is over and this question has just been put."""
    return Table(*PLAYERS, ending={"polls": [poll(deciders, options)]}).until("24h")


def test_a_vote_is_private() -> None:
    table = voting_table()
    before = [table.game.public_view(table.state), *(table.game.private_view(table.state, p) for p in PLAYERS[1:])]
    table.do("ann", "vote", player="dan")
    step = table.steps[-1]
    after = [table.game.public_view(table.state), *(table.game.private_view(table.state, p) for p in PLAYERS[1:])]
    assert before == after
    assert (step.public, step.touched, step.announcements) == (False, {"ann"}, ())
    assert [decided.players for decided in table.game.private_view(table.state, "ann").decided] == [("dan",)]


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
        ending = {"polls": [poll("tie bob", "cat dan")]}
        table = Table("tie", "bob", "cat", "dan", seed=bytes([number]) * 32, ending=ending).until("72h")
        (decided,) = table.told_of("candidate_decided")
        if len(decided["votes"]) == 2:
            agreed.add(table.game.private_view(table.state, "tie").decided[0].players == table.candidates)
    assert agreed == {True, False}
