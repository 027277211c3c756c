"""Notes: their owner's alone, with or without scripts."""

from typing import Any

import pytest

from notes.models import Notebook
from notes.views import LONGEST
from tests.web.conftest import Table, browser

SECRET = "bob always doubles"
SCRIPT = {"X-Requested-With": "fetch"}


def write(table: Table, name: str = "ann", text: str = SECRET, seen: str = "", **how: Any) -> Any:
    return browser(table.users[name]).post(f"{table.url}notebook/", {"text": text, "seen": seen}, **how)


@pytest.mark.parametrize("name", ["ann", "dora", "eve"])
def test_everybody_with_an_account_has_one(table: Table, name: str) -> None:
    answer = write(table, name)
    assert answer.url == f"{table.url}#notebook"
    assert SECRET in browser(table.users[name]).look(table.url)
    assert browser(table.users[name]).get(f"{table.url}notebook/export/").json()["text"] == SECRET


def test_notes_of_another_page_are_not_written_over(table: Table) -> None:
    seen = write(table, headers=SCRIPT).json()["seen"]
    assert write(table, text="more", seen=seen, headers=SCRIPT).status_code == 200
    answer = write(table, text="typed on a phone", seen=seen, headers=SCRIPT)
    assert answer.status_code == 409
    assert "elsewhere" in answer.json()["error"]
    assert Notebook.objects.get().text == "more"
    # Without scripts what was typed comes back, beside what is stored, and is still not written over it.
    page = write(table, text="typed on a phone", seen=seen).content.decode()
    assert all(each in page for each in ("typed on a phone", ">more<", f'name="seen" value="{seen}"'))


def test_there_is_a_limit(table: Table) -> None:
    assert write(table, text="x" * (LONGEST + 1), headers=SCRIPT).status_code == 413
    assert "x" * (LONGEST + 1) in write(table, text="x" * (LONGEST + 1)).content.decode()
    assert write(table, text="x\r\n" * (LONGEST // 2), headers=SCRIPT).status_code == 200
