"""Amending the settings of a match that runs, by its pages as a host uses them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from matches.engine.errors import ConfigError
from matches.models import Match, Submission
from matches.services.amending import amend_match
from matches.services.hosting import publish
from matches.services.replay import verify
from tests.admin.conftest import Console, browser_of, text_of, tiny_draft
from tests.engine.tiny_game import TinyGame

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(console: Console, host: Any, tiny: None) -> Match:
    """A match of the tiny game that has just begun, with 20 chips each."""
    match = tiny_draft(console, host, chips=20)
    publish(match, host)
    return match


def send(console: Console, *, confirm: bool = False, **fields: Any) -> str:
    """The form sent as a browser sends it: every field is there. The page that follows."""
    typed = {"config-closes": "", "config-tokens": "", "config-prize": "", "reason": "as agreed"}
    typed |= {name if name.startswith("_") or name == "reason" else f"config-{name}": v for name, v in fields.items()}
    page = text_of(console.client.post(f"{console.address}/amend/", typed, follow=True))
    if not confirm:
        return page
    assert "What will happen" in page, page
    return text_of(console.client.post(f"{console.address}/amend/", _inputs(page) | {"_confirm": "1"}, follow=True))


def _inputs(page: str) -> dict[str, str]:
    """What the form on a page would send, but for its buttons."""
    form = page[page.index("<form method") :]
    found = {}
    for tag in re.findall(r"<input [^>]+>", form):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if "name" in attributes and attributes.get("type") != "submit":
            found[attributes["name"]] = attributes.get("value", "")
    for name, options in re.findall(r'<select name="([^"]+)".*?>(.*?)</select>', form, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', options)
        found[name] = chosen[1] if chosen else ""
    return found


def stored(match: Match) -> dict[str, Any]:
    match.refresh_from_db()
    return dict(match.config)


def _note(monkeypatch: pytest.MonkeyPatch, note: Callable[[Any], str]) -> None:
    monkeypatch.setattr(TinyGame, "amendments", msgspec.structs.replace(TinyGame.amendments, note=note))


def error_at(page: str, name: str) -> str:
    found = re.search(rf'id="id_{name}_error">(.*?)</div>', page, re.DOTALL)
    assert found is not None, page
    return found[1]


class TestTheForm:
    def test_it_asks_for_what_may_change_and_for_nothing_else(self, console: Console, table: Match) -> None:
        page = text_of(console.client.get(f"{console.address}/amend/"))
        assert set(re.findall(r'name="config-(\w+)"', page)) == {"closes", "tokens", "prize"}
        assert "sold" not in page

    def test_the_console_leads_to_it(self, console: Console, table: Match) -> None:
        assert f"{console.address}/amend/" in console.page()

    def test_a_note_of_the_game_stands_above_the_fields(
        self, console: Console, table: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _note(monkeypatch, lambda state: f"{state.config.chips} chips are out.")
        assert "20 chips are out." in text_of(console.client.get(f"{console.address}/amend/"))

    def test_updating_it_scolds_nobody_and_keeps_what_was_typed(self, console: Console, table: Match) -> None:
        page = send(console, tokens="x", closes="40h", reason="", _update="1")
        assert "field__error" not in page
        assert 'value="40h"' in page


class TestTheConfirmation:
    def test_it_says_what_changes_and_who_learns_of_it(self, console: Console, table: Match) -> None:
        page = send(console, tokens="1", prize="nothing")
        assert "Tokens of Life for each winner: 2 → 1" in page
        assert "What the winner earns: garnet → nothing" in page
        assert "Players see nothing of it until the match makes it public" in page
        assert "“as agreed”" in page
        assert stored(table) == {"chips": 20}

    def test_a_deadline_that_moves_is_named(self, console: Console, table: Match) -> None:
        page = send(console, closes="36h")
        assert "The next deadline is then Mon 19 May, 01:00 UTC (03:00 your time)." in page
        assert "their pages show it at once" in page

    def test_confirmed_it_is_done_and_stands_in_the_log(self, console: Console, table: Match) -> None:
        page = send(console, confirm=True, tokens="1", prize="nothing")
        assert "The settings are amended." in page
        assert "Amended the settings (prize: garnet → nothing; tokens: 2 → 1): as agreed" in page
        assert stored(table) == {"chips": 20, "tokens": 1, "prize": "nothing"}
        assert verify(table) == []

    def test_one_can_go_back_and_change_it(self, console: Console, table: Match) -> None:
        inputs = _inputs(send(console, tokens="1"))
        page = text_of(console.client.post(f"{console.address}/amend/", inputs | {"_back": "1"}))
        assert re.search(r'name="config-tokens" value="1"', page)
        assert 'value="as agreed"' in page
        assert stored(table) == {"chips": 20}

    def test_confirming_twice_amends_once(self, console: Console, table: Match) -> None:
        confirmed = _inputs(send(console, tokens="1")) | {"_confirm": "1"}
        for _ in range(2):
            answer = console.client.post(f"{console.address}/amend/", confirmed, follow=True)
            assert answer.status_code == 200
        assert Submission.objects.filter(payload__contains='"command":"amend"').count() == 1


class TestRefusals:
    @pytest.mark.parametrize(
        ("name", "typed", "said"),
        [
            ("tokens", "9", "less than or equal to 5"),
            ("tokens", "x", "Enter a whole number from 0 to 5."),
            ("closes", "soon", "'soon' is not a time"),
            ("closes", "0", "Must lie ahead of the present moment."),
            ("prize", "gold", "That cannot be chosen here."),
        ],
    )
    def test_what_is_wrong_is_told_at_its_field(
        self, console: Console, table: Match, name: str, typed: str, said: str
    ) -> None:
        for confirmed in ({}, {"_confirm": "1"}):
            assert said in error_at(send(console, **{name: typed}, **confirmed), f"config-{name}")
        assert stored(table) == {"chips": 20}

    def test_a_path_leads_to_its_field(self, console: Console, table: Match, monkeypatch: pytest.MonkeyPatch) -> None:
        def late(*arguments: Any) -> Any:
            raise ConfigError("tokens[2].gold", "round 2 has begun")

        monkeypatch.setattr(TinyGame, "amend", late)
        assert "Round 2 has begun." in error_at(send(console, tokens="1"), "config-tokens")

    def test_it_needs_a_reason(self, console: Console, table: Match) -> None:
        assert "Say why the settings change" in error_at(send(console, tokens="1", reason=" "), "reason")

    def test_nothing_new_is_told(self, console: Console, table: Match) -> None:
        assert "nothing would change" in send(console, tokens="2")

    def test_what_has_begun_since_the_form_was_looked_at_is_told_at_its_field(
        self, clock: Any, console: Console, host: Any, tiny: None
    ) -> None:
        poll = {"key": "ec", "kind": "vote", "deciders": ["ann"], "options": ["bob", "cat"]}
        table = tiny_draft(console, host, ending={"polls": [poll]})
        publish(table, host)
        confirmed = _inputs(send(console, tokens="1")) | {"_confirm": "1"}
        clock.shift(timedelta(hours=24))
        page = text_of(console.client.post(f"{console.address}/amend/", confirmed, follow=True))
        assert "The lot is sold already." in error_at(page, "config-tokens")
        assert "The lot is sold, so nothing can be changed any more." in page
        assert "tokens" not in stored(table)

    def test_what_another_host_has_changed_since_is_not_undone_unseen(
        self, console: Console, table: Match, host: Any
    ) -> None:
        """Neither from the form nor from the page that asks whether one means it; then what is typed can go on."""
        form = _inputs(text_of(console.client.get(f"{console.address}/amend/")))
        asked = _inputs(send(console, tokens="3"))
        amend_match(table, host, {"tokens": 4}, "first")
        for typed in (form | {"config-tokens": "3", "reason": "mine"}, asked | {"_confirm": "1"}):
            page = text_of(console.client.post(f"{console.address}/amend/", typed))
            assert "Another host has changed the settings" in page
            assert stored(table)["tokens"] == 4
        again = text_of(console.client.post(f"{console.address}/amend/", _inputs(page)))
        assert "What will happen" in again
        console.client.post(f"{console.address}/amend/", _inputs(again) | {"_confirm": "1"})
        assert stored(table)["tokens"] == 3

    def test_a_match_that_has_ended_since_says_so(self, console: Console, table: Match, later: Any) -> None:
        confirmed = _inputs(send(console, tokens="1")) | {"_confirm": "1"}
        later(hours=24)
        page = text_of(console.client.post(f"{console.address}/amend/", confirmed, follow=True))
        assert "this match is finished" in page

    def test_rules_that_fail_are_told_and_no_error_page(
        self, console: Console, table: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(TinyGame, "amend", lambda *arguments: 1 // 0)
        _note(monkeypatch, lambda state: str(1 // 0))
        assert "The rules of this match failed at that." in text_of(console.client.get(f"{console.address}/amend/"))
        assert "The rules of this match failed at that." in send(console, tokens="1")

    def test_a_match_without_such_settings_or_that_does_not_run_says_so(
        self, console: Console, running: Match, host: Any, tiny: None
    ) -> None:
        page = text_of(console.client.get(f"{console.address}/amend/", follow=True))
        assert "no setting can be changed once it has begun" in page
        assert f"{console.address}/amend/" not in console.page()
        tiny_draft(console, host)
        page = text_of(console.client.get(f"{console.address}/amend/", follow=True))
        assert "Settings can be amended only while a match runs; this match is draft." in page

    def test_it_is_for_the_hosts_of_the_match(self, console: Console, table: Match, other_host: Any) -> None:
        typed = {"config-tokens": "1", "reason": "mine", "_confirm": "1"}
        assert browser_of(other_host).get(f"{console.address}/amend/").status_code == 404
        assert browser_of(other_host).post(f"{console.address}/amend/", typed).status_code == 404
        assert stored(table) == {"chips": 20}


class TestItsPreview:
    def test_what_is_typed_is_shown_and_not_stored(self, console: Console, table: Match) -> None:
        page = send(console, closes="36h", _preview="1")
        assert "Nothing of what you typed is saved yet" in page
        assert f"running until {36 * 3600}" in page
        assert "after 36 h" in page
        assert stored(table) == {"chips": 20}

    def test_from_there_one_comes_back_to_the_form(self, console: Console, table: Match) -> None:
        inputs = _inputs(send(console, closes="36h", _preview="1"))
        page = text_of(console.client.post(f"{console.address}/amend/", inputs | {"_update": "1"}))
        assert re.search(r'name="config-closes" value="36h"', page)
        assert 'value="as agreed"' in page

    def test_what_cannot_be_amended_is_told_instead(self, console: Console, table: Match) -> None:
        assert "Must lie ahead" in error_at(send(console, closes="0", _preview="1"), "config-closes")
