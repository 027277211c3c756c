"""What becomes of a player's notices when somebody else gets their place."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail

from accounts.models import User
from matches.models import Match
from matches.services import hosting
from matches.services.hosting import announcements
from notices import outbox
from notices.deliveries import send_due
from notices.models import Delivery, Notice
from notices.outbox import notices_of, pass_on
from notices.reading import mark_read
from tests.notices.conftest import Reached
from tests.services.conftest import person

pytestmark = [pytest.mark.django_db]


def newcomer() -> User:
    eve = person("eve")
    EmailAddress.objects.create(user=eve, email=eve.email, verified=True, primary=True)
    return eve


def of(user: User) -> list[str]:
    return list(Notice.objects.filter(user=user).order_by("pk").values_list("event", flat=True))


def test_what_nobody_has_read_goes_to_the_newcomer_and_nothing_stays(reached: Reached) -> None:
    ann, eve = reached.users["ann"], newcomer()
    reached.open()
    pass_on()
    mark_read(ann)
    hosting.correct_balance(reached.match, reached.host, reached.player("ann"), "garnet", 2, "A gift.")
    announcements.announce(reached.match, reached.host, "clarification", "Bids are whole.")  # this can wait
    pass_on()
    hosting.correct_balance(reached.match, reached.host, reached.player("ann"), "garnet", 1, "Not passed on yet.")
    assert of(ann) == ["opened", "corrected", "clarified"]

    hosting.substitute(reached.match, reached.host, reached.player("ann"), eve)
    assert (of(ann), of(eve)) == (["replaced"], ["corrected", "clarified"])
    pass_on()
    assert of(ann) == ["replaced"]
    assert of(eve) == ["corrected", "clarified", "corrected", "added"]
    waiting = Delivery.objects.filter(status=Delivery.Status.WAITING)
    assert waiting.filter(notice__user=ann).count() == 1
    assert not waiting.filter(notice__user=ann).exclude(notice__event="replaced").exists()
    assert not waiting.exclude(address__user=ann, notice__user=ann).filter(address__user=ann).exists()
    send_due()
    (farewell,) = [letter for letter in mail.outbox if letter.to == [ann.email]]
    assert "From now on eve plays in your place." in farewell.body
    assert [letter for letter in mail.outbox if letter.to == [eve.email]]


def test_what_is_put_into_words_at_that_moment_is_told_to_the_newcomer(reached: Reached, monkeypatch) -> None:
    """The place changes hands between the reading of the outbox and the storing of what came of it."""
    ann, eve = reached.users["ann"], newcomer()
    reached.open()
    pass_on()
    hosting.correct_balance(reached.match, reached.host, reached.player("ann"), "garnet", 2, "A gift.")
    changes = [lambda: hosting.substitute(reached.match, reached.host, reached.player("ann"), eve)]

    def late(rows):
        found = notices_of(rows)
        if changes:
            changes.pop()()
        return found

    monkeypatch.setattr(outbox, "notices_of", late)
    pass_on()
    assert of(ann) == ["replaced"]
    assert of(eve) == ["opened", "corrected", "added"]


def test_what_was_stored_for_the_leaver_all_the_same_is_never_sent(reached: Reached, monkeypatch) -> None:
    """As if the check before it had come a moment too early; the change itself is passed on after it, and mends it."""
    ann, eve = reached.users["ann"], newcomer()
    reached.open()
    hosting.substitute(reached.match, reached.host, reached.player("ann"), eve)
    late = Notice.objects.create(
        user=ann,
        match=Match.objects.get(pk=reached.match_id),
        source="log:0",
        event="outbid",
        title="You have been outbid",
        text="By 3 to 2.",
        url="/",
        at=reached.present.instant,
    )
    outbox.plan([late], reached.present.instant)
    send_due()
    assert late.deliveries.get().status == Delivery.Status.DROPPED
    assert not [letter for letter in mail.outbox if "outbid" in letter.subject]
    pass_on()
    assert of(ann) == ["replaced"]
    assert "outbid" in of(eve)
