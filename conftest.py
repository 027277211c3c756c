"""For every test, here and in the games' own folders: what the fixtures are and which tests this run takes.

A run is on SQLite, or (tests/run.py starts it so) on PostgreSQL with Redis:

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


# Of all that is imported and collected hardly anything goes again, so it need not be looked through all the time.
gc.set_threshold(50_000, 50, 100)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Makes the run's own DATA_DIR, and removes it at the end. All that a run chooses by chance comes from one seed."""
    seed = config.option.hypothesis_seed or os.environ.get("RANDOM_SEED") or str(secrets.randbits(32))
    config.option.hypothesis_seed = os.environ["RANDOM_SEED"] = seed  # workers inherit it
    settings.DATA_DIR.mkdir(mode=0o700, exist_ok=True)
    config.add_cleanup(lambda: shutil.rmtree(settings.DATA_DIR, ignore_errors=True))


def pytest_report_header(config: pytest.Config) -> str:
    """What repeats the random part of this run."""
    return f"random plays: --hypothesis-seed={config.option.hypothesis_seed} repeats them"


def pytest_collection_finish(session: pytest.Session) -> None:
    """What is there by now (modules, tests) stays to the end: nobody need look through it for garbage."""
    gc.collect()
    gc.freeze()


_note_contexts = django.test.client.store_rendered_templates  # type: ignore[attr-defined]
# Hardly a test asks what templates were given. Noting it copies the context of each of them, each time.
django.test.client.store_rendered_templates = lambda *args, **kwargs: None  # type: ignore[attr-defined]


@pytest.fixture
def contexts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers of test clients have a `context`."""
    monkeypatch.setattr(django.test.client, "store_rendered_templates", _note_contexts)


_all_games = registry.all_games


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """A test that makes another match type known takes it back, or a later one that counts them fails."""
    yield
    if registry.all_games is not _all_games:
        registry.all_games = _all_games
        pytest.fail(f"{item.nodeid} leaves other match types behind")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what belongs to the other run, and puts browser tests last."""
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
    # Playwright keeps an event loop running in this thread from its first test on, so tests of coroutines go before it.
    items[:] = sorted(taken, key=lambda item: item.get_closest_marker("browser") is not None)


def _need_own_marks(items: list[pytest.Item]) -> None:
    """tests/run.py finds the files of these marks by their text, and a browser beside other tests disturbs them."""
    for path, name in {
        (item.path, mark.name) for item in items for mark in item.iter_markers() if mark.name in _OF_RUNS
    }:
        if f"mark.{name}" not in path.read_text():
            raise pytest.UsageError(f"{path} has tests marked {name}: write pytest.mark.{name} in the file itself")
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()) and not item.get_closest_marker("browser"):
            raise pytest.UsageError(f"{item.nodeid} needs a browser: mark it with pytest.mark.browser")


_OF_RUNS = ("browser", "services", "both")
