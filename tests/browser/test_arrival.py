"""A page of a match whose own sheets come without a rule is shown all the same."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.fixtures.chromium import Visitors

pytestmark = pytest.mark.browser

NAMES = ("ann", "bob", "cat")
SHOWN = "(main) => main.firstElementChild.checkVisibility({contentVisibilityAuto: true})"


def test_a_match_without_its_sheets_is_shown_all_the_same(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    people = [person(name) for name in NAMES]
    page = visit(people[0])
    page.route("**/bundles/match-*.css", lambda route: route.fulfill(content_type="text/css", body=""))
    page.goto(table("Plain", people)["url"])
    page.wait_for_function(f"({SHOWN})(document.getElementById('main'))")
