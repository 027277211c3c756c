"""The tools of the browser tests work: a real page, its own script, no complaint from the browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from tests.fixtures.chromium import Profiles, Visitors
from tests.fixtures.site import Site

pytestmark = pytest.mark.browser


def _cookies(user: Any) -> list[tuple[str, str]]:
    client = Client()
    client.force_login(user)
    return [(name, morsel.value) for name, morsel in client.cookies.items()]


@pytest.fixture
def visit(profiles: Profiles, site: Site) -> Iterator[Visitors]:
    """`page = visit(user)` opens a browser as that user; the test fails when a page had errors on its console.

    A test that provokes such errors calls `visit.forgive` when it has seen what it wanted.
    """
    visitors = Visitors(profiles, site, _cookies)
    yield visitors
    visitors.close()
    assert visitors.problems == []


def test_pages_load_in_chromium_under_the_strict_policy(visit, site):
    page = visit()
    response = page.goto("/accounts/login/")
    assert response.status == 200
    policy = response.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert page.evaluate("typeof htmx") == "object"


def test_a_visitor_can_be_signed_in_from_the_start(visit):
    person = get_user_model().objects.create_user("ada", "ada@example.org", "not used here")
    assert visit(person).goto("/profile/").url.endswith("/profile/")
    assert "/accounts/login/" in visit().goto("/profile/").url


def test_admin_pages_obey_the_policy_too(visit):
    host = get_user_model().objects.create_superuser("host", "host@example.org", "not used here")
    page = visit(host)
    for path in ("/admin/", "/admin/accounts/user/add/", "/admin/accounts/user/"):
        assert page.goto(path).status == 200


def test_services_can_be_called_beside_the_browser(visit, aside):
    from asgiref.sync import async_to_sync
    from channels.layers import get_channel_layer

    visit().goto("/accounts/login/")
    aside(async_to_sync(get_channel_layer().group_send), "nobody", {"type": "hello"})
    with pytest.raises(ZeroDivisionError):
        aside(lambda: 1 // 0)
