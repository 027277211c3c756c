"""One's own notices on the pages: the bell, the card, the list; and marking them as read."""

import re
from typing import Any

import pytest

from accounts.models import User
from matches.models import Invitation
from matches.services import hosting, joining
from matches.services.questions import ask_hosts
from notices import deliveries, inbox
from notices.models import Delivery, Notice
from notices.outbox import pass_on
from notices.reading import READ_BEFORE, mark_read
from tests.fixtures.made_once import made_once
from tests.notices.conftest import Reached
from tests.web import conftest as web
from tests.web.conftest import browser

pytestmark = pytest.mark.django_db


@pytest.fixture
def auction(db: None, present) -> web.Table:
    """ann's 4 stands on Y; everybody has read what they were told so far."""

    def make() -> web.Table:
        table = web.Table(present).open().at(24).bid("ann", "Y", 4).bid("bob", "Z", 5)
        pass_on()
        for user in table.users.values():
            mark_read(user)
        return table

    return made_once("all read", make, present)


def outbid(table: web.Table) -> Notice:
    """cat outbids ann, whose notice it is."""
    table.bid("cat", "Y", 6)
    pass_on()
    (notice,) = inbox.unread(table.users["ann"])
    return notice


def test_an_outbid_player_is_told_on_whatever_page_they_have_open(auction) -> None:
    outbid(auction)
    ann = browser(auction.users["ann"])
    for url in ("/", "/me/", "/profile/", "/games/", f"{auction.url}rules/"):
        page = ann.look(url)
        assert "cat outbids you on Y with 6" in page
        assert f'href="{auction.url}?lot=Y#act"' in page
        assert "Notices: 1 unread" in " ".join(page.split())
    assert "cat outbids you" not in browser(auction.users["bob"]).look("/")
    assert "Notices: nothing new" in browser(auction.users["bob"]).look("/")


def test_somebody_elses_notice_cannot_be_read(auction) -> None:
    notice = outbid(auction)
    assert notice.group == "lost"
    browser(auction.users["bob"]).post("/notices/read/", {"token": notice.token})
    assert inbox.unread(auction.users["ann"]) == [notice]
    shown = browser(auction.users["ann"]).post(
        "/notices/read/", {"token": notice.token}, headers={"HX-Request": "true"}
    )
    assert shown.json()["notices"] == ""
    assert "Notices: nothing new" in shown.json()["bell"]
    assert inbox.unread(auction.users["ann"]) == []


@pytest.mark.parametrize("referer", ["https://evil.example/x", "//evil.example", "javascript:alert(1)", ""])
def test_reading_a_notice_never_leads_to_another_site(auction, referer: str) -> None:
    answer = browser(auction.users["ann"]).post("/notices/read/", {"all": "1"}, headers={"Referer": referer})
    assert answer.status_code == 302
    assert re.fullmatch(r"/[^/]*|/x|/notices/", answer["Location"])


def test_notices_of_one_match_can_be_read_at_once(auction, present) -> None:
    outbid(auction)
    other = web.Table(present).open()
    pass_on()
    ann = auction.users["ann"]
    assert {each.match_code for each in inbox.unread(ann)} == {auction.match.public_id, other.match.public_id}
    assert browser(ann).post("/notices/read/", {"match": auction.match.public_id}).status_code == 302
    assert {each.match_code for each in inbox.unread(ann)} == {other.match.public_id}
    assert mark_read(ann, match="no-such-match") == 0


def test_what_is_settled_cancelled_or_answered_is_retired_at_once(auction, present) -> None:
    ann, dora = auction.users["ann"], auction.users["dora"]

    def unread(user: Any) -> list[str]:
        pass_on()
        return [each.event for each in inbox.unread(user)]

    hosting.pause(auction.match, dora, "Lunch")
    assert unread(ann) == ["paused"]
    hosting.resume(auction.match, dora)
    assert unread(ann) == ["resumed"]
    outbid_in(auction)
    auction.at(24.5).bid("ann", "Y", 8).bid("cat", "Y", 10)
    assert unread(ann) == ["outbid", "resumed"]
    ask_hosts(auction.match.pk, ann.pk, "May I bid 0?")
    assert unread(dora) == ["asked"]
    hosting.answer(auction.match, dora, auction.match.questions.get().token, "No.")
    assert unread(dora) == []
    hosting.cancel(auction.match, dora, "Rain")
    assert unread(ann) == ["cancelled", "answered"]


def outbid_in(table: web.Table) -> None:
    table.bid("cat", "Y", 6)
    pass_on()


def test_the_list_is_leafed_through_to_its_end_and_says_where_a_place_is_none(auction) -> None:
    notice = outbid(auction)
    ann = auction.users["ann"]
    row = Notice.objects.get(token=notice.token)
    many = [
        Notice(
            user=ann, match=row.match, source=f"x:{n}", event="won", title="x", text=f"number {n}.", url="/", at=row.at
        )
        for n in range(70)
    ]
    Notice.objects.bulk_create(many)
    mark_read(ann)
    seen, address, client = [], "/notices/", browser(ann)
    while address:
        page = client.look(address)
        seen += re.findall(r"number (\d+)\.", page)
        found = re.search(r'href="([?]after=[^"]+)" rel="next"', page)
        address = f"/notices/{found[1]}" if found else ""
    assert seen == [str(n) for n in reversed(range(70))]
    assert "has no such page" in client.look("/notices/?after=nowhere")


def test_nobody_is_asked_any_more_to_use_a_link_that_is_gone(reached: Reached) -> None:
    place = joining.add_player(reached.match, "place")

    def invite(name: str) -> Invitation:
        somebody = User.objects.create_user(name, f"{name}@example.org")
        return joining.invite(reached.match, reached.host, place, sent_to=somebody)

    def asked() -> list[str]:
        return list(Notice.objects.filter(event="invited", read_at=None).values_list("user__username", flat=True))

    invite("eve")
    fay = invite("fay")
    assert asked() == ["fay"], "a place has one link at a time"
    joining.revoke(reached.match, reached.host, fay.pk)
    assert asked() == []
    gus = invite("gus")
    assert asked() == ["gus"]
    joining.claim(joining.code_of(gus), gus.sent_to)
    assert asked() == []


def test_what_was_read_on_the_site_is_not_sent_later(reached: Reached) -> None:
    reached.open()
    pass_on()
    ann, bob = reached.users["ann"], reached.users["bob"]
    assert Delivery.objects.filter(status="waiting").count() == 3
    of_bob = Delivery.objects.get(notice__user=bob)
    mark_read(ann)
    mark_read(bob)
    deliveries.note(of_bob.address, [of_bob], None)  # it was just being sent
    told = dict(Delivery.objects.values_list("notice__user__username", "status"))
    assert told == {ann.username: "dropped", bob.username: "sent", reached.users["cat"].username: "waiting"}
    assert Delivery.objects.get(status="dropped").last_error == READ_BEFORE
