"""What hosts type is checked as they go, and is never lost: not by an error, not by the end of a session."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from matches.models import Match
from tests.admin.conftest import Console, browser_of, settings_form, text_of

pytestmark = pytest.mark.django_db


def table(*rows: dict[str, Any]) -> dict[str, Any]:
    data: dict[str, Any] = {"players-TOTAL_FORMS": len(rows), "players-INITIAL_FORMS": 0}
    for number, row in enumerate(rows):
        data |= {f"players-{number}-{key}": value for key, value in row.items()}
    return data


def test_settings_are_checked_while_they_are_typed(console: Console, host: Any, draft: Match) -> None:
    for address in ("/admin/matches/match/add/", f"{console.address}/settings/"):
        typed = settings_form(title="", stop_after="7", garnet_credit="perhaps") | {"_check": "1"}
        found = console.client.post(address, typed).json()
        assert set(found["errors"]) == {"id_config-stop_after", "id_config-garnet_credit"}  # a title may still come
        assert "unit" in found["errors"]["id_config-stop_after"][0]
        assert found["said"] == "Nothing is saved yet, and 2 fields need another look."
        good = settings_form(title="x", stop_after="7d") | {"_check": "1"}
        assert console.client.post(address, good).json() == {"errors": {}, "said": ""}
    assert Match.objects.get() == draft
    assert Match.objects.get().title == "Night table"


def test_players_are_checked_while_they_are_typed(console: Console, draft: Match, players: list[Any]) -> None:
    def checked(*rows: dict[str, Any]) -> Any:
        return console.client.post(f"{console.address}/change/", table(*rows) | {"_check": "1"}).json()

    found = checked({"person": "ann"}, {"person": "nobody"}, {"handle": "two words"})
    assert set(found["errors"]) == {"id_players-1-person", "id_players-2-handle"}
    assert (
        checked({"person": "ann"}, {"person": "hanna"})["said"]
        == "hanna hosts this match, and a host never plays in it."
    )
    assert checked({"person": "ann"}, {"handle": "zed"}) == {"errors": {}, "said": ""}
    assert not draft.players.exists()
    assert draft.log.count() == 1


def test_an_error_in_one_row_keeps_them_all(console: Console, draft: Match, players: list[Any]) -> None:
    rows = [{"handle": f"place{number}", "garnets": str(number)} for number in range(15)]
    page = console.save_players([*rows, {"handle": "two words", "name": "Zoë"}])
    assert "Not saved yet" in page
    for row in (*rows, {"handle": "two words", "garnets": ""}):
        assert f'value="{row["handle"]}"' in page
    assert 'data-unsaved="yes"' in page
    refused = console.save_players([*rows, {"person": "hanna", "name": "Zoë"}])
    assert "hanna hosts this match" in refused
    assert all(f'value="place{number}"' in refused for number in range(15))


def test_a_session_that_ended_loses_nothing(console: Console, host: Any, draft: Match, other_host: Any) -> None:
    change, names = f"{console.address}/change/", f"{console.address}/names/"
    announce = f"{console.address}/do/cancel/"
    for address, data, shown in (
        (change, table({"handle": "zed_7"}, {"handle": "yan"}), 'value="zed_7"'),
        (names, {"names": "zed_7, yan"}, "zed_7, yan"),
        ("/admin/matches/match/add/", settings_form(title="Rather long"), 'value="Rather long"'),
        (f"{console.address}/settings/", settings_form(stop_after="19d"), 'value="19d"'),
        (announce, {"reason": "All are ill"}, 'value="All are ill"'),
    ):
        browser = Client()
        answer = browser.post(address, {**data, "typed_by": host.pk})
        assert answer.status_code == 302
        assert "login" in answer.url
        browser.force_login(host)  # keeps the session of the browser, as the sign-in does
        page = text_of(browser.get(address))
        assert shown in page
        assert "What you typed is below, and not saved yet." in page
        assert shown not in text_of(browser.get(address))
    assert not draft.players.exists()
    assert Match.objects.count() == 1

    browser = Client()
    browser.post(change, {**table({"handle": "zed_7"}), "typed_by": host.pk})
    draft.hosts.add(other_host)
    browser.force_login(other_host)
    assert "zed_7" not in text_of(browser.get(change))
    stranger = Client()
    stranger.post(change, {**table({"handle": "y" * 100_001}), "typed_by": host.pk})
    assert "unsaved" not in stranger.session


def test_what_is_sent_by_somebody_signed_in_is_not_kept(console: Console, draft: Match, host: Any) -> None:
    browser = browser_of(host)
    browser.post(f"{console.address}/change/", {**table({"handle": "two words"}), "typed_by": host.pk})
    assert "unsaved" not in browser.session
