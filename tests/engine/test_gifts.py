"""Surplus Tokens of Life: who gives, to whom, when, and what lapses."""

from datetime import timedelta
from typing import Any

import pytest

from matches.engine.draw import Draw
from tests.engine.play import SEED, Table

DAY = timedelta(days=1)
PLAYERS = ("ann", "bob", "cat", "dan", "eve")
ONLY_DAN = {"key": "candidate", "kind": "name", "deciders": [], "options": ["dan"]}


def giving(seed: bytes = SEED, polls: Any = (ONLY_DAN,), players: Any = PLAYERS, **tokens: int) -> Table:
    """A table where the play is over, dan is Elimination Candidate, and these hold tokens."""
    return Table(*players, seed=seed, ending={"tokens": tokens, "polls": list(polls)}).until("24h")


def lapsed(table: Table) -> list[int]:
    return [given["lapsed"] for given in table.told_of("tokens_given")]


def test_who_holds_more_than_one_keeps_one_and_gives_the_others() -> None:
    table = giving(ann=3)
    assert table.asked("ann") == ("give_tokens",)
    table.until("30h").do("ann", "give_tokens", to=["eve", "cat"])
    assert [table.holds(player) for player in PLAYERS] == [1, 0, 1, 0, 1]
    assert table.phase == "finished"
    assert table.told_of("tokens_given") == [{"player": "ann", "to": ["cat", "eve"], "lapsed": 0, "how": "given"}]


def test_gifts_open_only_when_the_candidate_is_known_and_have_a_window_of_their_own() -> None:
    naming = {"key": "candidate", "kind": "name", "deciders": ["ann"], "options": ["cat", "dan"]}
    table = giving(ann=2, polls=[naming]).until("30h")
    assert table.asked("ann") == ("name_candidate",)
    assert table.refused("ann", "give_tokens", to=["bob"]) == "not_your_decision"
    table.do("ann", "name_candidate", player="dan")
    assert table.closes() == timedelta(hours=54)
    assert table.options("ann") == ("bob", "cat", "eve")


def test_a_drawn_candidate_opens_the_gifts_at_the_deadline() -> None:
    naming = {"key": "candidate", "kind": "name", "deciders": ["ann"], "options": ["cat", "dan"]}
    table = giving(ann=2, polls=[naming]).until("48h")
    assert (table.phase, table.closes()) == ("decision", 3 * DAY)


@pytest.mark.parametrize(
    "to",
    [
        [],
        ["bob"],
        ["bob", "cat", "eve"],
        ["bob", "bob"],
        ["bob", "ann"],
        ["bob", "dan"],
        ["bob", "zed"],
        ["", "\ud800"],
    ],
    ids=["nobody", "too few", "too many", "one twice", "oneself", "the candidate", "a stranger", "odd names"],
)
def test_recipients_must_be_as_many_different_eligible_players(to: list[str]) -> None:
    assert giving(ann=3).refused("ann", "give_tokens", to=to) == "not_eligible"


def test_a_later_giver_sees_who_is_taken() -> None:
    table = giving(ann=2, bob=2, players=(*PLAYERS, "fay"))
    assert table.options("ann") == table.options("bob") == ("cat", "eve", "fay")
    table.do("bob", "give_tokens", to=["cat"])
    assert table.options("ann") == ("eve", "fay")
    assert "ann" in table.steps[-1].touched, "ann's choice has changed"
    assert table.refused("ann", "give_tokens", to=["cat"]) == "not_eligible"


def test_a_gift_with_one_possible_answer_is_made_at_once() -> None:
    table = giving(ann=3, players=("ann", "cat", "dan", "eve"))
    assert (table.phase, table.holds("cat"), table.holds("eve")) == ("finished", 1, 1)


def test_one_gift_may_force_the_next() -> None:
    table = giving(ann=2, bob=2).do("ann", "give_tokens", to=["eve"])
    assert (table.phase, table.holds("cat"), table.holds("bob")) == ("finished", 1, 1)


def test_what_nobody_can_get_lapses() -> None:
    table = giving(ann=4)
    assert [table.holds(player) for player in PLAYERS] == [1, 1, 1, 0, 1]
    assert lapsed(giving(ann=6)) == [2]
    assert giving(ann=6).holds("ann") == 1, "what lapses is taken off the ledger"


def test_where_nobody_is_eligible_everything_lapses() -> None:
    table = giving(ann=3, players=("ann", "dan"))
    assert (table.phase, table.holds("ann"), lapsed(table)) == ("finished", 1, [2])


def test_gifts_not_made_by_the_deadline_are_drawn_in_list_order() -> None:
    players = ("bob", "ann", "cat", "dan", "eve", "fay")
    table = giving(ann=2, bob=2, players=players).until("48h")
    first = Draw(SEED).sample("gifts:bob", ("cat", "eve", "fay"), 1)
    left = tuple(player for player in ("cat", "eve", "fay") if player not in first)
    second = Draw(SEED).sample("gifts:ann", left, 1)
    assert table.told_of("tokens_given") == [
        {"player": "bob", "to": list(first), "lapsed": 0, "how": "drawn"},
        {"player": "ann", "to": list(second), "lapsed": 0, "how": "drawn"},
    ]


# -- gifts that share the window with the votes and stay secret ------------------------------------


def secretly(**config: Any) -> Table:
    """ann votes for one of two losers and has a token for one of two others, in one window."""
    vote = {"key": "A", "kind": "vote", "deciders": ["ann"], "options": ["cat", "dan"]}
    gift = {"giver": "ann", "count": 1, "eligible": ["bob", "eve"]}
    ending = {"tokens": {"ann": 2}, "polls": [vote], "secret_gifts": [gift]}
    return Table(*PLAYERS, ending=ending, **config).until("24h")


def test_secret_gifts_and_votes_share_a_window_in_any_order() -> None:
    assert secretly().asked("ann") == ("vote", "give_tokens")
    gift_first = secretly().do("ann", "give_tokens", to=["eve"]).do("ann", "vote", player="dan")
    vote_first = secretly().do("ann", "vote", player="dan").do("ann", "give_tokens", to=["eve"])
    assert gift_first.state.core.purses == vote_first.state.core.purses
    assert gift_first.phase == vote_first.phase == "finished"


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


def test_what_is_missing_in_the_shared_window_is_drawn_at_its_end() -> None:
    table = secretly().until("48h")
    assert table.phase == "finished"
    assert [given["how"] for given in table.told_of("tokens_given")] == ["drawn"]
    assert table.holds("ann") == 1


def test_secret_gifts_with_one_answer_are_made_without_asking_and_stay_secret() -> None:
    vote = {"key": "A", "kind": "vote", "deciders": ["ann"], "options": ["cat", "dan"]}
    gift = {"giver": "ann", "count": 2, "eligible": ["bob", "eve"]}
    ending = {"tokens": {"ann": 3}, "polls": [vote], "secret_gifts": [gift]}
    table = Table(*PLAYERS, ending=ending).until("24h")
    assert (table.asked("ann"), table.holds("bob")) == (("vote",), 0)
    table.do("ann", "vote", player="dan")
    assert (table.holds("bob"), table.holds("eve"), table.phase) == (1, 1, "finished")


def test_a_correction_in_the_meantime_never_locks_the_match() -> None:
    table = giving(ann=3)
    for player in ("bob", "cat"):
        table.steps.append(table.game.correct(table.state, player, "tol", 1, table.now))
    table.do("ann", "give_tokens", to=["eve"])
    assert (table.phase, table.holds("ann"), lapsed(table)) == ("finished", 1, [1])
