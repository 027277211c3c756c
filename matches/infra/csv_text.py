"""Tables as CSV that no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def as_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as text. Numbers stay numbers; a text that a spreadsheet would take for a formula gets a quotation mark
    before it."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(head)
    table.writerows([[_cell(cell) for cell in row] for row in rows])
    return text.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(_FORMULAS):
        return f"'{value}"
    return "" if value is None else value
