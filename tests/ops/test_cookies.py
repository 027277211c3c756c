"""Over https no cookie can be planted or overwritten by a neighbour, or read on the way."""

from http.cookies import Morsel
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from tests.ops.test_site_in_force import in_force

NAMES = ("SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME")


def bare(cookie: Morsel[str]) -> list[str]:
    """What this cookie lacks."""
    faults = {
        "a prefix": cookie.key.startswith("__Host-") and cookie["path"] == "/",
        "secure": bool(cookie["secure"]),
        "samesite": cookie["samesite"] in ("Lax", "Strict"),
        "httponly": bool(cookie["httponly"]) or "csrftoken" in cookie.key,
        "no domain": not cookie["domain"],
    }
    return [f"{cookie.key}: {name}" for name, holds in faults.items() if not holds]


@pytest.fixture
def browser(settings: Any, db: None) -> Client:
    """As on a site that is reached over https."""
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    for name in NAMES:
        setattr(settings, name, in_force()[name])
    get_user_model().objects.create_user("ada", "ada@example.org", "correct horse")
    return Client(SERVER_NAME="localhost", headers={"X-Forwarded-Proto": "https"})


def test_every_cookie_is_of_this_host_alone(browser: Client) -> None:
    kept: dict[str, Morsel[str]] = {}
    for post, path, form in (
        (False, "/accounts/login/", {}),
        (True, "/accounts/login/", {"login": "ada", "password": "correct horse", "remember": "on"}),
        (False, "/games/", {}),
        (True, "/profile/tokens/", {"name": "a program", "scope": "act", "days": 90}),
        (True, "/accounts/logout/", {}),
        (True, "/results/", {"hide": "1"}),
    ):
        answer = (browser.post if post else browser.get)(path, form, secure=True)
        kept |= {name: each for name, each in answer.cookies.items() if each["max-age"] != 0}
    assert {name.rpartition("-")[2] for name in kept} >= {"sessionid", "csrftoken", "messages", "results"}
    assert [fault for cookie in kept.values() for fault in bare(cookie)] == []
