"""At a practice table, who has won a round places next: the page must not lead them past it."""

import pytest
from django.test import Client

from matches.models import clock

TABLE = "/games/black_and_white/practice/"


def test_a_number_that_is_due_again_is_asked_for_before_next(
    db: None, present: clock.FixedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("practice.services.new_seed", lambda: bytes(32).hex())
    visitor = Client()
    asked = {}
    for number in (98, 1):  # after the bot's number: one wins and leads, the other waits for the bot
        visitor.post(TABLE, {"do": "begin"})
        assert b"Ada has placed" in visitor.get(TABLE).content
        page = visitor.post(TABLE, {"type": "place", "points": number}, follow=True).content.decode()
        asked[number] = ("asked--due" in page, '<button type="submit" name="do" value="on">' in page)
    assert asked == {98: (True, False), 1: (False, True)}
