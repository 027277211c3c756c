"""The hash chain of logs, of matches and of seasons: each row's hash covers the row and the hash of the row before.
And what exported files of both have of their ledgers."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from matches.engine.strict_json import canonical


def sha256(text: str) -> str:
    """The hash of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def content_hash(facts: Mapping[str, Any]) -> str:
    """SHA-256 over a row's facts as canonical JSON. Its salt is among them, so nobody can guess them from it."""
    return sha256(canonical(facts))


def row_hash(previous: str, content: str) -> str:
    """SHA-256 over the hash of the row before and that of the content: also a row whose content is shown to nobody
    proves its place."""
    return sha256(f"{previous}\n{content}")


def broken_at(rows: Iterable[tuple[int, str, str, bool]], count: int | None = None, head: str = "") -> int | None:
    """The number of the first row that does not fit the chain, None when it is whole. Of each row its number, the hash
    of the row before, its own, and whether that is right; `count` and `head`: how many rows there are, and the last
    hash."""
    previous, number = "", 0
    for number, (named, before, stored, is_right) in enumerate(rows, start=1):
        if named != number or before != previous or not is_right:
            return number
        previous = stored
    return None if count is None or (number, previous) == (count, head) else number + 1


def differences(name: str, expected: Counter[Any], stored: Counter[Any]) -> list[str]:
    """Whether what is stored is what the log gives, in a sentence if it is not."""
    missing, extra = expected - stored, stored - expected
    if not missing and not extra:
        return []
    return [f"The {name} does not match the log (rows missing: {missing.total()}, too many: {extra.total()})."]


class ExportedEntry(msgspec.Struct, frozen=True):
    """An entry of the ledger, which follows from the row with that number. Null is the bank; blood garnets are counted
    in ten-thousandths."""

    row: int
    giver: str | None
    receiver: str | None
    asset: str
    amount: int
    reason: str
    note: str
    at: str
