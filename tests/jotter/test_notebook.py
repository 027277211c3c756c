"""Notes and marks: their owner's alone, with or without scripts."""

from __future__ import annotations

from typing import Any

import pytest

from jotter.models import Notebook
from jotter.services.notebook import LONGEST, MOST_MARKS
from tests.web.conftest import Table, browser

SECRET = "bob always doubles"
SCRIPT = {"X-Requested-With": "fetch"}


def write(table: Table, name: str = "ann", text: str = SECRET, seen: str = "", **how: Any) -> Any:
    return browser(table.users[name]).post(f"{table.url}notebook/", {"text": text, "seen": seen}, **how)


def mark(table: Table, target: str, kind: str = "star", name: str = "ann") -> Any:
    return browser(table.users[name]).post(f"{table.url}notebook/mark/", {"target": target, "mark": kind})


@pytest.mark.parametrize("name", ["ann", "dora", "eve"])
def test_everybody_with_an_account_has_one(table: Table, name: str) -> None:
    answer = write(table, name)
    assert answer.url == f"{table.url}#notebook"
    assert SECRET in browser(table.users[name]).look(table.url)
    assert browser(table.users[name]).get(f"{table.url}notebook/export/").json()["text"] == SECRET


def test_visitors_have_none(table: Table) -> None:
    assert "notebook" not in browser().look(table.url)


def test_notes_of_another_page_are_not_written_over(table: Table) -> None:
    seen = write(table, headers=SCRIPT).json()["seen"]
    assert write(table, text="more", seen=seen, headers=SCRIPT).status_code == 200
    answer = write(table, text="typed on a phone", seen=seen, headers=SCRIPT)
    assert answer.status_code == 409
    assert "elsewhere" in answer.json()["error"]
    assert Notebook.objects.get().text == "more"
    # Without scripts what was typed comes back.
    assert "typed on a phone" in write(table, text="typed on a phone", seen=seen).content.decode()


def test_marks_have_a_shape_and_a_word(table: Table) -> None:
    mark(table, "bob", "triangle")
    mark(table, "Y", "star")
    page = browser(table.users["ann"]).look(table.url)
    assert 'data-own-mark="triangle" data-target="bob"\n' in page or 'data-target="bob"' in page
    assert "▲" in page
    mark(table, "bob", "")
    assert Notebook.objects.get().marks == {"Y": "star"}


def test_a_player_is_marked_and_listed_by_name(table: Table) -> None:
    table.match.players.filter(handle="bob").update(name="Bobby Tables")
    assert '<option value="Bobby Tables">' in browser(table.users["ann"]).look(table.url)
    mark(table, "bobby tables", "triangle")
    assert Notebook.objects.get().marks == {"bob": "triangle"}
    assert "the mark of Bobby Tables" in browser(table.users["ann"]).look(table.url)
    # A handle means its player, whatever others are called.
    table.match.players.filter(handle="cat").update(name="bob")
    mark(table, "bob", "star")
    assert Notebook.objects.get().marks == {"bob": "star"}


@pytest.mark.parametrize(("target", "kind"), [("", "star"), ("x" * 81, "star"), ("b\0b", "star"), ("bob", "heart")])
def test_what_is_no_mark_is_refused_in_words(table: Table, target: str, kind: str) -> None:
    answer = mark(table, target, kind)
    assert answer.status_code == 400
    assert "field__error" in answer.content.decode()
    assert not Notebook.objects.exclude(marks={}).exists()


def test_there_is_a_limit(table: Table) -> None:
    assert write(table, text="x" * (LONGEST + 1), headers=SCRIPT).status_code == 413
    mark(table, "bob")
    Notebook.objects.update(marks={f"lot {number}": "star" for number in range(MOST_MARKS)})
    assert mark(table, "one more").status_code == 400
