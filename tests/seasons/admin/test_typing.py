"""While a host types in a season's forms: errors at their fields, and nothing that was typed is lost."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from seasons.models import Season
from tests.admin.conftest import text_of
from tests.fixtures.any_game import SLUG
from tests.seasons.admin.conftest import SeasonDesk

pytestmark = pytest.mark.django_db

ROWS = {"cast-TOTAL_FORMS": "2", "cast-INITIAL_FORMS": "0", "cast-0-handle": "ann", "cast-1-handle": "zed_7"}
SEASON = {"title": "Rather long", "usual_hour": "18:00", "zone": "UTC", "config-decision_time": "36h"}


def checked(desk: SeasonDesk, address: str, **typed: str) -> dict[str, Any]:
    answer = desk.client.post(address, {**typed, "_check": "1"}, headers={"X-Requested-With": "fetch"})
    assert answer.status_code == 200
    return answer.json()  # type: ignore[no-any-return]


def test_the_cast_and_the_settings_are_checked_while_they_are_typed(desk: SeasonDesk, players: list[Any]) -> None:
    season = desk.create()
    table, settings = f"{desk.address}/change/", f"{desk.address}/settings/"
    found = checked(desk, table, **ROWS | {"cast-0-person": "nobody-at-all"})
    assert list(found["errors"]) == ["id_cast-0-person"]
    assert found["errors"]["id_cast-0-person"][0].startswith("There is nobody called nobody-at-all. Check the spelling")
    assert checked(desk, table, **ROWS | {"cast-1-person": "hanna", "cast-1-handle": ""})["said"] != ""
    assert checked(desk, table, **ROWS) == {"errors": {}, "said": ""}
    for address in (settings, "/admin/seasons/season/add/"):
        wrong = checked(desk, address, **SEASON | {"config-decision_time": "soon"})
        assert list(wrong["errors"]) == ["id_config-decision_time"]
        assert checked(desk, address, **SEASON)["errors"] == {}
    season.refresh_from_db()
    assert (season.title, season.cast.count(), Season.objects.count()) == ("Autumn", 0, 1)
    for address in (table, settings, f"{desk.address}/cast/"):
        assert "data-unsaved" in text_of(desk.client.get(address))


def test_a_session_that_ended_loses_nothing(desk: SeasonDesk, host: Any, players: list[Any]) -> None:
    season = desk.create()
    game = SLUG
    asked: list[tuple[str, dict[str, str], str]] = [
        (f"{desk.address}/change/", ROWS, 'value="zed_7"'),
        (f"{desk.address}/cast/", {"cast": "zed_7, bot"}, "zed_7, bot</textarea>"),
        (f"{desk.address}/settings/", SEASON, 'value="36h"'),
        ("/admin/seasons/season/add/", SEASON, 'value="Rather long"'),
    ]
    _nothing_is_lost(host, asked)
    desk.paste("ann\nbob\nx1,bot\nx2,bot\nx3,bot\nx4,bot\nx5,bot\nx6,bot")
    desk.do("begin")
    fine = {"player": str(season.cast.get(handle="ann").pk), "asset": "garnet", "amount": "3", "reason": "A prize"}
    _nothing_is_lost(
        host,
        [
            (f"{desk.address}/do/correct/", fine, 'value="A prize"'),
            (f"{desk.address}/next/", {"game": game, "preset": "", "title": "My title"}, 'value="My title"'),
        ],
    )
    assert not season.matches.exists()
    assert not season.ledger.filter(reason="correction").exists()


def _nothing_is_lost(host: Any, asked: list[tuple[str, dict[str, str], str]]) -> None:
    for address, data, shown in asked:
        browser = Client()
        answer = browser.post(address, {**data, "typed_by": host.pk})
        assert (answer.status_code, "login" in answer.url) == (302, True)
        browser.force_login(host)  # keeps the session of the browser, as the sign-in does
        page = text_of(browser.get(address))
        assert shown in page, address
        assert "What you typed is below, and not saved yet." in page
        assert shown not in text_of(browser.get(address))
