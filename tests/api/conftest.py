"""A running match, a check of every answer against the OpenAPI document, and no rate limits."""

import pytest

from matches.infra import rate_limits
from matches.infra.rate_limits import Buckets
from tests.fixtures import table as table_module
from tests.fixtures.described import as_described
from tests.fixtures.site import Site
from tests.fixtures.table import Person, Table, running


@pytest.fixture(autouse=True)
def _as_described(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check every answer in these tests against the OpenAPI document."""
    monkeypatch.setattr(table_module, "judges", [as_described])


@pytest.fixture
def table(site: Site, _no_rates: None) -> Table:
    return running(site)[0]


@pytest.fixture
def ann(table: Table) -> Person:
    return table.people[0]


@pytest.fixture
def _no_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "action_rates", lambda: Buckets(0, 0))
