"""Boards that look unlike the usual one, for tests that look at pages."""

from __future__ import annotations

from typing import Any

CONFIGS: dict[str, dict[str, Any]] = {
    "smallest grid": {"columns": 3, "rows": 3, "first_seat": "A"},
    "widest grid": {"columns": 8, "rows": 3},
    "highest grid": {"columns": 3, "rows": 8},
    "fee from the start": {"fee_after": "0h", "chip_price": 0},
}
