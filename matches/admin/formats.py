"""How the console writes what it counts: instants in UTC and in the host's zone, lengths of time, amounts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from django.utils import timezone

from matches.engine.sentences import asset_name
from matches.models.ledger import shown_amount
from matches.pages.durations import in_round_words, moment_in_words


def instant(at: datetime) -> str:
    """“Sat 21 Nov, 14:00 UTC (15:00 your time)”, the second part where the zones differ."""
    said, here, there = moment_in_words(at), timezone.localtime(at), at.astimezone(UTC)
    if here.utcoffset() == there.utcoffset():
        return said
    day = "" if here.date() == there.date() else f"{here:%a} {here.day} {here:%b}, "
    return f"{said} ({day}{here:%H:%M} your time)"


def local(at: datetime) -> str:
    """“Sat 21 Nov, 15:00:07” in the host's zone, which every page of the console names at its foot."""
    here = timezone.localtime(at)
    return f"{here:%a} {here.day} {here:%b}, {here:%H:%M:%S}"


def span(length: timedelta | float) -> str:
    """A length of time as people say it."""
    return in_round_words(length)


def units(asset: str, amount: int) -> str:
    """An amount in stored units with its name: “3 garnets”, “1.5 blood garnets”."""
    shown = shown_amount(asset, amount)
    return asset_name(asset, plain(shown) if isinstance(shown, Decimal) else shown)


def asset_word(asset: str) -> str:
    """What an asset is called: “garnets”, “Tokens of Life”."""
    return asset_name(asset, 2).removeprefix("2 ")


def plain(amount: Decimal) -> Decimal:
    """A decimal without idle zeros, and never as 1E+2."""
    return Decimal(format(amount.normalize(), "f"))


def plain_amount(amount: int | Decimal) -> str:
    """An amount as people count it."""
    return str(plain(amount)) if isinstance(amount, Decimal) else str(amount)
