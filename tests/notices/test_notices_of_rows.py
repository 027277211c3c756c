"""What a notice says, and to whom."""

import pytest

from matches.queries.feed import feed
from matches.services import hosting
from matches.services.locking import locked_match
from notices.models import Notice
from notices.outbox import pass_on
from tests.notices.conftest import Reached
from tests.web import conftest as web

pytestmark = pytest.mark.django_db


@pytest.fixture
def auction(db: None, present) -> web.Table:
    """ann's 4 stands on Y, bob's 5 on Z."""
    table = web.Table(present).open().at(24).bid("ann", "Y", 4).bid("bob", "Z", 5)
    pass_on()
    Notice.objects.all().delete()
    return table


def told(table: web.Table) -> dict[str, Notice]:
    pass_on()
    return {notice.user.username: notice for notice in Notice.objects.select_related("user").order_by("pk")}


def test_a_hosts_decision_in_somebodys_place_is_news_to_them_alone(reached: Reached) -> None:
    reached.open()
    hosting.pause(reached.match, reached.host, "Lunch")
    with locked_match(reached.match_id) as writer:
        row = reached.match.log.latest("number")
        for audience, named in (("everyone", {}), ("player:ann", {"player": "ann"})):
            writer.announce(row, audience, "decision_by_host", host="dora", reason="away", **named)
    pass_on()
    heard = Notice.objects.filter(event="corrected").values_list("user__username", flat=True)
    assert list(heard) == [reached.users["ann"].username]


def test_a_look_is_in_everybodys_feed_and_a_notice_to_whom_it_concerns(auction) -> None:
    hosting.peek_at_balances(auction.match, auction.users["dora"], auction.player("ann"), "a receipt is missing")
    said = "The host dora has looked at the balances of ann: a receipt is missing."
    assert said in [line.text for line in feed(auction.match, None)]
    found = told(auction)
    assert {name: notice.text for name, notice in found.items()} == {"ann": said}
