"""The form field in which hosts edit prizes, on a grid that looks like the board."""

from typing import Any

from django import forms

from matches.engine.settings import Data, Values
from matches.games.lowest_unique_integer.config import LETTERS, MOST_SEATS, grid
from matches.inputs import InputsField, Part, Texts


class PrizesGrid(InputsField):
    """Prizes by seat, on the board that the other settings define."""

    template = "games/lowest_unique_integer/hosting/prizes_grid.html"

    def __init__(self, setting: Data, values: Values) -> None:
        super().__init__(setting, values)
        columns, rows, first = values["columns"], values["rows"], values["first_seat"]
        fits = columns * rows <= MOST_SEATS - LETTERS.index(first)
        self.board = grid(columns, rows, first) if fits else None
        self.keys = self.board.seats if self.board else ()
        self.help_text = (
            "Garnets and priority that each seat brings. An empty field means the usual number, shown in grey. "
            "After changing the board's shape, press “Update the form”."
            if self.board
            else "The board appears here once columns, rows and first seat fit together."
        )

    def details(self, value: Part) -> dict[str, Any]:
        lines = self.board.rows if self.board else ()
        return {"lines": [[(seat, value[seat].items()) for seat in line] for line in lines]}

    def clean(self, value: Texts | None) -> Any:
        """Return the prizes of all seats. Raises `ValidationError` if the page showed another board."""
        if value and self.board and not set(value) <= set(self.keys):
            message = f"The board now has different seats, {self.board.span()}. Please check the prizes on it below."
            raise forms.ValidationError(message)
        return super().clean(value) if self.board else None


FIELDS = {"prizes": PrizesGrid}
