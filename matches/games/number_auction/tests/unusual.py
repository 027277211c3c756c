"""Rounds that look unlike the usual ones, for tests that look at pages."""

from __future__ import annotations

from typing import Any

CONFIGS: dict[str, dict[str, Any]] = {
    "a number at a time": {"rounds": 50, "numbers_per_round": 1},
    "ten numbers a round": {"rounds": 5, "numbers_per_round": 10},
    "25 numbers a round": {"rounds": 2, "numbers_per_round": 25},
    "50 numbers at once": {"rounds": 1, "numbers_per_round": 50},
    "a pregame": {"pregame": "2h"},
}
