"""The head of a log is published at every close, tells nothing, and finds a log that was rewritten as a whole."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from matches.models import Match, OutboxRow, Submission, clock
from matches.queries.match_info import Fingerprint, info_of
from matches.services import hosting
from matches.services.replay import verify
from notices import webhooks
from notices.channels.base import Outgoing
from notices.models import Address, Delivery, Notice
from notices.outbox import pass_on
from notices.webhooks import KINDS, on_outbox
from tests.fixtures.present import START
from tests.services.conftest import DAY, HOUR, Table
from tests.web.conftest import Table as RealTable

pytestmark = pytest.mark.django_db


def head_shown(table: Table) -> str:
    return table.match.closed_head


def close(table: Table) -> None:
    table.at(25 * HOUR).advance()


def _address(table: RealTable) -> Address:
    return Address(user=table.users["ann"], channel="email", target="ann@example.org")


def rewrite(match: Match) -> None:
    """A new chain over a log in which nobody has sealed anything: as whoever runs the database might make it."""
    match.log.filter(kind="action").update(message="never mind")
    previous, shown = "", ""
    for row in match.log.select_related("player").order_by("number"):
        row.previous_hash = previous
        row.hash = previous = row.row_hash()
        row.save(update_fields=["previous_hash", "hash"])
        shown = row.hash if row.kind == Submission.Kind.DEADLINE else shown
    Match.objects.filter(pk=match.pk).update(log_head=previous, closed_head=shown)


def test_the_head_is_shown_at_a_close_and_does_not_change_when_somebody_seals(table: Table) -> None:
    table.act("ann", "bid", amount=3)
    assert head_shown(table) == ""
    close(table)
    shown = head_shown(table)
    assert shown == table.match.log.filter(kind="deadline").latest("number").hash
    assert info_of(table.match).fingerprint == Fingerprint(shown, START + DAY)
    hosting.pause(table.match, table.host, "lunch")
    assert head_shown(table) == shown
    assert verify(table.match) == []


@pytest.mark.parametrize("has_begun", [True, False])
def test_cancelling_shows_the_head_that_the_log_has_in_the_end(present: clock.FixedTime, has_begun: bool) -> None:
    table = Table(present)
    if has_begun:
        table.open().act("ann", "bid", amount=3)
    else:
        hosting.publish(table.match, table.host, START + DAY)
    present.instant += HOUR
    hosting.cancel(table.match, table.host, "storm")
    cancelled = table.match.log.latest("number")
    assert '"cancel"' in cancelled.payload
    assert info_of(table.match).fingerprint == Fingerprint(cancelled.hash, START + HOUR)
    assert verify(table.match) == []


def test_that_of_a_cancelled_match_is_told_everywhere(present: clock.FixedTime) -> None:
    table = RealTable(present).open()
    webhooks.add(table.match, table.users["dora"], "https://hooks.example.org/x", "json", [kind.key for kind in KINDS])
    hosting.cancel(table.match, table.users["dora"], "storm")
    said = f"Fingerprint of everything so far: {table.match.closed_head}"
    assert table.match.closed_head in Client().get(f"{table.url}log/").content.decode()
    assert said in Client().get(f"{table.url}feed.atom").content.decode()
    on_outbox(list(OutboxRow.objects.all()))()
    assert {"kind": "fingerprint", "text": said} in [item for post in Delivery.objects.all() for item in post.items]
    pass_on()
    outgoing = Outgoing.of([Delivery(notice=Notice.objects.latest("pk"), address=_address(table))])
    assert outgoing.items[0].head == table.match.closed_head


def test_two_matches_with_the_same_content_have_different_heads(present: clock.FixedTime) -> None:
    """So nobody can try out what was sealed until the hash fits: every row has salt of its own."""
    heads = set()
    for _ in range(2):
        present.instant = START
        table = Table(present).open()
        close(table)
        row = table.match.log.get(hash=head_shown(table))
        assert len(row.salt) == len(row.inner_salt) == 32
        heads.add(row.hash)
    assert len(heads) == 2


class TestALogThatWasWrittenAnew:
    @pytest.fixture
    def published(self, table: Table) -> str:
        table.act("ann", "bid", amount=3)
        close(table)
        return head_shown(table)

    def verified(self, table: Table, *heads: str) -> str:
        said = StringIO()
        call_command("verify", table.match.public_id, head=list(heads), stdout=said)
        return said.getvalue()

    def test_does_not_contain_it_any_more(self, table: Table, published: str) -> None:
        rewrite(table.match)
        assert verify(table.match) == []  # by itself it is perfect
        with pytest.raises(CommandError, match="1 of 1"):
            self.verified(table, published)

    def test_is_found_even_if_nothing_is_left_of_the_match(self, table: Table, published: str) -> None:
        Match.objects.filter(pk=table.match_id).update(log_head="", log_count=0, state="", status="draft")
        with pytest.raises(CommandError, match="Differs from its log"):
            self.verified(table, published)

    @pytest.mark.parametrize("heads", [["abc"], ["f" * 64, ""]])
    def test_a_head_that_is_too_short_is_refused(self, table: Table, heads: list[str]) -> None:
        with pytest.raises(CommandError, match="at least 16"):
            self.verified(table, *heads)

    def test_a_head_is_of_one_log(self, published: str) -> None:
        with pytest.raises(CommandError, match="one match"):
            call_command("verify", head=[published])
