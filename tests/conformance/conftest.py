"""How hard Hypothesis tries: quick and the same every time, or `HYPOTHESIS_PROFILE=thorough` for long and new."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)
settings.register_profile(
    "quick", max_examples=25, deadline=None, derandomize=True, database=None, suppress_health_check=_SLOW
)
settings.register_profile("thorough", max_examples=1000, deadline=None, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
