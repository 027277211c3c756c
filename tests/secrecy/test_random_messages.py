"""What is sent to people does not depend on what others do in secret: random pairs of matches, `test_random_twins`
without the pages. `NOTICES_TWINS=5000` compares that many deliveries; a failed pair is named."""

import os
from functools import partial
from itertools import count, islice
from typing import Any

import pytest

from matches.models import Match, clock
from matches.services import hosting
from notices.outbox import _Telling
from tests.secrecy import mailbox
from tests.secrecy.random_twins import HOST, PlayedTable, random_twins
from tests.secrecy.site import MESSAGES, Twins, unlike_pages
from tests.secrecy.test_random_twins import control, subject_of

pytestmark = pytest.mark.django_db

DELIVERIES = int(os.environ.get("NOTICES_TWINS", 60))


def pauses_and_goes_on(table: PlayedTable) -> None:
    """Of which everybody is told."""
    if table.match.status == Match.Status.OPEN:
        hosting.pause(table.match, table.users[HOST], "Lunch")
        hosting.resume(table.match, table.users[HOST])


LATER = (pauses_and_goes_on, partial(PlayedTable.wait, part=0.9))
"""After the secret, in both worlds; and before the deadline those who have sent nothing are reminded."""


def unlike(present: clock.FixedTime, pair: str, twins: Twins[PlayedTable]) -> list[tuple[str, str]]:
    longer = twins._replace(one=[*twins.one, *LATER], other=[*twins.other, *LATER])
    return unlike_pages(lambda _: PlayedTable(present, subject_of(pair), pair), longer, only=(MESSAGES,))


def test_nobody_is_sent_anything_of_what_somebody_else_has_done_in_secret(
    present: clock.FixedTime, pytestconfig: pytest.Config
) -> None:
    enough = mailbox.compared["delivery"] + 2 * DELIVERIES  # each with its twin
    for number in count():
        pair = f"{pytestconfig.option.hypothesis_seed}-{number}"
        assert unlike(present, pair, random_twins(subject_of(pair), pair)) == [], pair
        if mailbox.compared["delivery"] >= enough:
            break


def test_control_a_text_that_counts_what_was_done_in_secret_is_found(
    present: clock.FixedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = _Telling._line

    def counting(telling: _Telling, item: Any) -> str:
        return f"{line(telling, item)} ({telling._match.log_count})"

    monkeypatch.setattr(_Telling, "_line", counting)
    pairs = islice(control("seals"), 4)
    assert any(unlike(present, pair, twins) for pair, _, twins in pairs)
