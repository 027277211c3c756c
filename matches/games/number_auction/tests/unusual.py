"""Rounds that look unlike the usual ones, for tests that look at pages."""

from __future__ import annotations

from typing import Any

CONFIGS: dict[str, dict[str, Any]] = {
    "a number at a time": {"rounds": 50, "numbers_per_round": 1},
    "a pregame": {"pregame": "2h"},
}
