"""Submissions that only their owner may see until a deadline; the last valid one of each player counts.

A box is a plain dict from handle to `Sealed`, ordered by when each submission was made or last replaced. The order
matters: ties go to the earlier bid, and several bids may share one match time.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")


class Sealed(msgspec.Struct, Generic[T], frozen=True):
    """One sealed submission: what it says and the match time of the version that counts."""

    value: T
    at: timedelta


def put(box: dict[str, Sealed[T]], owner: str, value: T, now: timedelta) -> dict[str, Sealed[T]]:
    """The box with `owner`'s submission made or replaced."""
    return take(box, owner) | {owner: Sealed(value, now)}


def take(box: dict[str, Sealed[T]], owner: str) -> dict[str, Sealed[T]]:
    """The box without `owner`'s submission."""
    return {handle: sealed for handle, sealed in box.items() if handle != owner}
