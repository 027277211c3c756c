"""Reading amounts: whole garnets and priority, blood garnets with up to four decimals."""

from __future__ import annotations

import re
from decimal import Decimal

from seasons.engine.state import BLOOD_UNITS

_DECIMAL = re.compile(r"[+-]?\d{1,12}(?:\.\d{1,4})?", re.ASCII)


def whole(raw: object) -> int:
    """A whole amount. Raises `ValueError` that says what would be accepted."""
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise ValueError("expected a whole number")
    return raw


def blood_units(raw: object) -> int:
    """Blood garnets in ten-thousandths: a number, or text such as "12.5". Raises `ValueError`."""
    text = str(raw) if isinstance(raw, int | float | str) and not isinstance(raw, bool) else ""
    if not _DECIMAL.fullmatch(text):
        raise ValueError('expected a number with at most four decimals, such as "12.5"')
    return int(Decimal(text) * BLOOD_UNITS)


def shown_blood(text: str) -> str:
    """Blood garnets without trailing zeros: “12.5”."""
    return text.rstrip("0").rstrip(".") if "." in text else text
