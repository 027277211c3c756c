"""The form field in which hosts edit prizes, on a grid that looks like the board.

This is the only file of the folder that may use Django; the hosts' console finds `FIELDS` automatically.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.template.loader import render_to_string

from matches.games.lowest_unique_integer.config import LETTERS, MOST_SEATS, NO_PRIZE, Grid, Prize, Prizes, grid

KINDS = ("garnets", "priority")
_MOST = 1_000_000

Cells = dict[str, dict[str, str]]
"""Seat -> kind -> what is typed there; empty cells are left out."""


class PrizesGrid(forms.Widget):
    """Two small inputs per seat, laid out like the board. An empty one means the usual prize."""

    template_name = "games/lowest_unique_integer/hosting/prizes_grid.html"

    def __init__(self, board: Grid | None, usual: Mapping[str, Prize]) -> None:
        super().__init__()
        self.board = board
        self.usual = usual

    use_fieldset = True

    @property
    def shape(self) -> str:
        """The board's shape as text, to notice that a page shows another one."""
        return "|".join("".join(row) for row in self.board.rows) if self.board else ""

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> dict[str, Any]:
        cells: Cells = {}
        for seat in LETTERS:
            typed = {kind: str(data.get(f"{name}-{seat}-{kind}", "")).strip() for kind in KINDS}
            if filled := {kind: text for kind, text in typed.items() if text}:
                cells[seat] = filled
        return {"shape": data.get(f"{name}-shape", ""), "cells": cells}

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        return False

    def id_for_label(self, id_: str, index: str | None = None) -> str:
        return ""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        cells: Cells = (value or {}).get("cells", {})
        rows = [
            [{"seat": seat, "numbers": self._numbers(name, seat, cells.get(seat, {}))} for seat in line]
            for line in (self.board.rows if self.board else ())
        ]
        return render_to_string(
            self.template_name, {"name": name, "rows": rows, "shape": self.shape, "attrs": attrs or {}}
        )

    def _numbers(self, name: str, seat: str, typed: Mapping[str, str]) -> list[dict[str, Any]]:
        prize = self.usual.get(seat, NO_PRIZE)
        return [
            {
                "name": f"{name}-{seat}-{kind}",
                "kind": kind,
                "asset": kind.removesuffix("s"),
                "value": typed.get(kind, ""),
                "usual": getattr(prize, kind),
            }
            for kind in KINDS
        ]


class PrizesGridField(forms.Field):
    """Prizes by seat, on the board that the other settings define."""

    widget: PrizesGrid

    def __init__(self, setting: Prizes, values: Mapping[str, Any]) -> None:
        self.board = _board(values)
        self.usual: Mapping[str, Prize] = values[setting.key]
        super().__init__(required=False, widget=PrizesGrid(self.board, self.usual), help_text=self._help())

    def _help(self) -> str:
        if self.board is None:
            return "The board appears here once columns, rows and first seat fit together."
        return (
            "Garnets and priority that each seat brings. An empty number is the usual one, shown in grey. "
            "After changing the board's shape, press “Update the form”."
        )

    def prepare_value(self, value: Any) -> dict[str, Any]:
        """Fill in every seat, since seats that are not stored bring nothing."""
        if isinstance(value, dict) and "cells" in value:
            return value
        if not value or self.board is None:
            return {"cells": {}}
        stored = {seat: value.get(seat, {}) for seat in self.board.seats}
        return {"cells": {seat: {kind: str(prize.get(kind, 0)) for kind in KINDS} for seat, prize in stored.items()}}

    def has_changed(self, initial: Any, data: Any) -> bool:
        return True

    def clean(self, value: Any) -> dict[str, dict[str, int]] | None:
        """Seat -> prize for all seats as JSON; None if every seat has its usual prize."""
        cells: Cells = value["cells"]
        if not cells or self.board is None:
            return None
        numbers = {seat: self._read(seat, typed) for seat, typed in cells.items()}
        if value["shape"] != self.widget.shape:
            raise forms.ValidationError(
                f"The board has other seats now, {self.board.span()}. Here is the new one: look at the prizes again."
            )
        prizes = {}
        for seat in self.board.seats:
            usual = self.usual.get(seat, NO_PRIZE)
            prizes[seat] = {kind: numbers.get(seat, {}).get(kind, getattr(usual, kind)) for kind in KINDS}
        if all(Prize(**prize) == self.usual.get(seat, NO_PRIZE) for seat, prize in prizes.items()):
            return None
        return prizes

    def _read(self, seat: str, typed: Mapping[str, str]) -> dict[str, int]:
        numbers = {}
        for kind, text in typed.items():
            if not (text.isascii() and text.isdecimal() and len(text) <= 7 and int(text) <= _MOST):
                raise forms.ValidationError(f"Seat {seat}: {kind} must be a whole number from 0 to {_MOST}.")
            numbers[kind] = int(text)
        return numbers


def _board(values: Mapping[str, Any]) -> Grid | None:
    count = values["columns"] * values["rows"]
    if count > MOST_SEATS or LETTERS.index(values["first_seat"]) + count > len(LETTERS):
        return None
    return grid(values["columns"], values["rows"], values["first_seat"])


FIELDS = {"prizes": PrizesGridField}
