"""Amending the settings of a match that runs, by its pages as a host uses them."""

import re
from datetime import timedelta
from typing import Any

import pytest

from matches.models import Match, clock
from matches.services.amending import amend_match
from matches.services.hosting import publish
from matches.services.replay import verify
from tests.admin.conftest import Console, text_of, tiny_draft

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
    page = text_of(console.client.post(f"{console.address}/do/amend/", typed, follow=True))
    if not confirm:
        return page
    assert "What will happen" in page, page
    return text_of(console.client.post(f"{console.address}/do/amend/", _inputs(page) | {"_confirm": "1"}, follow=True))


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


def error_at(page: str, name: str) -> str:
    found = re.search(rf'id="id_{name}_error">(.*?)</div>', page, re.DOTALL)
    assert found is not None, page
    return found[1]


class TestTheConfirmation:
    def test_it_says_what_changes_and_who_learns_of_it(self, console: Console, table: Match) -> None:
        page = send(console, tokens="1", prize="nothing")
        assert "Tokens of Life for each winner: 2 → 1" in page
        assert "What the winner earns: garnet → nothing" in page
        assert "Players see none of this until the match itself makes it public" in page
        assert "“as agreed”" in page
        assert stored(table) == {"chips": 20}

    def test_confirmed_it_is_done_and_stands_in_the_log(self, console: Console, table: Match) -> None:
        page = send(console, confirm=True, tokens="1", prize="nothing")
        assert "You have amended the settings." in page
        assert "Amended the settings (prize: garnet → nothing; tokens: 2 → 1): as agreed" in page
        assert stored(table) == {"chips": 20, "tokens": 1, "prize": "nothing"}
        assert verify(table) == []


WRONG = [
    ("tokens", "9", "less than or equal to 5"),
    ("tokens", "x", "Enter a whole number from 0 to 5."),
    ("closes", "soon", "'soon' is not a time"),
    ("closes", "30s", "Must lie ahead of the present moment."),
    ("prize", "gold", "Please choose one of those shown."),
]


class TestRefusals:
    def test_what_is_wrong_is_told_at_its_field(self, console: Console, table: Match) -> None:
        with clock.fixed(clock.now() + timedelta(minutes=1)):
            for name, typed, said in WRONG:
                for confirmed in ({}, {"_confirm": "1"}):
                    assert said in error_at(send(console, **{name: typed}, **confirmed), f"config-{name}")
                assert stored(table) == {"chips": 20}

    def test_what_another_host_has_changed_since_is_not_undone_unseen(
        self, console: Console, table: Match, host: Any
    ) -> None:
        """Neither from the form nor from the page that asks whether one means it; then what is typed can go on."""
        form = _inputs(text_of(console.client.get(f"{console.address}/do/amend/")))
        asked = _inputs(send(console, tokens="3"))
        amend_match(table, host, {"tokens": 4}, "first")
        for typed in (form | {"config-tokens": "3", "reason": "mine"}, asked | {"_confirm": "1"}):
            page = text_of(console.client.post(f"{console.address}/do/amend/", typed))
            assert "Another host has changed the settings" in page
            assert stored(table)["tokens"] == 4
        again = text_of(console.client.post(f"{console.address}/do/amend/", _inputs(page)))
        assert "What will happen" in again
        console.client.post(f"{console.address}/do/amend/", _inputs(again) | {"_confirm": "1"})
        assert stored(table)["tokens"] == 3

    def test_a_match_without_such_settings_or_that_does_not_run_says_so(
        self, console: Console, running: Match, host: Any, tiny: None
    ) -> None:
        page = text_of(console.client.get(f"{console.address}/do/amend/", follow=True))
        assert "“Amend settings” is not possible now" in page
        assert f"{console.address}/do/amend/" not in console.page()
        tiny_draft(console, host)
        page = text_of(console.client.get(f"{console.address}/do/amend/", follow=True))
        assert "“Amend settings” is not possible now: the match is draft." in page
