"""How many examples Hypothesis tries: few, more at night, or very many with `HYPOTHESIS_PROFILE=thorough`. The output's
head has each run's seed, which `--hypothesis-seed` repeats."""

import os

from hypothesis import HealthCheck, settings

from tests.fixtures.chosen import EVERYTHING

_SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)
_FEW = 30 if EVERYTHING else 8
settings.register_profile("quick", max_examples=_FEW, deadline=None, database=None, suppress_health_check=_SLOW)
settings.register_profile("thorough", max_examples=1000, deadline=None, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
