"""The console's HTML obeys the strict policy, and belongs to nobody else's cache."""

import re
from typing import Any

import pytest

from matches.models import Match
from tests.admin.conftest import Console
from tests.fixtures.any_game import SLUG

pytestmark = pytest.mark.django_db


def pages(console: Console, match: Match) -> list[Any]:
    addresses = [
        "/admin/",
        "/admin/matches/",
        "/admin/matches/match/",
        "/admin/matches/match/add/",
        f"/admin/matches/match/add/?game={SLUG}",
        f"{console.address}/change/",
        *(f"{console.address}/do/{name}/" for name in ("pause", "extend", "correct", "peek", "blood", "hosts")),
        *(f"/admin/matches/{model}/" for model in ("submission", "ledgerentry", "holding", "announcement", "bid")),
    ]
    return [(address, console.client.get(address)) for address in addresses]


def test_no_page_has_inline_script_or_style(console: Console, running: Match) -> None:
    shown = pages(console, running)
    draft = console.create("Second table")
    shown += [(f"draft {end}", console.client.get(f"{console.address}/{end}/")) for end in ("change", "settings")]
    assert draft.pk
    for address, answer in shown:
        assert answer.status_code == 200, address
        html = answer.content.decode()
        assert not re.search(r"<style\b", html), address
        assert not re.search(r"<script\b(?![^>]*\bsrc=)(?![^>]*application/json)", html), address
        assert not re.search(r'\s(style|on[a-z]+)="', html), address
        assert "javascript:" not in html, address
