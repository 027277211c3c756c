"""Webhooks of a match, at a real HTTPS receiver: everything that is chosen once, in order, and nothing private."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from standardwebhooks import Webhook

from matches.models import Announcement, clock
from matches.services.hosting import pause, resume
from notices import webhooks
from notices.channels import news as bodies
from notices.deliveries import PAUSES
from notices.deliveries import send_due as post_due
from notices.models import Delivery, MatchWebhook
from notices.outbox import pass_on
from notices.webhooks import KINDS
from tests.fixtures.made_once import made_once
from tests.fixtures.present import START
from tests.fixtures.receiver import HOST, Receiver, Reply, Taken, TestNetwork
from tests.web.conftest import Table

pytestmark = [pytest.mark.django_db(transaction=True)]
ALL = [kind.key for kind in KINDS]
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def table(present: clock.FixedTime) -> Table:

    def make() -> Table:
        made = Table(present).open().at(25)
        pass_on()
        return made

    return made_once("passed on", make, present)


@pytest.fixture(autouse=True)
def _draw_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "png_of", lambda drawing: PNG + drawing.digest.encode())


def add(table: Table, url: str, form: str = "json", kinds: list[str] | None = None, **how: Any) -> MatchWebhook:
    return webhooks.add(table.match, table.users["dora"], url, form, kinds or ALL, **how)


def deliver(table: Table) -> None:
    pass_on()
    post_due()


def later(table: Table, present: clock.FixedTime, span: timedelta) -> None:
    present.instant += span
    post_due()


def news(taken: Taken) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(taken.body)
    return body


def texts(receiver: Receiver) -> list[str]:
    return [item["text"] for each in receiver.taken for item in news(each)["data"]["items"]]


def told(table: Table) -> list[str]:
    """What everybody was told since the webhook was there, by the feed."""
    from matches.queries.feed import feed

    return [line.text for line in reversed(feed(table.match, None, 100))]


# -- what arrives ----------------------------------------------------------------------------------


def test_a_program_gets_what_everybody_is_told_signed(table: Table, receiver: Receiver, network: TestNetwork) -> None:
    webhook = add(table, receiver.url("/hook"))
    before = told(table)
    table.bid("ann", "Z", 3).bid("bob", "Z", 5)
    deliver(table)
    assert texts(receiver) == told(table)[len(before) :]
    for taken in receiver.taken:
        with time_machine.travel(clock.now()):
            body = Webhook(webhook.details["secret"]).verify(taken.body, taken.headers)
        assert body == news(taken)
        assert taken.headers["webhook-id"] == body["data"]["id"]
    data = news(receiver.taken[-1])["data"]
    assert data["match"]["url"] == f"http://127.0.0.1:8000{table.url}"
    assert data["picture"]["url"].startswith(f"http://127.0.0.1:8000{table.url}picture.png?v=")
    assert data["headline"].startswith("Auction · ")
    assert MatchWebhook.objects.get().last_sent_at is not None
    post_due()
    deliver(table)
    assert len(receiver.taken) == 2


def test_nothing_private_is_posted(present: clock.FixedTime, receiver: Receiver, network: TestNetwork) -> None:
    table = Table(present).open().at(1)
    pass_on()
    add(table, receiver.url())
    table.bid("ann", "Z", 7)  # sealed
    deliver(table)
    assert receiver.taken == []
    table.at(25).bid("bob", "Y", 3).bid("cat", "Y", 4)  # which is told to bob as well
    deliver(table)
    private = Announcement.objects.exclude(audience="everyone")
    assert {"outbid"} <= {item.kind for item in private}
    posted = [text for text in texts(receiver) if not text.startswith("Fingerprint of everything so far: ")]
    assert posted == told(table)[-len(posted) :]
    bodies = b"".join(taken.body + str(taken.headers).encode() for taken in receiver.taken)
    assert not [item for item in private if item.token.encode() in bodies]


def test_twins_get_the_same_posts(present: clock.FixedTime, receiver: Receiver, network: TestNetwork) -> None:
    """Two matches that differ in a sealed bid: nothing tells them apart, neither contents nor order nor number."""
    seen = []
    for amount in (5, 0):
        present.instant = START
        table = Table(present).open().at(1)
        webhooks = [add(table, receiver.url(f"/{form}"), form) for form in ("json", "discord")]
        if amount:
            table.bid("ann", "Z", amount)
        pause(table.match, table.users["dora"])
        resume(table.match, table.users["dora"])
        deliver(table)
        text = b"\n".join(
            taken.path.encode() + taken.body for taken in sorted(receiver.taken, key=lambda each: each.path)
        )
        for post in Delivery.objects.filter(address__in=webhooks):
            text = text.replace(post.event_id.encode(), b"ID")
        seen.append((len(receiver.taken), text.replace(table.match.public_id.encode(), b"MATCH")))
        receiver.taken.clear()
    assert seen[0] == seen[1]
    assert seen[0][0] >= 4


# -- failing, in order, once ------------------------------------------------------------------------


def test_a_failure_holds_up_those_behind_it_and_no_other_address(
    table: Table, receiver: Receiver, network: TestNetwork, present: clock.FixedTime
) -> None:
    other = Receiver(_certificate())
    try:
        add(table, receiver.url("/fails"))
        add(table, other.url("/works"))
        receiver.replies.append(Reply(500))
        table.bid("ann", "Z", 3).bid("bob", "Z", 5)
        deliver(table)
        assert len(receiver.taken) == 1
        assert len(other.taken) == 2
        failing = MatchWebhook.objects.get(target__contains="fails")
        assert (failing.failures, failing.last_error) == (1, "The receiver answered with status 500.")
        post_due()
        assert len(receiver.taken) == 1, "it rests"
        later(table, present, PAUSES[0])
        assert [each.headers["webhook-id"] for each in receiver.taken[1:]] == [
            each.headers["webhook-id"] for each in other.taken
        ]
        assert receiver.taken[0].headers["webhook-id"] == receiver.taken[1].headers["webhook-id"]
        failing.refresh_from_db()
        assert (failing.failures, failing.last_error) == (0, "")
    finally:
        other.close()


def _certificate() -> Any:
    from tests.fixtures.receiver import certificate

    return certificate(HOST)


# -- adding ----------------------------------------------------------------------------------------


def test_a_hidden_message_hides_its_lines_and_its_picture(
    table: Table, receiver: Receiver, network: TestNetwork
) -> None:
    add(table, receiver.url(), "discord", hidden=True)
    table.bid("ann", "Z", 3)
    deliver(table)
    body = receiver.taken[0].body
    assert b'filename="SPOILER_' in body
    content = json.loads(re.search(rb"\r\n\r\n({.*?})\r\n--", body, re.DOTALL)[1])["content"]  # type: ignore[index]
    assert all(line.startswith("||") and line.endswith("||") for line in content.splitlines()[1:-1])
