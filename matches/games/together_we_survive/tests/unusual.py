"""Matches that look unlike the usual one, for tests that look at pages."""

from __future__ import annotations

from typing import Any

CONFIGS: dict[str, dict[str, Any]] = {
    "many tokens": {"tokens_a": 500, "tokens_b": 300},
    "no tokens in group B": {"tokens_b": 0},
}
