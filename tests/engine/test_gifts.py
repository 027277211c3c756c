"""Surplus Tokens of Life: who gives, to whom, when, and what lapses."""

from typing import Any

from tests.engine.play import SEED, Table

PLAYERS = ("ann", "bob", "cat", "dan", "eve")
ONLY_DAN = {"key": "candidate", "kind": "name", "deciders": [], "options": ["dan"]}


def giving(seed: bytes = SEED, polls: Any = (ONLY_DAN,), players: Any = PLAYERS, **tokens: int) -> Table:
    """A table where the play is over, dan is Elimination Candidate, and these hold tokens."""
    return Table(*players, seed=seed, ending={"tokens": tokens, "polls": list(polls)}).until("24h")


def lapsed(table: Table) -> list[int]:
    return [given["lapsed"] for given in table.told_of("tokens_given")]


def secretly(**config: Any) -> Table:
    """ann votes for one of two losers and has a token for one of two others, in one window."""
    vote = {"key": "A", "kind": "vote", "deciders": ["ann"], "options": ["cat", "dan"]}
    gift = {"giver": "ann", "count": 1, "eligible": ["bob", "eve"]}
    ending = {"tokens": {"ann": 2}, "polls": [vote], "secret_gifts": [gift]}
    return Table(*PLAYERS, ending=ending, **config).until("24h")


def test_a_secret_gift_moves_and_shows_only_when_everything_is_decided() -> None:
    table = secretly().do("ann", "give_tokens", to=["eve"])
    step = table.steps[-1]
    assert (table.holds("ann"), table.holds("eve")) == (2, 0)
    assert (step.public, step.touched, step.announcements) == (False, {"ann"}, ())
    assert table.game.public_view(table.state).decisions.gifts[0].to is None
    assert [decided.players for decided in table.game.private_view(table.state, "ann").decided] == [("eve",)]
    table.do("ann", "vote", player="dan")
    assert (table.holds("ann"), table.holds("eve")) == (1, 1)
    assert table.game.public_view(table.state).decisions.gifts[0].to == ("eve",)


def test_a_correction_in_the_meantime_never_locks_the_match() -> None:
    table = giving(ann=3)
    for player in ("bob", "cat"):
        table.steps.append(table.game.correct(table.state, player, "tol", 1, table.now))
    table.do("ann", "give_tokens", to=["eve"])
    assert (table.phase, table.holds("ann"), lapsed(table)) == ("finished", 1, [1])
