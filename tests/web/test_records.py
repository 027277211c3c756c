"""What stays: history, rules, result, log; and what of it is closed until the match is finished."""

import io
import json
import re
import urllib.request
from datetime import timedelta
from html import unescape

import pytest

from matches.api import views as api_views
from matches.models import Submission
from matches.models.clock import FixedTime
from matches.queries.log import open_rows
from matches.services.errors import CommandRefused
from matches.services.hosting import (
    cancel,
    correct_balance,
    extend,
    pause,
    peek,
    peek_at_balances,
    resume,
)
from matches.services.storage import log
from tests.web.conftest import Table, browser


def test_nobody_reads_the_seed_before_the_end(auction: Table) -> None:
    seed, api = auction.match.seed, f"/api/v1{auction.url}"
    addresses = [f"{auction.url}{page}" for page in ("", "parts/", "history/", "log/", "rules/")]
    addresses += [f"{api}{part}" for part in ("", "feed/", "history/", "players/")]

    def seen() -> list[str]:
        readers = (browser(), *(browser(auction.users[name]) for name in ("ann", "dora")))
        answers = [(address, reader.get(address)) for reader in readers for address in addresses]
        assert {answer.status_code for _, answer in answers} == {200}
        return [address for address, answer in answers if seed in answer.content.decode()]

    assert seen() == []
    pause(auction.match, auction.users["dora"], "lunch")
    assert seen() == []
    cancel(auction.match, auction.users["dora"], "Enough.")
    assert {api, f"{auction.url}log/"} <= set(seen())


def test_the_snippets_run_and_say_true(
    table: Table, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table.finish()
    asked: list[str] = []

    def urlopen(address: str) -> io.StringIO:
        asked.append(address)
        return io.StringIO(browser().look(address.removeprefix("http://testserver")))

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    monkeypatch.setattr(api_views, "open_rows", lambda *given: open_rows(*given[:3], limit=3))
    for url, name in ((f"{table.url}result/", "seed-check"), (f"{table.url}log/", "chain-check")):
        page = browser().look(url)
        found = re.search(rf'<pre id="{name}"[^>]*>(.*?)</pre>', page, re.DOTALL)
        assert found
        code = found[1].replace("&lt;", "<").replace("&quot;", '"')
        exec(compile(code, name, "exec"), {})  # noqa: S102
    assert capsys.readouterr().out == "True\nTrue\n"
    assert asked[0] == f"http://testserver{table.url}log.json"
    assert len(asked) == -(-table.match.log_count // 3)


def test_what_hosts_did_is_there_for_everybody_at_once(table: Table) -> None:
    table.bid("ann", "Z", 3)
    dora = table.users["dora"]
    pause(table.match, dora, "A storm.")
    resume(table.match, dora)
    extend(table.match, dora, timedelta(hours=2), "The storm goes on.")
    peek(table.match, dora, table.player("ann"), "She asks what counts.")
    peek_at_balances(table.match, dora, table.player("bob"), "He asks, too.")
    correct_balance(table.match, dora, table.player("ann"), "chip", 2, "Paid by hand.")
    correct_balance(table.match, dora, table.player("bob"), "priority", 1, "Forgotten.")
    for name in (None, "ann", "bob"):
        client = browser(table.users[name] if name else None)
        page = unescape(" ".join(re.sub(r"<[^>]+>", " ", client.look(f"{table.url}history/")).split()))
        for said in (
            "dora paused the match: “A storm.”",
            "dora resumed the match",
            "dora moved every deadline by 2h: “The storm goes on.”",
            "dora looked at what ann had submitted under seal: “She asks what counts.”",
            "dora looked at the balances of bob: “He asks, too.”",
            "dora corrected one of ann's balances: “Paid by hand.”",
            "dora gave 1 priority to bob: “Forgotten.”",
        ):
            assert said in page
        assert name == "ann" or "2 chips" not in page  # she has a notice of it
    acts = json.loads(browser().look(f"/api/v1/matches/{table.match.public_id}/hosts/"))
    assert acts["count"] == len(acts["acts"]) == 8
    assert {key: acts["acts"][0][key] for key in ("host", "what", "reason")} == {
        "host": "dora",
        "what": "gave 1 priority to bob",
        "reason": "Forgotten.",
    }


def test_what_is_private_for_ever_stays_so_after_a_cancel(db: None, present: FixedTime) -> None:
    table = Table(present).open().at(24)
    row = planted(table, VOTE)
    cancel(table.match, table.users["dora"], "It went wrong.")
    assert "always private" in shown(browser().look(f"{table.url}log/"), row)
    assert row.salt not in browser().look(f"{table.url}log.json")


def planted(table: Table, payload: str, code: str = "") -> Submission:
    """A row of ann's in the log: the match type played here asks for no votes, and the page serves all types."""
    match = table.match
    row = Submission(
        kind="action",
        actor="player:ann",
        player=table.player("ann"),
        payload=payload,
        accepted=not code,
        code=code,
        received_at=table.present.instant,
        match_time=match.clock.time(table.present.instant),
    )
    log.append(match, row).save()
    match.save()
    return row


def shown(page: str, row: Submission) -> str:
    """The row as the log's page shows it."""
    (found,) = re.findall(rf"<tr[^>]*><td[^>]*>{row.number}</td>.*?</tr>", page, re.DOTALL)
    return str(found).replace("&quot;", '"')


VOTE = '{"player":"cat","type":"vote"}'


def test_a_vote_stays_private_in_the_log_and_cannot_be_guessed_from_its_hashes(table: Table) -> None:
    row = planted(table.finish(), VOTE)
    for name in (None, "bob", "dora"):
        client = browser(table.users[name] if name else None)
        for url in ("log/", "log.json", f"log/?receipt={row.receipt_hash}"):
            page = client.look(table.url + url)
            assert '"type":"vote"' not in page.replace("&quot;", '"')
            assert row.salt not in page
        assert row.receipt_hash not in client.look(f"{table.url}log/")
        assert row.receipt_hash not in client.look(f"{table.url}log.json")
    own = browser(table.users["ann"]).look(f"{table.url}log/").replace("&quot;", '"')
    assert row.payload in own


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        (VOTE, ""),
        (VOTE, "not_eligible"),
        ('{"type":"whisper","to":"bob"}', "unknown_action"),
        ('{"type":"bid","vote":"bob"}', "malformed"),
        ('["vote","bob"]', "malformed"),
        ('{"for":"bob","typ":"vote"}', "match_paused"),
        ('["vote","bob"]', "match_paused"),
        ('{"type":"bid","vote":"bob"}', "match_paused"),
        ('{"cut":{"bytes":9000,"head":"bob","sha256":"b0b"},"type":"vote"}', "not_eligible"),
    ],
)
def test_neither_whose_nor_what_a_private_row_was_is_shown(table: Table, payload: str, code: str) -> None:
    row = planted(table.finish(), payload, code)
    for name in (None, "bob", "dora"):
        client = browser(table.users[name] if name else None)
        text = shown(client.look(f"{table.url}log/"), row)
        assert "always private" in text
        for secret in ("ann", "bob", "Ann", code or "vote"):
            assert secret not in text
        (facts,) = [
            each for each in json.loads(client.look(f"{table.url}log.json"))["rows"] if each["hash"] == row.hash
        ]
        assert facts["facts"] is None
        api = json.loads(client.look(f"/api/v1/matches/{table.match.public_id}/log/"))["rows"]
        assert [each["facts"] for each in api if each["hash"] == row.hash] == [None]
    assert payload in shown(browser(table.users["ann"]).look(f"{table.url}log/"), row)


def test_the_log_as_json_counts_nothing_and_numbers_nobody(table: Table) -> None:
    """A gap in somebody's own count would tell that they voted; an account's number is nobody's business."""
    planted(table.finish(), VOTE)
    for address in (f"{table.url}log.json", f"/api/v1/matches/{table.match.public_id}/log/"):
        shown = json.loads(browser().look(address))
        assert set(shown) == {"rows", "head", "next"}
        for row in shown["rows"]:
            assert set(row) == {"hash", "previous", "content", "facts"}
            assert not row["facts"] or not {"user", "own_number"} & set(row["facts"])
            assert not row["facts"] or len(row["facts"]["inner"]) == 64
    inner = table.match.log.values_list("inner_salt", flat=True)
    page = browser().look(f"{table.url}log/") + browser().look(f"{table.url}log.json")
    assert all(len(salt) == 32 and salt not in page for salt in inner)


def test_amounts_are_told_when_the_match_is_over_and_refused_tries_at_once(table: Table) -> None:
    dora = table.users["dora"]
    correct_balance(table.match, dora, table.player("ann"), "chip", 2, "Paid by hand.")
    with pytest.raises(CommandRefused):
        correct_balance(table.match, dora, table.player("ann"), "chip", -999, "How many are there?")
    address = f"/api/v1/matches/{table.match.public_id}/hosts/"
    told = browser().look(address)
    assert "tried to correct one of ann's balances (refused: nothing changed)" in told
    assert "999" not in told
    cancel(table.match, dora, "Enough.")
    found = [act["what"] for act in json.loads(browser().look(address))["acts"]]
    assert found[:3] == [
        "cancelled the match",
        "took 999 chips from ann (refused: nothing changed)",
        "gave 2 chips to ann",
    ]
