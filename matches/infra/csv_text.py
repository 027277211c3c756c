"""Tables as CSV that no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

_RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def as_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as text."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(head)
    table.writerows([[guarded(cell) for cell in row] for row in rows])
    return text.getvalue()


def guarded(cell: object) -> object:
    """A cell that no spreadsheet takes for a formula: text that begins like one gets an apostrophe. Numbers stay."""
    if isinstance(cell, str) and cell.lstrip(" ").startswith(_RISKY):
        return f"'{cell}"
    return "" if cell is None else cell
