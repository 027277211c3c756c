"""Twins: in one world ann types into a form, takes notes and marks bob. Nobody else can tell."""

from __future__ import annotations

from typing import Any

import pytest
from django import test

from jotter import live
from matches.live.messages import Hint
from tests.jotter.test_notebook import mark, write
from tests.jotter.test_unsent import address, type_in
from tests.secrecy.site import Twins, nothing, unlike_pages
from tests.web.conftest import Table, browser


def writes_down(table: Table) -> None:
    assert type_in(table).status_code == 204
    assert write(table).status_code == 302
    assert mark(table, "bob", "triangle").status_code == 302


def unlike(present: Any, *viewers: str) -> set[str]:
    """Who gets another page."""

    def make(_: dict[str, Any]) -> Table:
        return Table(present).open()

    twins = Twins[Table](viewers, [writes_down], [nothing])
    return {
        viewer
        for viewer, _ in unlike_pages(make, twins, more=("notebook/", "notebook/export/", "unsent/"), everything=True)
    }


def test_only_who_writes_it_gets_it(db: None, present: Any) -> None:
    assert unlike(present, "ann", "bob", "dora") == {"ann"}


def test_only_who_writes_it_hears_of_it(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """And at once: their other pages. A hint says neither what was typed nor into which form."""
    heard: list[Hint] = []
    monkeypatch.setattr(live.publisher, "hint", heard.append)
    ann = browser(table.users["ann"])
    with test.TestCase.captureOnCommitCallbacks(execute=True):
        type_in(table, _page="at her desk")
        ann.post(address(table), {"type": "bid", "_discard": "1", "_page": "on her phone"})
        ann.post(address(table), {"type": "bid", "_discard": "1"})  # there is nothing to discard any more
        type_in(table, part="A part that is over")
        write(table)
    match, hers = table.match, frozenset({table.users["ann"].pk})
    assert heard == [
        Hint("unsent", match.pk, (("match", match.public_id), ("page", page)), hers)
        for page in ("at her desk", "on her phone")
    ]
