"""From an announcement to notices: once for each person, and nothing lost."""

import pytest

from matches.models import OutboxRow
from matches.services import hosting
from notices import outbox
from notices.deliveries import send_due
from notices.models import Delivery, Notice
from notices.outbox import pass_on
from tests.notices.conftest import Reached

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def test_nothing_is_told_twice(reached: Reached) -> None:
    reached.open()
    hosting.pause(reached.match, reached.host, "Lunch")
    rows = list(OutboxRow.objects.values("match_id", "submission_id"))
    assert len(reached.notices("ann")) == 2
    OutboxRow.objects.bulk_create(OutboxRow(**row) for row in rows)
    assert len(reached.notices("ann")) == 2


def test_of_two_processes_one_passes_a_row_on(reached: Reached) -> None:
    reached.open()
    rows = list(OutboxRow.objects.all())
    outbox._pass_on(rows)
    with pytest.raises(outbox._TakenByAnother):
        outbox._pass_on(rows)
    assert Notice.objects.filter(user=reached.users["ann"]).count() == 1


def test_what_cannot_be_stored_stays_in_the_outbox(reached: Reached, monkeypatch) -> None:
    reached.open()

    def failing(notices: object) -> None:
        raise RuntimeError("the database is away")

    with monkeypatch.context() as patch:
        patch.setattr(outbox, "store", failing)
        with pytest.raises(RuntimeError):
            pass_on()
    assert len(reached.notices("ann")) == 1


def test_a_row_that_cannot_be_put_into_words_keeps_the_others_from_nobody(reached: Reached, monkeypatch) -> None:
    reached.open()
    hosting.pause(reached.match, reached.host, "Lunch")
    line = outbox.notices_of.__globals__["feed_line"]

    def failing(match, item, names):
        if item.kind == "match_opened":
            raise RuntimeError("no words")
        return line(match, item, names)

    monkeypatch.setitem(outbox.notices_of.__globals__, "feed_line", failing)
    assert [notice.event for notice in reached.notices("ann")] == ["paused"]
    assert not OutboxRow.objects.exists()


def test_a_mail_server_that_is_away_is_asked_again_after_growing_pauses(reached: Reached, present, settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_PORT = 1  # nobody listens there
    reached.open()
    pass_on()
    tries = 0
    while Delivery.objects.filter(status="waiting").exists():
        tries += 1
        send_due()
        present.instant = max(Delivery.objects.values_list("due_at", flat=True))
    assert tries == 7
    assert set(Delivery.objects.values_list("status", flat=True)) == {"failed"}
    assert "could not reach" in Delivery.objects.first().last_error
