"""The script that anybody can take with them: what it proves of exported files, and what it does not."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from matches.engine.strict_json import canonical
from matches.games.registry import game_of
from matches.models import clock
from matches.proof import check_export
from matches.proof.check_export import NOT_TO_ITS_END, OK, WRONG, prove, sha256
from matches.queries import log
from matches.services import hosting
from matches.services.questions import ask_hosts
from matches.services.replay import verify
from seasons.engine import scenario
from seasons.models import Season
from seasons.queries.export import exported as exported_season
from seasons.services.scenario_runner import play_season
from tests.fixtures.chosen import EVERYTHING
from tests.fixtures.present import START
from tests.services.conftest import DAY, HOUR, Table, register_tiny_game

pytestmark = pytest.mark.django_db

SCRIPT = Path(check_export.__file__)
_SEASON = Path(__file__).parents[1] / "seasons" / "scenarios" / "the_season_ends_when_one_member_is_left.json"
EDITS = int(os.environ.get("EDITS", "100" if EVERYTHING else "40"))
"""Of each file; EDITS=1000 for the night."""

Export = dict[str, Any]


@pytest.fixture(scope="module")
def files(django_db_setup: None, django_db_blocker: Any) -> dict[str, str]:
    """An exported match, which has a row that stays private, and an exported season."""
    fixed = clock.fixed(START)
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), transaction.atomic(), fixed as present:
        register_tiny_game(patch)
        found = {"match": canonical(log.exported(_played(present).match))}
        play_season(scenario.read(json.loads(_SEASON.read_text()), game_of), keep=True)
        found["season"] = canonical(exported_season(Season.objects.get()))
        transaction.set_rollback(True)
    return found


def _played(present: clock.FixedTime) -> Table:
    table = Table(present)
    hosting.publish(table.match, table.host, START + HOUR)
    present.instant = START + HOUR
    table.advance()
    table.act("ann", "bid", amount=3)
    ask_hosts(table.match_id, table.users["bob"].pk, "May I?")
    table.act("bob", "buy_chips", count=2)
    hosting.correct_balance(table.match, table.host, table.player("cat"), "garnet", 4, "a prize")
    table.at(9 * DAY).advance()
    assert table.match.status == "finished"
    return table


@pytest.fixture(params=["match", "season"])
def raw(request: pytest.FixtureRequest, files: dict[str, str]) -> Export:
    found: Export = json.loads(files[request.param])
    return found


@pytest.fixture
def match(files: dict[str, str]) -> Export:
    found: Export = json.loads(files["match"])
    return found


def head_of(raw: Export) -> str:
    return str(raw["log"][-1]["hash"])


def rehash(raw: Export, since: int = 0) -> None:
    """A chain that is whole again, as somebody would make it who writes the log anew from there on."""
    before = raw["log"][since - 1]["hash"] if since else ""
    for row in raw["log"][since:]:
        row["previous"] = before
        if row["facts"] is not None:
            row["content"] = sha256(canonical(row["facts"]))
        row["hash"] = before = sha256(f"{before}\n{row['content']}")
    for close in raw.get("closes", []):
        close["hash"] = raw["log"][close["row"] - 1]["hash"]
    if "head" in raw:
        raw["head"] = before


def hidden(raw: Export) -> int:
    """Which row, counted from 0, is blacked out."""
    return next(place for place, row in enumerate(raw["log"]) if row["facts"] is None)


# -- what it says --------------------------------------------------------------------------------------


def ran(*arguments: str) -> tuple[int, str]:
    command = [sys.executable, "-I", str(SCRIPT), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_it_is_short_and_needs_nothing_but_python() -> None:
    text = SCRIPT.read_text()
    assert text.count("\n") <= 200
    imports = {line.split()[1] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert imports == {"argparse", "hashlib", "json", "sys", "collections"}


def test_it_says_exactly_what_it_proves(files: dict[str, str], match: Export, tmp_path: Path) -> None:
    paths = [str(tmp_path / f"{name}.json") for name in files]
    for path, data in zip(paths, files.values(), strict=True):
        Path(path).write_text(data)
    heads = [head_of(match), head_of(json.loads(files["season"]))]
    count, private, early = len(match["log"]), hidden(match) + 1, match["log"][1]["hash"]
    status, said = ran(paths[0], "--head", heads[0][:16].upper())
    assert (status, ": ok (" in said) == (0, True)
    assert f"Rows 1 to {count} are as they were when the fingerprint of row {count} was published." in said
    assert f"Blacked out, so that only their hash and place are proved: rows {private}." in said
    assert "Not proved: that the rules were followed" in said
    status, said = ran(paths[0], "--head", early)
    assert (status, ": not proved to its end (" in said) == (3, True)
    assert f"NOT PROVED: rows 3 to {count}" in said
    status, said = ran(paths[0])
    assert (status, f"NOT PROVED: rows 1 to {count}" in said) == (3, True)
    assert ran(*paths, "--head", heads[0], "--head", heads[1])[0] == 0
    assert ran(*paths, "--head", heads[0])[0] == 3
    status, said = ran(paths[0], "--head", heads[0], "--head", "f" * 64)
    assert (status, "no log here contains the fingerprint" in said) == (1, True)
    assert ran(paths[0], "--head", heads[0][:15])[0] == 1
    assert ran(str(tmp_path / "none.json"), paths[0])[0] == 2


# -- forged files --------------------------------------------------------------------------------------


def test_a_forged_prefix_before_a_blacked_out_row_is_found(match: Export) -> None:
    """Whoever forges it knows all true fingerprints of later on, and keeps every hash from the blacked-out row on."""
    true, head, private = json.loads(canonical(match)), head_of(match), hidden(match)
    first = next(row for row in match["log"] if row["facts"] and row["facts"]["kind"] == "action")
    assert match["log"].index(first) < private
    first["facts"]["message"] = "forged"
    rehash(match)
    match["log"][private:] = true["log"][private:]
    match["log"][private]["previous"] = match["log"][private - 1]["hash"]
    match |= {"closes": true["closes"], "head": true["head"]}
    status, said = prove(match, [close["hash"] for close in true["closes"]])
    assert (status, said) == (WRONG, [f"The chain of hashes breaks at row {private + 1}."])
    rehash(match, private)
    assert prove(match, [head])[0] == NOT_TO_ITS_END  # and the fingerprint is none of this log's, which is wrong
    assert list(check_export.lost([head], [match]))


def test_a_log_that_was_written_anew_is_never_ok(raw: Export) -> None:
    true = head_of(raw)
    raw["log"][2]["facts"]["actor"] = "somebody else"
    rehash(raw)
    assert prove(raw, [true])[0] == NOT_TO_ITS_END
    assert list(check_export.lost([true], [raw]))


def test_a_fingerprint_names_a_row_with_content(match: Export) -> None:
    """Else anything could be told of a row whose hash is all that there is."""
    last = match["log"][-1]
    last["facts"] = None
    assert "The fingerprint of row" in prove(match, [last["hash"]])[1][0]
    del match["closes"]
    status, said = prove(match, [last["hash"]])
    assert (status, said) == (WRONG, [f"A fingerprint names row {len(match['log'])}, whose content is blacked out."])


def black_out(raw: Export, word: str) -> None:
    for row in raw["log"]:
        if row["facts"] and word in row["facts"]["payload"]:
            row["facts"] = None


def correction(raw: Export) -> Any:
    return next(entry for entry in raw["ledger"] if entry["reason"] == "correction")


EDITED: dict[str, tuple[Callable[[Export], object], str]] = {
    "a row's facts": (
        lambda raw: raw["log"][1]["facts"].update(message="x"),
        "The content of row 2 does not match",
    ),
    "a row's number": (
        lambda raw: (raw["log"][1]["facts"].update(number=9), rehash(raw)),
        "The content of row 2 does not match",
    ),
    "a row taken out": (lambda raw: raw["log"].pop(3), "breaks at row 4"),
    "the last row taken out": (lambda raw: raw["log"].pop(), "The fingerprint of row"),
    "another head": (lambda raw: raw.update(head="0" * 64), "The head is not"),
    "another fingerprint": (lambda raw: raw["closes"][0].update(hash="0" * 64), "The fingerprint of row"),
    "a receipt": (
        lambda raw: (raw["log"][-1]["facts"].update(receipt="0" * 64), rehash(raw)),
        "The receipt of row",
    ),
    "another seed": (lambda raw: raw.update(seed="0" * 64), "The seed is not"),
    "no promise": (lambda raw: black_out(raw, "seed_hash"), "The seed is not"),
    "a correction": (lambda raw: correction(raw).update(amount=5), "The corrections in the ledger"),
    "a correction that is none": (lambda raw: correction(raw).update(reason="bid"), "The corrections in the ledger"),
    "an entry of a private row": (lambda raw: raw["ledger"][0].update(row=hidden(raw) + 1), "is impossible"),
    "an entry of no row": (lambda raw: raw["ledger"][0].update(row=999), "is impossible"),
    "no log": (lambda raw: raw.pop("log"), "Something is missing"),
    "rows of another kind": (lambda raw: raw.update(log=["x"]), "Something is missing"),
}


@pytest.mark.parametrize("edit", EDITED)
def test_what_is_changed_is_found_and_named(match: Export, edit: str) -> None:
    change, said = EDITED[edit]
    head = head_of(match)
    change(match)
    status, found = prove(match, [head])
    assert (status, said in " ".join(found)) == (WRONG, True), found


@pytest.mark.parametrize("name", ["match", "season"])
def test_an_edit_of_a_single_byte_of_the_log_is_never_ok(files: dict[str, str], name: str) -> None:
    data, chance = files[name].encode(), random.Random(14)
    true = json.loads(data)
    for _ in range(EDITS):
        place = chance.randrange(len(data))
        other = chance.choice([byte for byte in b'abc019 ~"{},:\n' if byte != data[place]])
        try:
            changed = check_export.read(data[:place] + bytes([other]) + data[place + 1 :])
        except check_export.Unreadable:
            continue
        if prove(changed, [head_of(true)])[0] == OK:
            assert (changed["log"], changed["seed"]) == (true["log"], true["seed"])


# -- on the site ---------------------------------------------------------------------------------------


def test_what_hosts_do_after_the_end_is_published_and_proved_and_private_questions_are_neither(table: Table) -> None:
    table.at(9 * DAY).advance()
    ended = table.match.closed_head
    assert table.match.log.get(hash=ended).payload == '{"command":"ended"}'
    ask_hosts(table.match_id, table.users["bob"].pk, "Why?")
    assert table.match.closed_head == ended
    assert head_of(log.exported(table.match)) == ended
    hosting.correct_balance(table.match, table.host, table.player("cat"), "garnet", 4, "a late prize")
    assert table.match.closed_head == table.match.log_head
    exported = log.exported(table.match)
    assert [entry["note"] for entry in exported["ledger"]][-1] == "a late prize"
    assert prove(exported, [table.match.closed_head])[0] == OK
    undoable = hosting.last_undoable(table.match)
    assert undoable is not None
    hosting.undo(table.match, table.host, undoable.number)
    assert prove(log.exported(table.match), [ended, table.match.closed_head])[0] == OK
    assert verify(table.match) == []


def test_it_can_be_had_from_the_site_and_is_explained(db: None) -> None:
    site = Client()
    assert site.get("/check_export.py").content == SCRIPT.read_bytes()
    assert b"/check_export.py" in site.get("/checking/").content


def test_the_file_is_there_when_the_match_is_over(table: Table) -> None:
    address = f"/api/v1/matches/{table.match.public_id}/export/"
    assert Client().get(address).status_code == 409
    table.at(9 * DAY).advance()
    answer = Client().get(address)
    assert prove(check_export.read(answer.content), [table.match.closed_head])[0] == OK
    assert "inner_salt" not in answer.content.decode()
