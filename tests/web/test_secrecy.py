"""Twin worlds: two matches that differ only in what a viewer may not know give that viewer the same bytes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from matches.models.clock import FixedTime
from matches.services.hosting import peek
from tests.fixtures.present import START
from tests.secrecy.masking import masked
from tests.web.conftest import Table, browser

Story = Callable[[Table], object]

PAGES = (
    "{url}",
    "{url}parts/",
    "{url}rules/",
    "{url}history/",
    "{url}news/",
    "{url}result/",
    "{url}log/",
    "{url}log.json",
    "/",
    "/matches/",
    "/me/",
    "/profile/",
)
HEADERS_THAT_VARY = {"X-Request-ID", "Set-Cookie", "Content-Length", "Expires"}


def world(story: Story, viewer: str | None, present: FixedTime) -> dict[str, tuple[object, ...]]:
    """Everything that a viewer gets in a world in which the story has happened; then it never has."""
    with transaction.atomic():
        present.instant = START
        table = Table(present).open()
        story(table)
        client = browser(table.users[viewer] if viewer else None)
        seen = {}
        for page in PAGES:
            url = page.format(url=table.url)
            client.get(url)
            with CaptureQueriesContext(connection) as queries:
                answer = client.get(url)
            headers = {name: value for name, value in answer.headers.items() if name not in HEADERS_THAT_VARY}
            location = headers.pop("Location", "")
            seen[page] = (
                answer.status_code,
                masked(answer.content.decode(), table),
                sorted(headers.items()),
                location,
                len(queries),
            )
        transaction.set_rollback(True)
    return seen


def seal(*bids: tuple[str, str, int]) -> Story:
    return lambda table: [table.bid(*bid) for bid in bids]


def quiet(table: Table) -> None:
    """Nothing happens."""


def then(*stories: Story) -> Story:
    return lambda table: [story(table) for story in stories]


def buy(name: str, count: int) -> Story:
    def story(table: Table) -> None:
        assert table.act(name, "buy_chips", count=count).accepted

    return story


def fail(name: str) -> Story:
    def story(table: Table) -> None:
        assert not table.act(name, "bid", seat="Z", amount=99).accepted

    return story


def withdraw(name: str) -> Story:
    def story(table: Table) -> None:
        assert table.act(name, "withdraw").accepted

    return story


def look_at(name: str) -> Story:
    def story(table: Table) -> None:
        peek(table.match, table.users["dora"], table.player(name), "I must know.")

    return story


def to(hours: float) -> Story:
    return lambda table: table.at(hours)


# What bob (and cat) do unseen, told to ann, to somebody with an account, and to a visitor.
TWINS: dict[str, tuple[Story, Story]] = {
    "a sealed bid or none": (seal(("bob", "Z", 5)), quiet),
    "one sealed bid or another": (seal(("bob", "Z", 5)), seal(("bob", "R", 12))),
    "one bidder or two": (seal(("bob", "Z", 5), ("cat", "Z", 5)), seal(("cat", "Y", 1))),
    "a bid that was replaced": (seal(("bob", "Z", 5), ("bob", "Y", 4)), seal(("bob", "Y", 4))),
    "a bid that was taken back": (then(seal(("bob", "Z", 5)), withdraw("bob")), quiet),
    "chips bought before the auction": (buy("bob", 3), quiet),
    "chips bought in the auction": (then(to(24), buy("bob", 2)), to(24)),
    "a refused bid": (then(to(24), fail("bob")), to(24)),
    "a sealed bid that is dropped and one that never was": (
        then(seal(("ann", "Z", 5), ("bob", "Z", 4)), to(24)),
        then(seal(("ann", "Z", 5)), to(24)),
    ),
    "what a host looked at": (
        then(seal(("bob", "Z", 5)), look_at("bob")),
        then(seal(("bob", "R", 12)), look_at("bob")),
    ),
    "a sealed bid after sealed bids have closed": (then(seal(("bob", "Z", 5)), to(23.5)), to(23.5)),
}  # fmt: skip


@pytest.mark.parametrize("viewer", [None, "ann", "eve"])
@pytest.mark.parametrize("twins", TWINS.values(), ids=TWINS)
def test_what_a_viewer_may_not_know_changes_not_a_byte(
    db: None, present: FixedTime, twins: tuple[Story, Story], viewer: str | None
) -> None:
    one, other = (world(story, viewer, present) for story in twins)
    for page in PAGES:
        assert one[page] == other[page], f"{page} tells"


@pytest.mark.parametrize("viewer", [None, "ann", "eve"])
def test_the_comparison_would_find_a_leak(db: None, present: FixedTime, viewer: str | None) -> None:
    """The control: a bid that everyone may see does change the bytes."""
    one = world(then(to(24), seal(("bob", "Z", 5))), viewer, present)
    other = world(to(24), viewer, present)
    assert one["{url}"] != other["{url}"]
    assert one["{url}parts/"] != other["{url}parts/"]
    assert one["/"] != other["/"]


def test_its_owner_sees_the_sealed_bid(db: None, present: FixedTime) -> None:
    assert world(seal(("bob", "Z", 5)), "bob", present)["{url}"] != world(quiet, "bob", present)["{url}"]
