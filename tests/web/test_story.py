"""The result as a story: turning points that the rules find, and texts to pass on."""

import pytest

from tests.web.conftest import Table, browser

pytestmark = pytest.mark.django_db


def test_before_the_end_nothing_is_told(auction: Table) -> None:
    page = browser().look(f"{auction.url}result/")
    assert "Turning points" not in page
    assert "Share the result" not in page
