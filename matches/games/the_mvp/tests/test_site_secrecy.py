"""Twin matches at the site, which differ only in a secret, are the same on every page and at every socket."""

from collections.abc import Callable
from typing import Any

import pytest

from matches.games.the_mvp.tests.at_table import AtTable
from matches.games.the_mvp.tests.table import DECK, RED
from tests.fixtures.chosen import one_in
from tests.games.site_secrecy import SiteSecrecy
from tests.secrecy.site import Twins, nothing, pages, unlike_pages

Make = Callable[[dict[str, Any]], AtTable]
Step = Callable[[AtTable], object]

PAGES = ("?lot=A", "?lot=U", "?lot=J")
TYPED = (
    {"type": "bid", "adds[U]": "3", "adds[P]": "30"},
    {"type": "bid", "adds[A]": "1"},
    {"type": "buy_chips", "count": "2"},
    {"type": "ask_identity", "place": "A"},
    {"type": "ask_location", "card": "apple-1"},
    {"type": "vote", "player": "bob"},
)
LOGS = {"log/", "log.json", "api log/", "replay/"}
REPLAYS = "api replay/"
"""How the addresses of whole replays begin. They tell what the log tells, and name its rows."""
# What nobody has seen by the end: no card below these is ever reached in the stories here.
SWAPPED = DECK | {"A": DECK["D"], "D": DECK["A"], "B": DECK["C"], "C": DECK["B"]}


def bid(who: str, **adds: int) -> Step:
    return lambda table: table.bid(who, **adds)


def act(who: str, kind: str, **fields: Any) -> Step:
    return lambda table: table.act(who, {"type": kind, **fields})


def to(hours: float) -> Step:
    return lambda table: table.at(hours)


def all_of(*steps: Step) -> Step:
    return lambda table: [step(table) for step in steps]


# Ann, cat and eve each pay for one card of a run: each has a point, all three win, and they vote for bob, dan or fay.
RUN = (all_of(bid("ann", U=2), bid("cat", V=2), bid("eve", W=2)), to(24), to(48), to(72))
DECIDED = all_of(*(act(who, "vote", player="dan") for who in RED))
OTHERS = ("visitor", "bob")
TEAM = (*OTHERS, "eve")

RUNNING: dict[str, Twins[AtTable]] = {
    "hidden cards": Twins((*OTHERS, "ann", "eve"), RUN, RUN, {}, {"deck": SWAPPED}),
    "a sealed submission": Twins((*TEAM, "cat", "gil"), (bid("ann", U=3), nothing), (nothing, nothing)),
    "who of the team has bid, chips and answers bought": Twins(
        TEAM,
        (bid("ann", U=3), bid("cat", U=1), act("ann", "buy_chips", count=2),
         act("cat", "ask_identity", place="A"), act("cat", "ask_location", card="lemon-1"), to(24)),
        (bid("cat", U=3), bid("ann", U=1), nothing, nothing, nothing, to(24)),
    ),
    "who controls a claimed card, and whether anybody does": Twins(
        TEAM,
        (bid("ann", U=3, V=3), bid("cat", U=1, V=1), to(48)), (bid("ann", U=1, V=2), bid("cat", U=3, V=2), to(48)),
    ),
    "an answer before it is given": Twins(
        ("ann", *TEAM, "cat"), (act("ann", "ask_identity", place="A"),), (act("ann", "ask_identity", place="A"),),
        {}, {"deck": SWAPPED},
    ),
    "a vote, until all are in": Twins(
        ("visitor", "dan", "eve"), (*RUN, act("ann", "vote", player="bob")), (*RUN, nothing)
    ),
}  # fmt: skip

# Once a match is finished its log tells what the rules open, and the bids; a vote stays closed even there.
FINISHED: dict[str, Twins[AtTable]] = {
    "hidden cards": Twins((*OTHERS, "ann"), (*RUN, DECIDED), (*RUN, DECIDED), {}, {"deck": SWAPPED}),
    "answers bought": Twins(
        TEAM, (act("ann", "ask_identity", place="A"), *RUN, DECIDED), (nothing, *RUN, DECIDED)
    ),
    "bids without a result": Twins(
        ("visitor", "fay", "eve"), (bid("dan", T=1), *RUN, DECIDED), (bid("dan", S=5), *RUN, DECIDED)
    ),
    "team-mates' bids": Twins(
        (*OTHERS, "eve"),
        (all_of(bid("ann", U=5), bid("cat", U=1, V=2), bid("eve", W=2)), *RUN[1:], DECIDED),
        (all_of(bid("ann", U=4), bid("cat", U=2, V=2), bid("eve", W=2)), *RUN[1:], DECIDED),
    ),
}  # fmt: skip
VOTES = Twins(
    ("visitor", "gil", "bob"),
    (*RUN, act("ann", "vote", player="bob"), act("cat", "vote", player="dan"), act("eve", "vote", player="dan")),
    (*RUN, act("ann", "vote", player="dan"), act("cat", "vote", player="bob"), act("eve", "vote", player="dan")),
)


class TestSecrets(SiteSecrecy):
    twins = {**RUNNING, "who voted for whom": VOTES}
    share = 3
    more = PAGES
    typed = TYPED


@pytest.mark.django_db
@pytest.mark.parametrize("name", one_in(4, [*FINISHED]))
def test_what_the_rules_keep_shows_on_no_page_of_a_finished_match_but_its_log(make: Make, name: str) -> None:
    found = unlike_pages(make, FINISHED[name], more=PAGES)
    assert [place for place in found if place[1] not in LOGS and not place[1].startswith(REPLAYS)] == []


@pytest.mark.django_db
def test_who_voted_for_whom_stays_closed_for_ever_and_in_the_log_too(make: Make) -> None:
    assert unlike_pages(make, VOTES, more=PAGES) == []
    seen = pages(lambda: make({}), VOTES.one, ("visitor",), only={*LOGS, "api "})
    assert {seen["visitor", page][0] for page in LOGS} == {200}
    assert '"votes":{"bob":1,"dan":2}' in seen["visitor", "api "][1]
