"""The page on which hosts look after the webhooks of a match."""

from typing import Any

import pytest

from accounts import deletion
from matches.models import MatchRole, Role, clock
from notices import webhooks
from notices.models import Delivery, MatchWebhook, Notice
from notices.webhooks import KINDS
from tests.fixtures.made_once import made_once
from tests.services.conftest import person
from tests.web.conftest import Table, browser

pytestmark = pytest.mark.django_db
URL = "https://hooks.example.org/api/webhooks/17/secret-part-wxyz"


@pytest.fixture
def table(present: clock.FixedTime) -> Table:
    return made_once("with webhooks", lambda: Table(present).open().at(25), present)


def page(table: Table) -> str:
    return f"{table.url}webhooks/"


def added(table: Table) -> MatchWebhook:
    return webhooks.add(table.match, table.users["dora"], URL, "discord", [kind.key for kind in KINDS])


def send(table: Table, who: str = "dora", **fields: Any) -> Any:
    usual = {"url": URL, "form": "discord", "kinds": ["match", "rounds"]}
    return browser(table.users[who]).post(page(table), {**usual, **fields})


def test_a_host_adds_an_address(table: Table) -> None:
    assert send(table).status_code == 302
    webhook = MatchWebhook.objects.get()
    assert (webhook.target, webhook.details["kinds"], webhook.created_by) == (
        URL,
        ["match", "rounds"],
        table.users["dora"],
    )
    shown = browser(table.users["dora"]).look(page(table))
    assert "hooks.example.org" in shown
    assert "secret-part" not in shown, "whoever sees the page over a shoulder could post there"
    assert webhook.details["secret"] not in shown, "nobody checks a signature at Discord"
    assert "by dora" in shown


def test_the_buttons_do_what_they_say(table: Table) -> None:
    webhook, host = added(table), browser(table.users["dora"])
    assert "webhooks/" in host.look(table.url)
    for _ in range(5):
        assert host.post(f"{page(table)}{webhook.token}/test/").status_code == 302
    assert Delivery.objects.count() == 3, "no more than three tests wait"
    assert host.look(page(table)).count("This is a test: news will arrive here.") == 3
    MatchWebhook.objects.update(stopped_at=clock.now(), last_error="The receiver says that it is gone.")
    shown = host.look(page(table))
    assert "stopped" in shown
    assert "The receiver says that it is gone." in shown
    assert host.post(f"{page(table)}{webhook.token}/test/").status_code == 302
    assert Delivery.objects.count() == 3
    host.post(f"{page(table)}{webhook.token}/start/")
    assert MatchWebhook.objects.get().stopped_at is None
    host.post(f"{page(table)}{webhook.token}/remove/")
    assert not MatchWebhook.objects.exists()
    for act in ("remove", "nonsense"):
        assert host.post(f"{page(table)}{webhook.token}/{act}/").status_code == 404
    assert host.get(f"{page(table)}{webhook.token}/test/").status_code == 405


def test_a_webhook_of_another_match_is_not_theirs(table: Table, present: clock.FixedTime) -> None:
    webhook = added(table)
    other = Table(present)
    answer = browser(other.users["dora"]).post(f"{page(other)}{webhook.token}/remove/")
    assert answer.status_code == 404
    assert MatchWebhook.objects.exists()


# -- the host who added it deletes their account -----------------------------------------------------


@pytest.fixture
def left(table: Table) -> MatchWebhook:
    """dora has added an address, for which something waits, and deletes her account; fay goes on hosting."""
    fay = person("fay")
    MatchRole.objects.filter(match=table.match, user=table.users["dora"]).update(role=Role.COHOST)
    MatchRole.objects.update_or_create(match=table.match, user=fay, defaults={"role": Role.OWNER})
    webhook = added(table)
    webhooks.send_test(table.match, webhook.token, table.users["dora"])
    deletion.delete(table.users["dora"])
    webhook.refresh_from_db()
    return webhook


def test_it_stops_and_the_other_hosts_are_told(table: Table, left: MatchWebhook) -> None:
    assert left.stopped_at is not None
    assert left.created_by is None
    assert left.deliveries.get().status == "failed"
    (notice,) = Notice.objects.filter(event="webhook_stopped")
    assert notice.user.username == "fay"
    assert "the webhook at hooks.example.org" in notice.text
    assert "secret-part" not in notice.text
    fay = browser(notice.user)
    assert "has deleted their account" in fay.look(notice.url)
    assert "The site will post nothing more to the webhook" in fay.look("/notices/")
