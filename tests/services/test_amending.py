"""Settings of a match that runs: what changes, who learns of it, and what the log keeps."""

import pytest

from matches.engine.errors import ConfigError
from matches.models import Submission
from matches.queries.matches import Position
from matches.services import hosting
from matches.services.amending import amend_match, amendment_of, mark_of
from matches.services.commands import NotAHost
from matches.services.errors import CommandRefused, MatchFault
from matches.services.replay import verify
from tests.engine.tiny_game import TinyConfig, TinyGame
from tests.services.conftest import HOUR, Table

pytestmark = [pytest.mark.django_db]


def amend(table: Table, reason: str = "as was agreed", *, key: str = "", **given) -> None:
    amend_match(table.match, table.host, given, reason, key=key)


def last_row(table: Table) -> Submission:
    return table.match.log.latest("number")


class TestWhatChanges:
    def test_the_state_plays_by_it_and_the_stored_settings_say_so(self, present):
        table = Table(present, chips=20).open()
        amend(table, tokens=3)
        assert table.match.config == {"chips": 20, "tokens": 3}
        assert table.state.config.tokens == 3
        assert not verify(table.match)

    def test_what_is_usual_for_another_key_stays_as_it_was(self, table, monkeypatch):
        """Where a default depends on a key that changes, the match goes on with what it began with."""
        usual = TinyConfig.defaults
        more = lambda chosen: {**usual(chosen), "chips": 10 * chosen.get("tokens", 1)}  # noqa: E731
        monkeypatch.setattr(TinyConfig, "defaults", more)
        amend(table, tokens=3)
        assert (table.state.config.chips, table.state.config.tokens) == (10, 3)
        assert table.match.config == {"tokens": 3, "chips": 10}
        assert not verify(table.match)


class TestRefusals:
    @pytest.mark.parametrize(
        ("given", "key", "says"),
        [
            ({"chips": 5}, "chips", "cannot be changed once the match has begun"),
            ({"colour": "red"}, "colour", "cannot be changed"),
            ({"tokens": 6}, "tokens", "out of range"),
            ({"tokens": "2"}, "tokens", "whole number"),
            ({"closes": "1h"}, "closes", "must lie ahead"),
        ],
    )
    def test_what_cannot_be_names_its_key_and_changes_nothing(self, table, given, key, says):
        table.at(2 * HOUR)
        before = table.match.log_head
        for attempt in (lambda: amend(table, **given), lambda: amendment_of(table.match, given)):
            with pytest.raises(ConfigError, match=says) as refusal:
                attempt()
            assert refusal.value.key == key
        assert (table.match.log_head, table.match.config) == (before, {})
        assert not table.match.fault

    def test_only_its_hosts_can_and_never_who_plays_in_it(self, table, present):
        other = Table(present).open()
        for stranger in (other.host, table.users["ann"]):
            with pytest.raises(NotAHost):
                amend_match(table.match, stranger, {"tokens": 1}, "mine")
        boss = table.users["ann"]
        boss.is_superuser = True
        boss.save()
        with pytest.raises(NotAHost):
            amend_match(table.match, boss, {"tokens": 1}, "mine")
        assert table.match.config == {}

    def test_nobody_undoes_unseen_what_another_host_has_changed(self, table):
        seen = mark_of(table.match)
        amend(table, tokens=1)
        with pytest.raises(CommandRefused, match="Another host"):
            amend_match(table.match, table.host, {"tokens": 3}, "mine", seen=seen)
        assert table.match.config == {"tokens": 1}
        amend_match(table.match, table.host, {"tokens": 3}, "mine", seen=mark_of(table.match))
        assert table.match.config == {"tokens": 3}

    def test_rules_that_fail_at_it_store_nothing(self, table, monkeypatch):
        monkeypatch.setattr(TinyGame, "amend", lambda *arguments: 1 // 0)
        for attempt in (lambda: amend(table, tokens=1), lambda: amendment_of(table.match, {"tokens": 1})):
            with pytest.raises(MatchFault):
                attempt()
        assert table.match.config == {}


class TestWhoLearnsOfIt:
    def views(self, table: Table) -> list[object]:
        position = Position(table.match)
        return [position.public, *(position.private_of(player) for player in table.match.players.all())]

    def test_that_it_was_done_is_told_and_not_what(self, table):
        table.at(HOUR)
        before = self.views(table)
        amend(table, tokens=1, prize="nothing")
        assert self.views(table) == before
        told = table.match.announcements.get(audience="everyone", kind="settings_amended")
        assert set(told.data) == {"host", "reason"}
        hosting.undo(table.match, table.host, last_row(table).number)
        assert table.match.announcements.filter(audience="everyone", kind="amendment_taken_back").exists()
