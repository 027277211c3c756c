"""Money, corrections, forecasts and what is told at a close."""

from matches.games.the_mvp.tests.table import bid, six


def test_a_token_from_a_host_makes_its_holder_immune() -> None:
    table = six({"max_rounds": 2}).act("1h", "ann", bid(U=1, V=1, W=1)).act("1h", "cat", bid(X=1))
    for player in ("bob", "dan"):
        table.correct(player, "tol", 1)
    table.until("72h")
    assert table.state.core.candidates == ("fay",)


def test_what_a_team_has_and_still_can_have() -> None:
    table = six().act("1h", "ann", bid(U=1, V=1)).act("1h", "bob", bid(X=1)).until("72h")
    red, green = table.public.teams
    grapes = next(line for line in red.runs if line.name == "grape")
    assert (grapes.cards, grapes.gone) == (("grape-3", "grape-4"), ("grape-6",))
    assert grapes.free == ("grape-1", "grape-2", "grape-5")
    assert (grapes.points, grapes.most) == (0, 10)
    sixes = next(line for line in red.sets if line.name == "6")
    assert (sixes.most, next(line for line in green.sets if line.name == "6").most) == (3, 12)
    threes = next(line for line in green.sets if line.name == "3")
    assert threes.most == 3
    assert (red.score, red.spent, green.cards) == (0, 2, ("grape-6",))
