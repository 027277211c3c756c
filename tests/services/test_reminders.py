"""Reminding those from whom the match waits for something: once in six hours, and nobody else hears of it."""

from datetime import timedelta

import msgspec
import pytest

from matches.engine.match_time import seconds
from matches.engine.views import Ask
from matches.queries.feed import feed
from matches.queries.host_acts import host_act_rows
from matches.services import hosting
from matches.services.errors import CommandRefused
from matches.services.replay import verify
from tests.engine.tiny_game import TinyGame
from tests.services.conftest import DAY, HOUR, told_alone

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def _asks_for_bids(monkeypatch):
    """The tiny game asks for a sealed bid until there is one."""
    usual = TinyGame.private_view

    def asking(self, state, player, now=None):
        view = usual(self, state, player, now)
        is_over = now is not None and now >= state.config.closes
        if state.core.phase == "running" and player not in state.box and not is_over:
            return msgspec.structs.replace(view, asked=(Ask("bid", "You can bid.", seconds(state.config.closes)),))
        return view

    monkeypatch.setattr(TinyGame, "private_view", asking)
    monkeypatch.setattr(
        TinyGame, "sealed", lambda self, state: dict(state.box) if state.core.phase == "running" else None
    )


def remind(table, **how):
    return hosting.remind(table.match, table.host, **how)


def reminded(table, handle):
    return [line.text for line in feed(table.match, table.player(handle)) if line.kind == "reminded"]


def test_those_who_have_not_submitted_are_told_and_nobody_else(table):
    table.at(HOUR).act("bob", "bid", amount=1)
    versions = table.match.public_version, table.player("bob").version
    assert [player.handle for player in hosting.who_is_missing(table.match)] == ["ann", "cat"]
    assert remind(table) == ["ann", "cat"]
    host = table.host.username
    assert reminded(table, "ann") == [
        f"The host {host} reminds you: the match is waiting for you until Mon 2 Mar, 14:00 UTC."
    ]
    assert reminded(table, "bob") == []
    assert [line.kind for line in told_alone(table.users["cat"])] == ["reminded"]
    assert (table.match.public_version, table.player("bob").version) == versions
    assert verify(table.match) == []


def test_the_log_does_not_say_whom_it_concerned_and_the_list_of_acts_nothing_until_the_end(table):
    table.at(HOUR).act("bob", "bid", amount=1)
    remind(table)
    assert table.match.log.last().payload == '{"command":"remind"}'
    assert "remind" not in "".join(host_act_rows(table.match).values_list("payload", flat=True))
    table.at(9 * DAY).advance()
    assert table.match.is_over
    assert "remind" in "".join(host_act_rows(table.match).values_list("payload", flat=True))


def test_once_in_six_hours(table):
    remind(table.at(HOUR))
    table.at(7 * HOUR - timedelta(microseconds=1))
    with pytest.raises(CommandRefused, match="You can send another on"):
        remind(table)
    assert hosting.next_reminder(table.match) == table.present.instant + timedelta(microseconds=1)
    assert remind(table.at(7 * HOUR)) == ["ann", "bob", "cat"]
    assert len(reminded(table, "ann")) == 2
