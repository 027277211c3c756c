"""Twin matches on the site that differ only in a permanent secret give strangers the same bytes, also when over."""

from collections.abc import Callable
from typing import Any

from matches.games.together_we_survive.tests.at_table import AtTable
from tests.games.site_secrecy import SiteSecrecy
from tests.secrecy.site import Twins, nothing
from tests.web.conftest import browser

Step = Callable[[AtTable], object]

VIEWERS = ("visitor", "zoe", "flo")


def vote_a(who: str, **votes: int) -> Step:
    return lambda table: table.on_stage(who, **votes)


def vote_b(who: str, **votes: int) -> Step:
    return lambda table: table.for_b(who, **votes)


def does(who: str, action: str, **fields: Any) -> Step:
    return lambda table: table.act(who, {"type": action, **fields})


def to(hours: float) -> Step:
    return lambda table: table.at(hours)


def votes(swapped: bool) -> tuple[Step, ...]:
    """Two players of each group vote, the one as the other does in the twin; cat has two votes from herself."""
    ann, bob, gus, hal = ("bob", "ann", "hal", "gus") if swapped else ("ann", "bob", "gus", "hal")
    return (
        vote_a("cat", cat=2),
        vote_a(ann, ann=2, bob=1), vote_a(bob, bob=1),
        vote_b(gus, gus=2, ida=1), vote_b(hal, kim=3),
    )  # fmt: skip


def finish(swapped: bool) -> tuple[Step, ...]:
    """ann, bob and cat win together against dan, eve and flo, and vote; gus wins B and names a loser."""
    ann, bob = ("bob", "ann") if swapped else ("ann", "bob")
    return (
        to(72),
        does(ann, "vote", player="dan"), does(bob, "vote", player="eve"), does("cat", "vote", player="eve"),
        does("gus", "vote", player="jon"),
    )  # fmt: skip


ROUND, END = to(48), finish(False)
PLAYED: tuple[Step, ...] = (AtTable.played,)

TWINS: dict[str, Twins[AtTable]] = {
    "sealed votes": Twins(VIEWERS, votes(False), votes(True)),
    "whether votes are there, changed or taken back": Twins(
        VIEWERS,
        (vote_a("bob", ann=1), vote_b("gus", kim=3),
         vote_a("ann", ann=1), vote_a("ann", bob=2), does("ann", "withdraw", kind="A")),
        (nothing,) * 5,
    ),
    "secret gifts": Twins(
        VIEWERS, (*PLAYED, does("ann", "give_tokens", to=["eve", "dan"])), (*PLAYED, nothing)
    ),
    "a vote for a candidate, until all are in": Twins(
        VIEWERS, (*votes(False), ROUND, *END[:2]), (*votes(False), ROUND, END[0], nothing)
    ),
    "who voted for whom, tokens of group A, what was taken back, after the match": Twins(
        VIEWERS,
        (vote_b("dan", gus=3), does("dan", "withdraw", kind="B"), *votes(False), ROUND, *END),
        (vote_b("eve", kim=3), does("eve", "withdraw", kind="B"), *votes(True), ROUND, *finish(True)),
    ),
}  # fmt: skip


class TestSecrets(SiteSecrecy):
    twins = TWINS


def test_the_open_log_shows_what_is_no_secret(at_table: AtTable) -> None:
    table = at_table.decided()
    text = " ".join(browser().look(f"{table.url}log/").partition("<main")[2].replace("&quot;", '"').split())
    assert '"type":"give_tokens"' in text
    for secret in ('"vote_a"', '"vote_b"', '"vote"', '"votes":'):
        assert secret not in text.replace("votes for the Elimination Candidate", "")
    own = browser(table.users["ann"]).look(f"{table.url}log/").replace("&quot;", '"')
    assert '{"type":"vote_a","votes":{"ann":2}}' in own
