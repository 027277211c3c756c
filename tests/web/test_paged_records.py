"""The records of a match come a page at a time: no more is read than is shown, and no row is lost or told to others."""

import pytest
from django.db.models import Q

from matches.models import clock
from matches.services import hosting
from tests.web.conftest import Table, browser

pytestmark = pytest.mark.usefixtures("contexts")


@pytest.fixture
def long(db: None, present: clock.FixedTime, monkeypatch: pytest.MonkeyPatch) -> Table:
    """The rich play for ann's Y and bob's Z: 30 more bids, of which 15 are ann's. Pages have ten rows."""
    for name in ("records", "verifying"):
        monkeypatch.setattr(f"matches.web.views.{name}._A_PAGE", 10)
    table = Table(present, chips=10_000).open().at(24).bid("ann", "Y", 4).bid("bob", "Z", 5)
    for amount in range(6, 36):
        table.bid(("ann", "bob")[amount % 2], "Z", amount)
    return table


def test_news_are_paged_each_told_once_and_only_to_those_it_is_for(long: Table) -> None:
    def tokens(name: str) -> list[str]:
        client, address, found = browser(long.users[name]), f"{long.url}news/", []
        while address:
            page = client.get(address)
            found += [line.token for line in page.context["lines"]]
            more = page.context["older"]
            address = f"{long.url}news/?after={more}" if more else ""
        return found

    for name in ("ann", "bob", "dora"):
        player = long.match.players.filter(handle=name).first()
        told = long.match.announcements.filter(Q(audience="everyone") | Q(player=player, player__isnull=False))
        assert tokens(name) == list(told.order_by("-pk").values_list("token", flat=True))


def test_news_do_not_begin_after_what_somebody_else_was_told(long: Table) -> None:
    own = long.match.announcements.filter(player=long.player("ann")).latest("pk").token
    for name, lost in (("ann", False), ("bob", True), ("dora", True)):
        page = browser(long.users[name]).look(f"{long.url}news/?after={own}")
        assert ("The list has no such page" in page) == lost


def test_the_log_is_paged_and_has_each_row_once(long: Table) -> None:
    hosting.cancel(long.match, long.users["dora"], "enough")
    count = long.match.log_count
    numbers: list[int] = []
    for page in range(1, -(-count // 10) + 1):
        numbers += [row["number"] for row in browser().get(f"{long.url}log/?page={page}").context["rows"]]
    assert numbers == list(range(1, count + 1))
