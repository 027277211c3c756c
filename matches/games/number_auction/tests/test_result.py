"""Who wins, who is the candidate, and what the result shows."""

from matches.engine.core import DECISION, FINISHED
from matches.games.number_auction.tests.table import BUY, at_once, bid, name


def test_losing_bids_open_only_when_the_match_is_finished() -> None:
    table = at_once(ann={"garnets": 3}).act("1h", "ann", BUY).act("1h", "ann", bid({40: 9, 7: 3, 8: 101}))
    table.act("2h", "bob", bid({40: 2, 7: 3})).until("24h")
    assert table.state.core.phase == DECISION
    assert table.public.result is not None
    assert (table.public.result.winner, table.public.result.decided_by) == ("ann", "conditions")
    assert (table.public.result.rounds, table.public.result.accounts) == ((), ())
    table.act("25h", "ann", name("bob"))
    assert table.state.core.phase == FINISHED
    assert table.public.result is not None
    bids = [
        (bid_.number, bid_.player, bid_.amount, bid_.fate, bid_.price) for bid_ in table.public.result.rounds[0].bids
    ]
    assert bids == [
        (7, "ann", 3, "lost", None),
        (7, "bob", 3, "lost", None),
        (8, "ann", 101, "dropped", None),
        (40, "ann", 9, "won", 2),
        (40, "bob", 2, "lost", None),
    ]
    ann = table.public.result.accounts[0]
    assert (ann.tokens, ann.purchases, ann.tokens_bought, ann.spent) == (108, 1, 10, 1)
    assert (ann.garnets, ann.tokens_of_life) == (3 - 1 + 2, 1)
