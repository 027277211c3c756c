"""The way in, tried by somebody who has no business there."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client

from accounts.models import User

PASSWORD = "correct horse"
TRIES = 20
VARYING = {"X-Request-ID", "Content-Length", "Expires"}


@pytest.fixture
def ann(db: None) -> User:
    cache.clear()
    return User.objects.create_user("ann", "ann@example.org", PASSWORD)


def answer_to(path: str, **form: str) -> tuple[Any, ...]:
    """What somebody new is told, without what they typed themselves."""
    browser = Client()
    answer = browser.post(path, form)
    text = answer.content.decode()
    for typed in form.values():
        text = text.replace(typed, "TYPED")
    text = re.sub(r'(csrfmiddlewaretoken" value="|"X-CSRFToken": "|server-now" content=")[^"]+', r"\1", text)
    headers = {name: value for name, value in answer.headers.items() if name not in VARYING}
    return answer.status_code, headers, sorted(browser.cookies), text


def test_signing_in_does_not_tell_who_has_an_account(ann: User) -> None:
    for known, unknown in (("ann", "bob"), ("ann@example.org", "bob@example.org")):
        told = [answer_to("/accounts/login/", login=name, password="wrong") for name in (known, unknown)]
        assert told[0] == told[1]


def test_nor_does_a_forgotten_password(ann: User) -> None:
    known = answer_to("/accounts/password/reset/", email="ann@example.org")
    assert known == answer_to("/accounts/password/reset/", email="bob@example.org")
    assert len(mail.outbox) == 2  # both are written to, and each letter says what is so


def test_a_session_that_was_planted_before_is_not_the_one_signed_in(ann: User) -> None:
    browser = Client()
    session = browser.session
    session["planted"] = "yes"
    session.save()
    browser.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    assert browser.post("/accounts/login/", {"login": "ann", "password": PASSWORD}).status_code == 302
    assert browser.cookies[settings.SESSION_COOKIE_NAME].value != session.session_key
    assert not Client(headers={"Cookie": f"sessionid={session.session_key}"}).get("/me/").context


@pytest.mark.parametrize(
    "place",
    [
        *("//evil.example", "/\\evil.example", "///evil.example", "https://evil.example", "http:///evil.example"),
        *("javascript:alert(1)", "\t//evil.example", "http://testserver@evil.example/", "/\t/evil.example"),
    ],
)
def test_nobody_is_led_to_another_site(ann: User, place: str) -> None:
    browser = Client()
    signed_in = browser.post("/accounts/login/", {"login": "ann", "password": PASSWORD, "next": place})
    assert signed_in["Location"] == "/me/"
    assert browser.post("/accounts/logout/", {"next": place})["Location"] == "/"
    browser.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    read = browser.post("/notices/read/", {"all": "1"}, headers={"Referer": f"http://testserver{place}"})
    assert read["Location"].startswith("/")
    assert not re.match(r"[/\\\s]{2}", read["Location"])


@pytest.mark.both
def test_wrong_passwords_are_counted_also_when_they_come_all_at_once(transactional_db: Any) -> None:
    cache.clear()
    User.objects.create_user("ann", "ann@example.org", PASSWORD)
    barrier = Barrier(TRIES)

    def guess(number: int) -> bool:
        """Whether the password was looked at."""
        try:
            barrier.wait(20)
            answer = Client().post("/accounts/login/", {"login": "ann", "password": f"guess {number}"})
            return answer.status_code == 200 and "Too many" not in answer.content.decode()
        finally:
            connection.close()

    with ThreadPoolExecutor(TRIES) as threads:
        looked_at = sum(threads.map(guess, range(TRIES)))
    assert looked_at == 5
    right = Client().post("/accounts/login/", {"login": "ann", "password": PASSWORD})
    assert right.status_code != 302  # until the minutes are over, and only for signing in: sessions go on
    cache.clear()
