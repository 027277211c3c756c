"""What account pages say about a browser: its name and system, not the line that it sends."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.browsers import name_of
from accounts.models import User

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/17.1 Mobile/15E148 Safari/604.1"
)


@pytest.mark.parametrize(
    ("sent", "name"),
    [
        (FIREFOX, "Firefox 133 on Windows"),
        (IPHONE, "Mobile Safari 17 on iOS"),
        ("curl/8.5.0", "curl 8"),
        ("", "an unknown browser"),
        ("something of my own" * 9, ("something of my own" * 9)[:60]),
    ],
)
def test_a_browser_has_the_name_that_people_know(sent: str, name: str) -> None:
    assert name_of(sent) == name


@pytest.mark.django_db
def test_account_pages_show_the_name_and_a_time_with_its_day_and_zone() -> None:
    User.objects.create_user("ann", "ann@example.org", "quiet-lantern-42")
    home = Client(headers={"User-Agent": FIREFOX})
    home.post("/accounts/login/", {"login": "ann", "password": "quiet-lantern-42"})
    page = home.get("/accounts/sessions/").content.decode()
    assert "Firefox 133 on Windows" in page
    assert "Mozilla" not in page
    assert 'data-moment="dated"' in page
