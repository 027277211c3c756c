"""The hash chain of the logs of matches and seasons: each row's hash covers the row and the hash of the row before.
Also an entry of the ledger as exported files contain it."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from matches.engine.strict_json import canonical


def sha256(text: str) -> str:
    """The SHA-256 of a text, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def content_hash(facts: Mapping[str, Any]) -> str:
    """SHA-256 over a row's facts as canonical JSON. They include a salt, so nobody can guess them from the hash."""
    return sha256(canonical(facts))


def row_hash(previous: str, content: str) -> str:
    """SHA-256 over the hash of the row before and the hash of this row's content. So a row proves its place even if
    its content is never published."""
    return sha256(f"{previous}\n{content}")


def broken_at(rows: Iterable[tuple[int, str, str, bool]], count: int | None = None, head: str = "") -> int | None:
    """The number of the first row that does not fit the chain; None if the chain is whole.

    Each row is (number, hash of the row before, own hash, whether the own hash is right). If `count` is given, there
    must be that many rows, and the last hash must be `head`."""
    previous, number = "", 0
    for number, (named, before, stored, is_right) in enumerate(rows, start=1):
        if named != number or before != previous or not is_right:
            return number
        previous = stored
    return None if count is None or (number, previous) == (count, head) else number + 1


def differences(name: str, expected: Counter[Any], stored: Counter[Any]) -> list[str]:
    """A list with a sentence if what is stored, called `name`, differs from what the log gives; otherwise empty."""
    missing, extra = expected - stored, stored - expected
    if not missing and not extra:
        return []
    return [f"The {name} does not match the log (rows missing: {missing.total()}, too many: {extra.total()})."]


class ExportedEntry(msgspec.Struct, frozen=True):
    """An entry of the ledger. `row` is the number of the log row that caused it. A giver or receiver of null is the
    bank. Blood garnets are counted in ten-thousandths."""

    row: int
    giver: str | None
    receiver: str | None
    asset: str
    amount: int
    reason: str
    note: str
    at: str
