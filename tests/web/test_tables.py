"""Bids, ledger and result as CSV: hosts get what the console lists, everybody the rest after the end."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client

from accounts.models import User
from matches.infra.text import guarded
from matches.models import Bid
from matches.services import hosting
from matches.services.creation import create_match
from matches.services.deadlines import advance
from matches.services.group.queue import submit
from matches.services.hosting import publish
from matches.services.joining import add_player
from matches.services.roles import is_insider
from tests.web.conftest import Table, browser

pytestmark = pytest.mark.django_db


def read(client: Client, url: str, what: str) -> list[dict[str, str]]:
    answer = client.get(f"{url}tables/{what}.csv")
    assert answer.status_code == 200, answer.status_code
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_hosts_get_what_the_console_shows_and_everybody_all_after_the_end(table: Table) -> None:
    table.at(24).bid("ann", "R", 7)
    Bid.objects.update(public=False)
    host, stranger = browser(table.users["dora"]), browser(table.users["eve"])
    assert read(host, table.url, "bids") == [
        {
            "placed at": table.present.instant.isoformat(),
            "player": "ann",
            **dict.fromkeys(("lot", "asset", "amount", "status"), "sealed"),
            "settled at": "",
        }
    ]
    assert {row["asset"] for row in read(host, table.url, "ledger")} <= table.match.rules.public_assets
    assert host.get(f"{table.url}tables/result.csv").status_code == 403
    for person in (stranger, browser(table.users["ann"]), browser()):
        for what in ("bids", "ledger", "result"):
            answer = person.get(f"{table.url}tables/{what}.csv")
            assert answer.status_code == 403
            assert "open to everybody once it is over" in answer.content.decode()
    hosting.correct_balance(table.match, table.users["dora"], table.player("ann"), "garnet", 1, "=HYPERLINK(1)")
    table.at(24 * 60)
    assert table.match.is_over
    bids = read(stranger, table.url, "bids")
    assert [(row["player"], row["amount"], row["lot"], row["status"]) for row in bids] == [("ann", "7", "R", "won")]
    ledger = read(browser(), table.url, "ledger")
    assert {"garnet", "chip"} <= {row["asset"] for row in ledger}
    assert "'=HYPERLINK(1)" in {row["note"] for row in ledger}
    result = read(browser(), table.url, "result")
    assert [row["handle"] for row in result] == ["ann", "bob", "cat"]
    assert "yes" in {row["won"] for row in result}
    assert host.get(f"{table.url}tables/seed.csv").status_code == 404
    assert 'tables/ledger.csv"' in browser().look(f"{table.url}log/")


def test_a_superuser_who_reads_them_can_never_play_in_it(table: Table) -> None:
    boss = table.users["eve"]
    boss.is_superuser = True
    boss.save()
    assert not is_insider(table.match, boss)
    read(browser(boss), table.url, "bids")
    assert is_insider(table.match, boss)


def test_what_stays_secret_for_ever_is_not_in_the_ledger_of_others(table: Table) -> None:
    """What votes cost would tell who has cast them, and that is never shown."""
    lengths = {"first_round": "48h", "round": "24h"}
    match = create_match("together_we_survive", "Votes", hosts=(table.users["dora"],), config=lengths)
    for name in ("ann", "bob", "cat"):
        add_player(match, name, user=table.users[name])
    add_player(match, "robot", is_bot=True)
    publish(match, table.users["dora"])
    assert submit(match.pk, table.users["ann"].pk, {"type": "vote_a", "votes": {"ann": 1}}).accepted
    table.present.instant += timedelta(hours=49)
    advance(match.pk)
    hosting.cancel(match, table.users["dora"], "Enough")

    def spent_by(user: User | None) -> set[str]:
        rows = read(browser(user), match.get_absolute_url(), "ledger")
        return {row["from"] for row in rows if row["reason"] == "votes_cast"}

    assert spent_by(table.users["dora"]) == {"ann"}
    assert spent_by(table.users["ann"]) == {"ann"}
    assert spent_by(table.users["bob"]) == set()
    assert spent_by(None) == set()


def test_no_cell_is_a_formula() -> None:
    for text in ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1"):
        assert guarded(text) == f"'{text}"
    assert [guarded(cell) for cell in ("a=b", "", None, -3, Decimal("-0.5"))] == ["a=b", "", "", -3, Decimal("-0.5")]
