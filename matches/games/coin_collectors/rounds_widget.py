"""The round builder: reads rounds as hosts type them, and makes the rows and inputs for its template."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from matches.engine.ledger import GARNET
from matches.engine.sentences import sentence
from matches.games.coin_collectors.config import LONGEST_NAME, MOST_AUCTIONS, MOST_ROUNDS, untidy
from matches.games.coin_collectors.prizes import COINS, KINDS, MOST, USUAL_WORDS, Auction, Prize, PrizeItems, Round

# -- typed rounds ----------------------------------------------------------------------------------------
# Reads rounds as hosts type them: from texts by input to rounds, with an error at each input that is wrong.
#
# Inputs are named by their position: `0-auction_limit` in the first round, `0-2-gold` in its third auction. Numbers
# may have gaps. Empty rows are ignored.

LIMITS = ("auction_limit", "bid_limit")
GOODS = (*COINS, GARNET)
GONE = "gone"
"""The checkbox that removes a round or an auction."""

_INPUT = re.compile(r"(\d{1,4})-(?:(\d{1,4})-)?(\w{1,40})")
_USUAL = Round()

Errors = dict[str, str]
"""Input -> a sentence on what it accepts."""


class AuctionRow(msgspec.Struct):
    """An auction as typed: the text of each input, by its short name."""

    texts: dict[str, str] = {}
    gone: bool = False

    @property
    def blank(self) -> bool:
        return not any(self.texts.values())


class RoundRow(msgspec.Struct):
    """A round as typed; its auctions by number."""

    texts: dict[str, str] = {}
    auctions: dict[int, AuctionRow] = {}
    gone: bool = False

    @property
    def blank(self) -> bool:
        return not any(self.texts.values()) and all(row.blank or row.gone for row in self.auctions.values())


Sheet = dict[int, RoundRow]
"""The rounds by number, in order."""


def typed(inputs: Mapping[str, str]) -> Sheet:
    """The sheet from submitted inputs (name -> text). Unknown names are ignored."""
    sheet: Sheet = {}
    for name, text in inputs.items():
        if (found := _INPUT.fullmatch(name)) is None:
            continue
        each = sheet.setdefault(int(found[1]), RoundRow())
        row = each if found[2] is None else each.auctions.setdefault(int(found[2]), AuctionRow())
        if found[3] == GONE:
            row.gone = bool(text)
        else:
            row.texts[found[3]] = " ".join(text.split())
    return {
        number: RoundRow(each.texts, dict(sorted(each.auctions.items())), each.gone)
        for number, each in sorted(sheet.items())
    }


def written(rounds: tuple[Round, ...]) -> Sheet:
    """Rounds as a sheet; zero amounts become empty inputs."""
    return {
        number: RoundRow(
            {limit: str(getattr(each, limit)) for limit in LIMITS},
            {place: AuctionRow(_texts(auction)) for place, auction in enumerate(each.auctions)},
        )
        for number, each in enumerate(rounds)
    }


def _texts(auction: Auction) -> dict[str, str]:
    prize = auction.prize
    amounts = {kind: getattr(prize, kind) for kind in GOODS} | {kind: getattr(prize.items, kind) for kind in KINDS}
    return {"name": auction.name} | {kind: str(amount) for kind, amount in amounts.items() if amount}


def signature(rounds: tuple[Round, ...]) -> str:
    """A short checksum of the rounds."""
    return hashlib.sha256(msgspec.json.encode(rounds)).hexdigest()[:16]


def kept(sheet: Sheet) -> Sheet:
    """The rounds and auctions without blank and removed ones."""
    return {
        number: RoundRow(
            each.texts, {place: row for place, row in each.auctions.items() if not (row.blank or row.gone)}
        )
        for number, each in sheet.items()
        if not (each.gone or each.blank)
    }


def read(sheet: Sheet, names: Mapping[str, str]) -> tuple[tuple[Round, ...], Errors]:
    """The rounds, and what is wrong. If anything is, the rounds hold only what could be read.

    `names`: the names of the match's items; other items are refused.
    """
    reader, rounds = _Reader(names), []
    for place, (number, each) in enumerate(kept(sheet).items()):
        if place == MOST_ROUNDS:
            reader.errors[f"{number}-auction_limit"] = f"A match has at most {MOST_ROUNDS} rounds. Take some out."
            break
        rounds.append(reader.round(number, each))
    return tuple(rounds), reader.errors


class _Reader:
    """Reads texts; notes what is wrong by input."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.errors: Errors = {}
        self._names = names
        self._taken: set[str] = set()

    def round(self, number: int, each: RoundRow) -> Round:
        limits = {
            limit: self._whole(f"{number}-{limit}", each.texts.get(limit, ""), getattr(_USUAL, limit))
            for limit in LIMITS
        }
        auctions = []
        for place, (key, row) in enumerate(each.auctions.items()):
            if place == MOST_AUCTIONS:
                self.errors[f"{number}-{key}-name"] = f"A round has at most {MOST_AUCTIONS} auctions. Take some out."
                break
            auctions.append(self._auction(f"{number}-{key}", row))
        return Round(**limits, auctions=tuple(auctions))

    def _auction(self, where: str, row: AuctionRow) -> Auction:
        goods = {kind: self._whole(f"{where}-{kind}", row.texts.get(kind, "")) for kind in GOODS}
        items = {kind: self._item(f"{where}-{kind}", kind, row.texts.get(kind, "")) for kind in KINDS}
        name = row.texts.get("name", "")
        if (fault := self._name_fault(name)) is not None:
            self.errors[f"{where}-name"] = fault
        self._taken.add(name)
        return Auction(name, Prize(**goods, items=PrizeItems(**items)))

    def _name_fault(self, name: str) -> str | None:
        if not name:
            return "Give this auction a name, or empty its row."
        if name in self._taken:
            return f'There is another auction called "{name}": each in a match needs a name of its own.'
        fault = untidy(name, LONGEST_NAME)
        return fault and sentence(fault)

    def _item(self, where: str, kind: str, text: str) -> int:
        amount = self._whole(where, text)
        if amount and kind not in self._names:
            self.errors[where] = "This item is left out of the match: empty this field, or put the item back."
        return amount

    def _whole(self, where: str, text: str, usual: int = 0) -> int:
        if not text:
            return usual
        if not (text.isascii() and text.isdecimal() and len(text) <= 9 and int(text) <= MOST):
            self.errors[where] = f"Enter a whole number from 0 to {MOST}."
            return usual
        return int(text)


def lines(sheet: Sheet) -> Iterator[tuple[int, RoundRow]]:
    """The rounds to show: all but blank ones, each with an empty auction at its end, and an empty round at the end."""
    shown = {number: each for number, each in sheet.items() if each.gone or not each.blank}
    after = max(shown, default=-1) + 1
    for number, each in (shown | {after: RoundRow()}).items():
        rows = {place: row for place, row in each.auctions.items() if not row.blank}
        empty = max(rows, default=-1) + 1
        yield number, RoundRow(each.texts, rows | {empty: AuctionRow()}, each.gone)


def stored(rounds: tuple[Round, ...]) -> list[dict[str, Any]]:
    """The rounds as the JSON that is stored."""
    written_out: list[dict[str, Any]] = msgspec.to_builtins(rounds, builtin_types=())
    return written_out


# -- rounds widget -------------------------------------------------------------------------------------

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
