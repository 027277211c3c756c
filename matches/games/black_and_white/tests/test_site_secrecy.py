"""Twin duels at the site, which differ only in numbers, are the same on every page and at every socket."""

from collections.abc import Callable

from matches.games.black_and_white.tests.at_table import AtTable
from tests.games.site_secrecy import SiteSecrecy
from tests.secrecy.site import Twins

Step = Callable[[AtTable], object]

TYPED = ({"type": "place", "points": "3"}, {"type": "place", "points": "100"})


def place(who: str, points: int) -> Step:
    return lambda table: table.place(who, points)


def to(hours: float) -> Step:
    return lambda table: table.at(hours)


VIEWERS = ("visitor", "eve", "bob")

TWINS: dict[str, Twins[AtTable]] = {
    "a number that was placed": Twins((*VIEWERS, "dora"), (place("ann", 11),), (place("ann", 19),)),
    "no points or some": Twins((*VIEWERS, "dora"), (place("ann", 0),), (place("ann", 9),)),
    "rounds won, lost and equal": Twins(
        ("visitor", "eve", "dora"),
        (place("ann", 3), place("bob", 3), place("ann", 5), place("bob", 1), place("ann", 30), place("bob", 31)),
        (place("ann", 7), place("bob", 7), place("ann", 6), place("bob", 0), place("ann", 25), place("bob", 27)),
    ),
    "numbers of one player over several rounds": Twins(
        VIEWERS,
        (place("ann", 12), place("bob", 9), place("ann", 0), place("bob", 5), to(25), place("ann", 2), place("ann", 0)),
        (place("ann", 13), place("bob", 9), place("ann", 3), place("bob", 5), to(25), place("ann", 3), place("ann", 0)),
    ),
}  # fmt: skip


class TestSecrets(SiteSecrecy):
    twins = TWINS
    typed = TYPED
