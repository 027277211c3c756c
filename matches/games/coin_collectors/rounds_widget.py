"""The round builder: reads rounds as hosts type them, and makes the rows and inputs for its template.

Inputs are named by their position: `0-auction_limit` in the first round, `0-2-gold` in its third auction. Numbers may
have gaps. Empty rows are ignored.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from matches.engine.core import GARNET
from matches.engine.sentences import sentence
from matches.games.coin_collectors.config import LONGEST_NAME, MOST_AUCTIONS, MOST_ROUNDS, untidy
from matches.games.coin_collectors.prizes import COINS, KINDS, MOST, USUAL_WORDS, Auction, Prize, PrizeItems, Round

LIMITS = ("auction_limit", "bid_limit")
GOODS = (*COINS, GARNET)
GONE = "gone"
"""The checkbox that removes a round or an auction."""

_INPUT = re.compile(r"(\d{1,4})-(?:(\d{1,4})-)?(\w{1,40})")
_USUAL = Round()

Box = dict[str, Any]

Errors = dict[str, str]
"""Input -> a sentence on what it accepts."""


class Row(msgspec.Struct):
    """A round or an auction as typed: each input's text, by its short name. `rows`: the auctions of a round, or the
    rounds of a whole sheet, by number."""

    texts: dict[str, str] = {}
    rows: dict[int, Row] = {}
    gone: bool = False

    @property
    def blank(self) -> bool:
        return not any(self.texts.values()) and all(row.blank or row.gone for row in self.rows.values())

    def kept(self) -> Row:
        """The row without blank and removed ones in it."""
        rows = sorted(self.rows.items())
        return Row(self.texts, {number: row.kept() for number, row in rows if not (row.blank or row.gone)}, self.gone)

    def with_next(self) -> Iterator[tuple[int, Row]]:
        """The rows to show: all but blank ones, and an empty one at the end."""
        shown = {number: row for number, row in sorted(self.rows.items()) if row.gone or not row.blank}
        return iter((shown | {max(shown, default=-1) + 1: Row()}).items())


def typed(inputs: Mapping[str, str]) -> Row:
    """The sheet from submitted inputs (name -> text). Unknown names are ignored."""
    sheet = Row()
    for name, text in inputs.items():
        if (found := _INPUT.fullmatch(name)) is None:
            continue
        row = sheet
        for number in filter(None, found.groups()[:2]):
            row = row.rows.setdefault(int(number), Row())
        if found[3] == GONE:
            row.gone = bool(text)
        else:
            row.texts[found[3]] = " ".join(text.split())
    return sheet


def written(rounds: tuple[Round, ...]) -> Row:
    """Rounds as a sheet; zero amounts become empty inputs."""
    return Row(
        rows={
            number: Row(
                {limit: str(getattr(each, limit)) for limit in LIMITS},
                {place: Row(_texts(auction)) for place, auction in enumerate(each.auctions)},
            )
            for number, each in enumerate(rounds)
        }
    )


def _texts(auction: Auction) -> dict[str, str]:
    prize = auction.prize
    amounts = {kind: getattr(prize, kind) for kind in GOODS} | {kind: getattr(prize.items, kind) for kind in KINDS}
    return {"name": auction.name} | {kind: str(amount) for kind, amount in amounts.items() if amount}


def signature(rounds: tuple[Round, ...]) -> str:
    """A short checksum of the rounds."""
    return hashlib.sha256(msgspec.json.encode(rounds)).hexdigest()[:16]


def whole(text: str, where: str, errors: Errors, usual: int = 0) -> int:
    """The number that is typed, `usual` if none is; what is wrong with it goes into `errors`."""
    if text and not (text.isascii() and text.isdecimal() and len(text) <= 9 and int(text) <= MOST):
        errors[where] = f"Enter a whole number from 0 to {MOST}."
        return usual
    return int(text) if text else usual


def read(sheet: Row, names: Mapping[str, str]) -> tuple[tuple[Round, ...], Errors]:
    """The rounds, and what is wrong. If anything is, the rounds hold only what could be read.

    `names`: the names of the match's items; other items are refused.
    """
    errors: Errors = {}
    taken: set[str] = set()
    rounds: list[Round] = []
    for number, each in list(sheet.kept().rows.items())[: MOST_ROUNDS + 1]:
        limits = {
            limit: whole(each.texts.get(limit, ""), f"{number}-{limit}", errors, getattr(_USUAL, limit))
            for limit in LIMITS
        }
        rows = list(each.rows.items())
        auctions = [_auction(f"{number}-{key}", row, names, taken, errors) for key, row in rows[:MOST_AUCTIONS]]
        for key, _ in rows[MOST_AUCTIONS : MOST_AUCTIONS + 1]:
            errors[f"{number}-{key}-name"] = f"A round has at most {MOST_AUCTIONS} auctions. Take some out."
        if len(rounds) == MOST_ROUNDS:
            errors[f"{number}-auction_limit"] = f"A match has at most {MOST_ROUNDS} rounds. Take some out."
        rounds.append(Round(**limits, auctions=tuple(auctions)))
    return tuple(rounds), errors


def _auction(where: str, row: Row, names: Mapping[str, str], taken: set[str], errors: Errors) -> Auction:
    amounts = {kind: whole(row.texts.get(kind, ""), f"{where}-{kind}", errors) for kind in (*GOODS, *KINDS)}
    items = {kind: amounts.pop(kind) for kind in KINDS}
    for kind, amount in items.items():
        if amount and kind not in names:
            left_out = "This item is left out of the match: empty this field, or put the item back."
            errors[f"{where}-{kind}"] = left_out
    name = row.texts.get("name", "")
    if not name:
        errors[f"{where}-name"] = "Give this auction a name, or empty its row."
    elif name in taken:
        twice = f'There is another auction called "{name}": each in a match needs a name of its own.'
        errors[f"{where}-name"] = twice
    elif fault := untidy(name, LONGEST_NAME):
        errors[f"{where}-name"] = sentence(fault)
    taken.add(name)
    return Auction(name, Prize(**amounts, items=PrizeItems(**items)))


def stored(rounds: tuple[Round, ...]) -> list[dict[str, Any]]:
    """The rounds as the JSON that is stored."""
    written_out: list[dict[str, Any]] = msgspec.to_builtins(rounds, builtin_types=())
    return written_out


# -- what the template shows ---------------------------------------------------------------------


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

    def columns(self, sheet: Row) -> list[dict[str, Any]]:
        """The kinds of things in a prize: those of the match, and any other that was typed."""
        rows = [row for each in sheet.rows.values() for row in each.rows.values()]
        kinds = [kind for kind in KINDS if kind in self.names or any(row.texts.get(kind) for row in rows)]
        goods = [{"kind": kind, "words": kind.capitalize(), "is_item": False} for kind in GOODS]
        items = [
            {"kind": kind, "words": self.names.get(kind, USUAL_WORDS[kind].name), "is_item": True} for kind in kinds
        ]
        return goods + items

    def rounds(self, sheet: Row, columns: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The rounds, each with an empty auction at its end, and an empty round at the end."""
        return [self._round(number, key, each, columns) for number, (key, each) in enumerate(sheet.with_next(), 1)]

    def _box(self, short: str, row: Row, key: str, **more: Any) -> Box:
        return box(self.name, f"{short}-{key}", row.texts.get(key, ""), self.errors, **more)

    def _gone(self, short: str, row: Row) -> Box:
        return box(self.name, f"{short}-{GONE}", "1" if row.gone else "", self.errors)

    def _round(self, number: int, key: int, each: Row, columns: Sequence[dict[str, Any]]) -> dict[str, Any]:
        is_fixed = number <= self.fixed
        rows = [(place, row) for place, row in each.with_next() if not (is_fixed and row.blank)]
        return {
            "number": number,
            "fixed": is_fixed,
            "empty": each.blank,
            "names": ", ".join(name for _, row in rows if (name := row.texts.get("name"))),
            "open": any(short.startswith(f"{key}-") for short in self.errors),
            "gone": self._gone(str(key), each),
            "auctions": [self._auction(f"{key}-{place}", row, columns) for place, row in rows],
            **{limit: self._box(str(key), each, limit, fixed=is_fixed) for limit in LIMITS},
        }

    def _auction(self, where: str, row: Row, columns: Sequence[dict[str, Any]]) -> dict[str, Any]:
        amounts = [self._box(where, row, each["kind"], **each) for each in columns]
        label = self._box(where, row, "name")
        faults = [each for each in (label, *amounts) if each["error"]]
        return {
            "label": label,
            "amounts": amounts,
            "empty": row.blank,
            "gone": self._gone(where, row),
            "faults": faults,
        }
