"""Twin matches at the site, which differ only in answers, are the same on every page and at every socket."""

from collections.abc import Callable
from typing import Any

import pytest

from matches.games.hosts_match.tests.at_table import AtTable
from tests.fixtures.chosen import one_in
from tests.games.site_secrecy import SiteSecrecy
from tests.secrecy.site import Twins, nothing, unlike_pages

Make = Callable[[dict[str, Any]], AtTable]
Step = Callable[[AtTable], object]
OTHERS = ("visitor", "bob", "gil")


def bid(who: str, amount: int) -> Step:
    return lambda table: table.answer(who, bid=amount)


def to(hours: float) -> Step:
    return lambda table: table.at(hours)


def host(kind: str, **fields: Any) -> Step:
    return lambda table: table.host_does(kind, **fields)


HIDDEN = host("post_result", text="Nobody reads what was bid.")
COUNTED = host("post_result", text="Counted.", reveal={"bid": "counted"})
ENDED = (host("end_play"), host("decide", winners=["bob"], candidates=["dan"]))


def shown(*answers: Step, result: Step, end: bool = False) -> tuple[Step, ...]:
    return (*answers, to(25), ENDED[0], result, *(ENDED[1:] if end else ()))


TWINS: dict[str, Twins[AtTable]] = {
    "an open answer, and that there is one": Twins(OTHERS, (bid("ann", 3), nothing), (nothing, bid("cat", 9))),
    "a closed answer": Twins(OTHERS, (bid("ann", 3), to(25)), (bid("cat", 9), to(25))),
    "a hidden answer": Twins(OTHERS, shown(bid("ann", 3), result=HIDDEN), shown(bid("cat", 9), result=HIDDEN)),
    "who gave which of the counted answers": Twins(
        OTHERS,
        shown(bid("ann", 3), bid("cat", 9), result=COUNTED),
        shown(bid("ann", 9), bid("cat", 3), result=COUNTED),
    ),
}
FOR_EVER: dict[str, Twins[AtTable]] = {
    "hidden answers, and whose they were": Twins(
        OTHERS, shown(bid("ann", 3), result=HIDDEN, end=True), shown(bid("cat", 9), result=HIDDEN, end=True)
    ),
    "who gave which of the counted answers": Twins(
        OTHERS,
        shown(bid("ann", 3), bid("cat", 9), result=COUNTED, end=True),
        shown(bid("ann", 9), bid("cat", 3), result=COUNTED, end=True),
    ),
}
TYPED = ({"type": "answer", "answers[bid][%3Dwhole]": "4"}, {"type": "answer", "answers[bid][%3Dwhole]": "44"})


class TestSecrets(SiteSecrecy):
    twins = TWINS
    typed = TYPED


@pytest.mark.django_db
@pytest.mark.parametrize("secret", one_in(2, [*FOR_EVER]))
def test_what_was_not_revealed_stays_secret_after_the_end_and_in_the_log_too(make: Make, secret: str) -> None:
    assert unlike_pages(make, FOR_EVER[secret]) == []


@pytest.mark.django_db
def test_the_comparison_would_find_a_leak(make: Make) -> None:
    """The control: an answer that is shown with its name is for everybody."""
    named = host("post_result", text="Named.", reveal={"bid": "named"})
    twins = Twins(OTHERS, shown(bid("ann", 3), result=named), shown(bid("ann", 4), result=named))
    assert {(who, page) for who in OTHERS for page in ("", "api ")} <= set(unlike_pages(make, twins, only=("", "api ")))
