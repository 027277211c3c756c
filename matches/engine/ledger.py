"""Postings, by which everything countable moves, and the balances that they add up to.

A posting moves a positive whole amount from a giver to a receiver; `None` is the bank. Postings are never edited or
deleted: corrections are postings too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

GARNET = "garnet"
PRIORITY = "priority"
TOL = "tol"
BLOOD_GARNET = "blood_garnet"

MOST = 10**12
"""No balance may be further from zero, on credit too: whatever would take it there is a mistake."""

MOST_CORRECTED = 10**9
"""No correction may take a balance further than this: play must have room to pay and to earn."""

Purses = dict[str, dict[str, int]]
"""Handle -> asset -> balance. Zero balances are left out."""


class Posting(msgspec.Struct, frozen=True):
    """One transfer of `amount` (> 0, whole) of `asset`; `reason` is a stable word."""

    giver: str | None
    receiver: str | None
    asset: str
    amount: int
    reason: str


def balance(purses: Purses, player: str, asset: str) -> int:
    """What a player holds of an asset."""
    return purses.get(player, {}).get(asset, 0)


def apply_postings(purses: Mapping[str, Mapping[str, int]], postings: Iterable[Posting]) -> Purses:
    """The purses after the postings. Nothing is checked here: `Turn` has done so, and the database checks the sums."""
    after = {player: dict(purse) for player, purse in purses.items()}
    for posting in postings:
        for player, amount in (
            (posting.giver, -posting.amount),
            (posting.receiver, posting.amount),
        ):
            if player is not None:
                purse = after.setdefault(player, {})
                purse[posting.asset] = purse.get(posting.asset, 0) + amount
                if not purse[posting.asset]:
                    del purse[posting.asset]
    return after
