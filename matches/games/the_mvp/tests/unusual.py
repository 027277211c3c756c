"""Matches that look unlike the usual one, for tests that look at pages."""

from __future__ import annotations

from typing import Any

CONFIGS: dict[str, dict[str, Any]] = {
    "a single round": {"max_rounds": 1},
    "three rounds": {"max_rounds": 3},
}
