"""For every test, here and in the games' own folders: what the fixtures are and which tests this run takes.

A run is on SQLite, or (tests/run.py starts it so) on PostgreSQL with Redis:

- unmarked tests run on SQLite only,
- `services` tests run on PostgreSQL with Redis only,
- `both` tests run in each.
"""

from __future__ import annotations

import os
import shutil

import pytest
from django.conf import settings

pytest_plugins = [
    "tests.fixtures.chromium",
    "tests.fixtures.flush",
    "tests.fixtures.present",
    "tests.fixtures.site",
    "tests.browser.fixtures",
]


def pytest_configure(config: pytest.Config) -> None:
    """Makes the run's own DATA_DIR, and removes it at the end."""
    settings.DATA_DIR.mkdir(mode=0o700, exist_ok=True)
    config.add_cleanup(lambda: shutil.rmtree(settings.DATA_DIR, ignore_errors=True))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what belongs to the other run, and puts browser tests last."""
    on_services = bool(os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"))
    missing = os.environ.get("SERVICES_MISSING")
    taken, left = [], []
    for item in items:
        services, both = item.get_closest_marker("services"), item.get_closest_marker("both")
        if services and missing:
            item.add_marker(pytest.mark.skip(reason=missing))
            taken.append(item)
        elif both or bool(services) == on_services:
            taken.append(item)
        else:
            left.append(item)
    if left:
        config.hook.pytest_deselected(items=left)
    # Playwright keeps an event loop running in this thread from its first test on, so tests of coroutines go before it.
    items[:] = sorted(taken, key=lambda item: item.get_closest_marker("browser") is not None)
