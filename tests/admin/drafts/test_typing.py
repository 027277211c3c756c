"""What hosts type is checked as they go, and is never lost: not by an error, not by the end of a session."""

from typing import Any

import pytest
from django.test import Client

from matches.models import Match
from tests.admin.conftest import Console, settings_form, text_of

pytestmark = pytest.mark.django_db


def table(*rows: dict[str, Any]) -> dict[str, Any]:
    data: dict[str, Any] = {"players-TOTAL_FORMS": len(rows), "players-INITIAL_FORMS": 0}
    for number, row in enumerate(rows):
        data |= {f"players-{number}-{key}": value for key, value in row.items()}
    return data


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
        assert "What you typed is below but not saved yet." in page
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
