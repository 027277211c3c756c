"""The script that anybody can take with them proves exported files, and finds whatever was changed in one."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from matches.engine.canonical import canonical
from matches.games.registry import game_of
from matches.models import clock
from matches.proof import check_export
from matches.proof.check_export import sha256
from matches.queries import export
from matches.services import hosting
from matches.services.replay import verify
from seasons.engine import scenario
from seasons.models import Season
from seasons.queries.export import exported as exported_season
from seasons.services.scenario_runner import play_season
from tests.fixtures.chosen import EVERYTHING, one_in
from tests.fixtures.present import START
from tests.services.conftest import DAY, HOUR, Table, register_tiny_game

pytestmark = pytest.mark.django_db

SCRIPT = Path(check_export.__file__)
_SEASON = Path(__file__).parents[1] / "seasons" / "scenarios" / "the_season_ends_when_one_member_is_left.json"
EDITS = int(os.environ.get("EDITS", "100" if EVERYTHING else "40"))
"""Of each file; EDITS=1000 for the night."""


@pytest.fixture(scope="module")
def files(django_db_setup: None, django_db_blocker: Any) -> dict[str, bytes]:
    """An exported match, and an exported season."""
    fixed = clock.fixed(START)
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), transaction.atomic(), fixed as present:
        register_tiny_game(patch)
        found = {"match": canonical(export.exported(_played(present).match)).encode()}
        play_season(scenario.read(json.loads(_SEASON.read_text()), game_of), keep=True)
        found["season"] = canonical(exported_season(Season.objects.get())).encode()
        transaction.set_rollback(True)
    return found


def _played(present: clock.FixedTime) -> Table:
    table = Table(present)
    hosting.publish(table.match, table.host, START + HOUR)
    present.instant = START + HOUR
    table.advance()
    table.act("ann", "bid", amount=3)
    table.act("bob", "buy_chips", count=2)
    hosting.correct_balance(table.match, table.host, table.player("cat"), "garnet", 4, "a prize")
    table.at(9 * DAY).advance()
    assert table.match.status == "finished"
    return table


def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-I", str(SCRIPT), *arguments], capture_output=True, text=True, check=False)


def test_it_is_short_and_needs_nothing_but_python() -> None:
    text = SCRIPT.read_text()
    assert text.count("\n") < 300
    imports = {line.split()[1] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert imports == {"argparse", "hashlib", "json", "sys", "collections"}


def test_it_proves_honest_files_and_says_what_is_wrong_with_others(files: dict[str, bytes], tmp_path: Path) -> None:
    paths = {}
    for name, data in files.items():
        paths[name] = str(tmp_path / f"{name}.json")
        Path(paths[name]).write_bytes(data)
    head = json.loads(files["match"])["closes"][0]["hash"]
    good = ran(paths["match"], paths["season"], "--head", head, "--head", head[:16])
    assert (good.returncode, good.stdout.count(": ok"), good.stderr) == (0, 2, "")
    bad = ran(paths["match"], "--head", "f" * 64)
    assert bad.returncode == 1
    assert "does not contain the fingerprint" in bad.stdout
    Path(paths["match"]).write_bytes(files["match"].replace(b"a prize", b"a price"))
    bad = ran(paths["match"])
    assert bad.returncode == 1
    assert "chain of hashes breaks" in bad.stdout
    missing = ran(str(tmp_path / "none.json"), paths["season"])
    assert (missing.returncode, "cannot be read" in missing.stdout) == (2, True)


@pytest.mark.parametrize("name", ["match", "season"])
def test_edits_of_a_single_byte_are_all_found(files: dict[str, bytes], name: str) -> None:
    data, chance = files[name], random.Random(14)
    assert check_export.problems_of(data) == []
    missed = []
    for _ in range(EDITS):
        place = chance.randrange(len(data))
        other = chance.choice([byte for byte in b'abc019 ~"{},:\n' if byte != data[place]])
        changed = data[:place] + bytes([other]) + data[place + 1 :]
        try:
            if not check_export.problems_of(changed):
                missed.append(changed[max(place - 20, 0) : place + 20])
        except check_export.Unreadable:
            pass
    assert missed == []


def _resealed(raw: dict[str, Any]) -> bytes:
    """As somebody would who has understood the checksum."""
    return canonical(export.with_checksum(raw)).encode()


def hide(raw: dict[str, Any], command: str) -> None:
    """Say of a command that it stays private."""
    for row in raw["log"]:
        if row["facts"] and f'"command":{command}' in row["facts"]["payload"]:
            row["facts"] = None


def _in_log(change: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
    def edit(raw: dict[str, Any]) -> None:
        change(raw["log"][len(raw["log"]) // 2])

    return edit


EDITED: dict[str, tuple[str, Callable[[dict[str, Any]], object], str]] = {
    "a row's facts": ("match", _in_log(lambda row: row["facts"].update(message="x")), "its facts are not"),
    "a row taken out": ("match", lambda raw: raw["log"].pop(3), "does not name the row before"),
    "the last row taken out": ("match", lambda raw: raw["log"].pop(), "The head is not"),
    "another head": ("match", lambda raw: raw.update(head="0" * 64), "The head is not"),
    "another seed": ("match", lambda raw: raw.update(seed="0" * 64), "The seed is not"),
    "seed and hash": (
        "match",
        lambda raw: raw.update(seed="00", seed_hash=sha256("\0")),
        "The seed is not",
    ),
    "a fingerprint": ("match", lambda raw: raw["closes"][0].update(hash="0" * 64), "The fingerprint of row"),
    "an entry's amount": ("match", lambda raw: raw["ledger"][0].update(amount=99), "is not the sum of"),
    "an entry taken out": ("match", lambda raw: raw["ledger"].pop(0), "is not the sum of"),
    "an entry of no row": ("match", lambda raw: raw["ledger"][0].update(row=999), "cannot be"),
    "a correction": (
        "match",
        lambda raw: next(e for e in raw["ledger"] if e["reason"] == "correction").update(reason="bid"),
        "The corrections in the ledger are not",
    ),
    "a balance": ("match", lambda raw: raw["balances"]["garnet"].update(ann=99), "ann has of garnet is not"),
    "a season's row": ("season", lambda raw: raw["log"][2]["row"].update(actor="x"), "hashes breaks at row 3"),
    "a season's seed": ("season", lambda raw: raw.update(seed="1" * 64), "The seed is not"),
    "a season's entry": ("season", lambda raw: raw["ledger"][0].update(amount=99), "is not the sum of"),
    "a member's name": ("season", lambda raw: raw["cast"][0].update(name="Zoe"), "what the log sums up"),
    "a season of before names were summed up": (
        "season",
        lambda raw: (raw.update(version=3), raw["cast"][0].update(name="Zoe")),
        "what the log sums up",
    ),
    "a season's account": ("season", lambda raw: raw["cast"][0]["account"].update(garnet=99), "is not the sum of"),
    "a row that is hidden": ("match", _in_log(lambda row: row.update(facts=None)), "what the log sums up"),
    "the opening hidden": ("match", lambda raw: hide(raw, '"open"'), "with which the match opened is missing"),
    "the sum hidden": ("match", lambda raw: hide(raw, '"sum_up"'), "The row that sums up"),
    "two entries change places": ("match", lambda raw: raw["ledger"].reverse(), "what the log sums up"),
    "no log": ("season", lambda raw: raw.pop("log"), "Something is missing"),
}


@pytest.mark.parametrize("edit", EDITED)
def test_what_matters_is_found_even_with_a_new_checksum(files: dict[str, bytes], edit: str) -> None:
    name, change, said = EDITED[edit]
    raw = json.loads(files[name])
    change(raw)
    assert said in " ".join(check_export.problems_of(_resealed(raw)))


def _leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every value in a part of a file that is no object and no list: where it is, and under which name or number."""
    for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, dict | list):
            yield from _leaves(inner)
        else:
            yield value, name


def _other(value: Any) -> Any:
    return not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else f"{value or ''}x"


@pytest.mark.parametrize("name", ["match", "season"])
def test_each_value_besides_the_log_that_is_changed_is_found_even_with_a_new_checksum(
    files: dict[str, bytes], name: str
) -> None:
    raw = json.loads(files[name])
    rest = {each: raw[each] for each in raw if each not in ("format", "version", "log", "sha256")}
    missed = []
    changed = one_in(5, [(raw, each) for each, value in rest.items() if not isinstance(value, dict | list)] + [
        found for value in rest.values() if isinstance(value, dict | list) for found in _leaves(value)
    ])  # fmt: skip
    for place, key in changed:
        value = place[key]
        place[key] = _other(value)
        if check_export.problems_of(_resealed(raw)) == []:
            missed.append((key, value))
        place[key] = value
    assert missed == []
    for each, value in rest.items():
        if isinstance(value, list) and value:
            fewer = {**raw, each: value[:-1]}
            assert each == "closes" or check_export.problems_of(_resealed(fewer)), each


def test_a_command_after_the_end_is_summed_up_too(table: Table) -> None:
    hosting.switch_blood_garnets(table.match, table.host, True)
    table.at(9 * DAY).advance()
    hosting.correct_balance(table.match, table.host, table.player("cat"), "garnet", 4, "a late prize")
    exported = export.exported(table.match)
    assert [entry["note"] for entry in exported["ledger"]][-1] == "a late prize"
    assert check_export.problems_of(canonical(exported).encode()) == []
    undoable = hosting.last_undoable(table.match)
    assert undoable is not None  # what sums it up does not stand in the way
    hosting.undo(table.match, table.host, undoable.number)
    assert export.exported(table.match)["balances"]["garnet"]["cat"] == exported["balances"]["garnet"]["cat"] - 4
    count = table.match.log_count
    hosting.announce(table.match, table.host, "announcement", "Well played.", key="n")
    assert table.match.log_count == count + 1  # nothing of the file has changed
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
    assert check_export.problems_of(answer.content) == []
    assert "inner_salt" not in answer.content.decode()
