"""Twins: in one world ann takes notes. Nobody else can tell."""

from typing import Any

from tests.notes.test_notebook import write
from tests.secrecy.site import Twins, nothing, unlike_pages
from tests.web.conftest import Table


def writes_down(table: Table) -> None:
    assert write(table).status_code == 302


def unlike(present: Any, *viewers: str) -> set[str]:
    """Who gets another page."""

    def make(_: dict[str, Any]) -> Table:
        return Table(present).open()

    twins = Twins[Table](viewers, [writes_down], [nothing])
    return {viewer for viewer, _ in unlike_pages(make, twins, more=("notebook/", "notebook/export/"), everything=True)}


def test_only_who_writes_it_gets_it(db: None, present: Any) -> None:
    assert unlike(present, "ann", "bob", "dora") == {"ann"}
