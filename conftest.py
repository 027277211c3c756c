"""pytest configuration for all tests, including those in the games' folders: fixtures, and which tests a run takes.

A run is on SQLite, or (when tests/run.py starts it) on PostgreSQL with Redis:
- unmarked tests run on SQLite only,
- `services` tests run on PostgreSQL with Redis only,
- `both` tests run in each, but those that are marked `services` themselves only there.
"""

import gc
import os
import secrets
import shutil
from collections.abc import Iterator

import django.test.client
import pytest
from django.conf import settings

from matches.games import registry

pytest_plugins = [
    "tests.fixtures.chromium",
    "tests.fixtures.flush",
    "tests.fixtures.mail_server",
    "tests.fixtures.migrated",
    "tests.fixtures.collecting",  # which needs the one before
    "tests.fixtures.present",
    "tests.fixtures.receiver",
    "tests.fixtures.roomy",
    "tests.fixtures.site",
    "tests.browser.fixtures",
    "tests.games.fixtures",
    "tests.access.error_pages",
    "tests.secrecy.mailbox",
]


# Hardly anything that is imported and collected becomes garbage, so collect less often.
gc.set_threshold(50_000, 50, 100)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Make the run's own DATA_DIR, and remove it at the end. All random choices of a run come from one seed."""
    seed = config.option.hypothesis_seed or os.environ.get("RANDOM_SEED") or str(secrets.randbits(32))
    config.option.hypothesis_seed = os.environ["RANDOM_SEED"] = seed  # workers inherit it
    settings.DATA_DIR.mkdir(mode=0o700, exist_ok=True)
    config.add_cleanup(lambda: shutil.rmtree(settings.DATA_DIR, ignore_errors=True))


def pytest_report_header(config: pytest.Config) -> str:
    """Say how to repeat the random part of this run."""
    return f"random plays: --hypothesis-seed={config.option.hypothesis_seed} repeats them"


def pytest_collection_finish(session: pytest.Session) -> None:
    """Exclude everything loaded so far (modules, tests) from garbage collection: it stays to the end."""
    gc.collect()
    gc.freeze()


_note_contexts = django.test.client.store_rendered_templates  # type: ignore[attr-defined]
# Hardly any test asks what templates were given, and recording it copies every context.
django.test.client.store_rendered_templates = lambda *args, **kwargs: None  # type: ignore[attr-defined]


@pytest.fixture
def contexts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let answers of test clients have a `context`."""
    monkeypatch.setattr(django.test.client, "store_rendered_templates", _note_contexts)


_all_games = registry.all_games


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Undo a test's change of the known match types, which would make a later test fail, and fail the test."""
    yield
    if registry.all_games is not _all_games:
        registry.all_games = _all_games
        pytest.fail(f"{item.nodeid} leaves other match types behind")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what belongs to the other run, and put browser tests last."""
    _need_own_marks(items)
    on_services = bool(os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"))
    missing = os.environ.get("SERVICES_MISSING")
    taken, left = [], []
    for item in items:
        services, both = item.get_closest_marker("services"), item.get_closest_marker("both")
        if services and missing:
            item.add_marker(pytest.mark.skip(reason=missing))
            taken.append(item)
        elif (both and not services) or bool(services) == on_services:
            taken.append(item)
        else:
            left.append(item)
    if left:
        config.hook.pytest_deselected(items=left)
    # Playwright keeps an event loop running in this thread from its first test on, so tests of coroutines go first.
    items[:] = sorted(taken, key=lambda item: item.get_closest_marker("browser") is not None)


def _need_own_marks(items: list[pytest.Item]) -> None:
    """Require these marks in the file itself, where tests/run.py looks for them, and the mark of browser tests."""
    for path, name in {
        (item.path, mark.name) for item in items for mark in item.iter_markers() if mark.name in _OF_RUNS
    }:
        if f"mark.{name}" not in path.read_text():
            raise pytest.UsageError(f"{path} has tests marked {name}: write pytest.mark.{name} in the file itself")
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()) and not item.get_closest_marker("browser"):
            raise pytest.UsageError(f"{item.nodeid} needs a browser: mark it with pytest.mark.browser")


_OF_RUNS = ("browser", "services", "both")
