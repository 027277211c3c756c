"""What hosts write, everybody reads: it can be seen, and it does not turn the line around it."""

from __future__ import annotations

import pytest

from matches.models import Match
from tests.admin.conftest import Console, settings_form, text_of

UNSEEN = "Please use visible characters only"
TURNED = "\u202egnorw"


@pytest.mark.parametrize("reason", ["\u200b", TURNED])
@pytest.mark.parametrize("command", ["pause", "cancel", "extend", "close"])
def test_a_reason_can_be_read(console: Console, running: Match, command: str, reason: str) -> None:
    page = console.ask(command, reason=reason, by="2h", _confirm="1")
    assert UNSEEN in page
    running.refresh_from_db()
    assert running.status == Match.Status.OPEN


def test_a_sealed_submission_is_not_opened_for_no_reason(console: Console, running: Match) -> None:
    player = running.players.first()
    assert player is not None
    assert UNSEEN in console.ask("peek", player=player.pk, reason="\u200b", _confirm="1")
    assert not running.log.filter(payload__contains="peek").exists()


def test_a_title_and_a_description_can_be_read(console: Console) -> None:
    for fields in ({"title": "\u200b"}, {"title": TURNED}, {"description": TURNED}):
        answer = console.client.post("/admin/matches/match/add/", {**settings_form(title="Night table"), **fields})
        assert UNSEEN in text_of(answer), fields
    assert not Match.objects.exists()
