"""What a player has typed and not sent: kept for them alone, and it moves nothing."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest

from jotter.models import Unsent
from jotter.services import unsent
from matches.infra import rate_limits
from matches.infra.buckets import Buckets
from matches.models import Match, Submission
from matches.services.signals import match_changed, people_told
from tests.web.conftest import Browser, Table, browser

BEFORE, AUCTION = "Before the auction", "Auction"


def address(table: Table) -> str:
    return f"{table.url}unsent/"


def type_in(table: Table, name: str = "ann", part: str = BEFORE, **fields: Any) -> Any:
    """What the page of a player sends while they type."""
    typed = {"type": "bid", "_part": part, "_words": "1 on Y", "seat": "Y", "amount": "1", **fields}
    return browser(table.users[name]).post(address(table), typed)


def shown(table: Table, name: str | None = "ann") -> list[dict[str, Any]]:
    """What a new page of this person has of it."""
    page = browser(table.users[name] if name else None).look(table.url)
    found = re.search(r'data-unsent="([^"]*)"', page)
    return json.loads(html.unescape(found[1]) or "[]") if found else []


def test_what_was_typed_is_there_again_on_another_device(table: Table) -> None:
    assert type_in(table).status_code == 204
    typed = {"form": "bid", "part": BEFORE, "values": [["seat", "Y"], ["amount", "1"]], "words": "1 on Y"}
    assert shown(table) == [{**typed, "is_late": False}]
    type_in(table, amount="2")
    assert shown(table)[0]["values"] == [["seat", "Y"], ["amount", "2"]]


def kept(table: Table, name: str | None = "ann") -> Any:
    """What an open page of this person is told when it asks."""
    answer = browser(table.users[name] if name else None).get(address(table))
    assert "no-store" in answer["Cache-Control"]
    return answer.status_code, answer.json()


def test_a_page_that_is_open_asks_for_it(table: Table) -> None:
    type_in(table)
    typed = {"form": "bid", "part": BEFORE, "values": [["seat", "Y"], ["amount", "1"]], "words": "1 on Y"}
    assert kept(table) == (200, {"forms": [{**typed, "is_late": False}]})
    assert kept(table, "bob") == (200, {"forms": []})
    assert kept(table, "eve") == kept(table, "dora") == (403, {"code": "not_a_player"})
    assert kept(table, None) == (401, {"code": "signed_out"})


def test_nobody_else_gets_it(table: Table) -> None:
    type_in(table)
    assert [shown(table, name) for name in ("bob", "dora", "eve", None)] == [[], [], [], []]


def test_it_moves_nothing(table: Table) -> None:
    def stored() -> Any:
        return Match.objects.values().get(), list(Submission.objects.values()), table.player("ann").version

    before, heard = stored(), []
    for signal in (match_changed, people_told):
        signal.connect(lambda **sent: heard.append(sent), weak=False, dispatch_uid="unsent")
    try:
        type_in(table)
    finally:
        assert all(signal.disconnect(dispatch_uid="unsent") for signal in (match_changed, people_told))
    assert (stored(), heard) == (before, [])


def test_it_goes_when_it_is_discarded(table: Table) -> None:
    type_in(table)
    assert browser(table.users["ann"]).post(address(table), {"type": "bid", "_discard": "1"}).status_code == 204
    assert not Unsent.objects.exists()


def test_it_is_gone_once_such_a_form_was_sent_from_anywhere(table: Table) -> None:
    type_in(table)
    assert table.act("ann", "buy_chips", count=1).accepted
    assert len(shown(table)) == 1
    assert table.act("ann", "bid", seat="Z", amount=2).accepted
    assert shown(table) == []


def test_after_its_round_it_is_late_and_not_taken_any_more(table: Table) -> None:
    type_in(table)
    table.at(24)
    assert shown(table)[0]["is_late"] is True
    answer = type_in(table, "bob")
    assert (answer.status_code, answer.json()) == (409, {"code": "part_over"})
    assert type_in(table, "bob", AUCTION).status_code == 204


def test_of_a_match_that_is_over_nothing_stays(table: Table) -> None:
    type_in(table)
    unsent.let_go()
    assert Unsent.objects.count() == 1
    table.finish()
    assert shown(table) == []
    unsent.let_go()
    assert not Unsent.objects.exists()
    assert type_in(table, part="").status_code == 409


def test_who_takes_the_place_over_does_not_get_it(table: Table) -> None:
    type_in(table)
    unsent.forget(table.player("ann"))
    assert not Unsent.objects.exists()


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"type": "dance"}, 400, "unknown_form"),
        ({"type": ""}, 400, "unknown_form"),
        ({"amount": "1" * 9000}, 413, "too_large"),
        ({f"f{number}": "" for number in range(201)}, 413, "too_large"),
        ({"amount": "1\0"}, 400, "malformed"),
        ({"_words": "\0"}, 400, "malformed"),
    ],
)
def test_what_is_no_form_is_not_kept(table: Table, fields: dict[str, str], status: int, code: str) -> None:
    answer = type_in(table, **fields)
    assert (answer.status_code, answer.json()) == (status, {"code": code})
    assert not Unsent.objects.exists()


def test_only_players_may_keep_any_and_not_without_end(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    assert type_in(table, "eve").json() == {"code": "not_a_player"}
    assert browser().post(address(table), {}).status_code == 401
    one = Buckets(1, 1)
    monkeypatch.setattr(rate_limits, "action_rates", lambda: one)
    assert [type_in(table).status_code for _ in range(2)] == [204, 429]


def test_another_site_cannot_write_it(table: Table) -> None:
    client = Browser(enforce_csrf_checks=True)
    client.force_login(table.users["ann"])
    assert client.post(address(table), {"type": "bid"}).status_code == 403
