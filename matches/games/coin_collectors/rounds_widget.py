"""The round builder's data for its template: rounds and auctions as rows with one box for each input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from matches.games.coin_collectors.items import KINDS, USUAL_WORDS
from matches.games.coin_collectors.typed_rounds import GONE, GOODS, LIMITS, AuctionRow, Errors, RoundRow, Sheet, lines

Box = dict[str, Any]


def box(name: str, short: str, value: str, errors: Errors, **more: Any) -> Box:
    """One input of the widget `name`: its name and id, its value, and what is wrong with it."""
    full = f"{name}-{short}"
    return {"name": full, "id": f"id_{full}", "value": value, "error": errors.get(short, ""), **more}


class Drawing(msgspec.Struct, frozen=True):
    """What is needed to show a sheet.

    `names`: the names of the match's items. `fixed`: how many rounds have started and are read-only.
    """

    name: str
    names: Mapping[str, str]
    errors: Errors
    fixed: int = 0

    def columns(self, sheet: Sheet) -> list[dict[str, Any]]:
        """The kinds of things in a prize: those of the match, and any other that was typed."""
        rows = [row for each in sheet.values() for row in each.auctions.values()]
        kinds = [kind for kind in KINDS if kind in self.names or any(row.texts.get(kind) for row in rows)]
        goods = [{"kind": kind, "words": kind.capitalize(), "is_item": False} for kind in GOODS]
        items = [
            {"kind": kind, "words": self.names.get(kind, USUAL_WORDS[kind].name), "is_item": True} for kind in kinds
        ]
        return goods + items

    def rounds(self, sheet: Sheet, columns: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The rounds, and an empty one at the end."""
        return [self._round(number, key, each, columns) for number, (key, each) in enumerate(lines(sheet), 1)]

    def _round(self, number: int, key: int, each: RoundRow, columns: Sequence[dict[str, Any]]) -> dict[str, Any]:
        is_fixed = number <= self.fixed
        auctions = [
            self._auction(f"{key}-{place}", row, columns)
            for place, row in each.auctions.items()
            if not (is_fixed and row.blank)
        ]
        return {
            "number": number,
            "fixed": is_fixed,
            "empty": each.blank,
            "names": ", ".join(row.texts.get("name", "") for row in each.auctions.values() if row.texts.get("name")),
            "open": any(short.startswith(f"{key}-") for short in self.errors),
            "gone": box(self.name, f"{key}-{GONE}", "1" if each.gone else "", self.errors),
            "auctions": auctions,
            **{
                limit: box(self.name, f"{key}-{limit}", each.texts.get(limit, ""), self.errors, fixed=is_fixed)
                for limit in LIMITS
            },
        }

    def _auction(self, where: str, row: AuctionRow, columns: Sequence[dict[str, Any]]) -> dict[str, Any]:
        amounts = [
            box(self.name, f"{where}-{each['kind']}", row.texts.get(each["kind"], ""), self.errors, **each)
            for each in columns
        ]
        label = box(self.name, f"{where}-name", row.texts.get("name", ""), self.errors)
        return {
            "label": label,
            "amounts": amounts,
            "empty": row.blank,
            "gone": box(self.name, f"{where}-{GONE}", "1" if row.gone else "", self.errors),
            "faults": [each for each in (label, *amounts) if each["error"]],
        }
