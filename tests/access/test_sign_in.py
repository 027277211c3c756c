"""The way in, tried by somebody who has no business there."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import deliver

PASSWORD = "correct horse"
VARYING = {"X-Request-ID", "Content-Length", "Expires"}


@pytest.fixture
def ann(db: None) -> User:
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


def answers_to_new_accounts(ann: User, password: str) -> list[tuple[Any, ...]]:
    """Of cecil, who types the address that ann has confirmed, and of doris, whose address nobody has."""
    EmailAddress.objects.create(user=ann, email=ann.email, verified=True, primary=True)
    passwords = {"password1": password, "password2": password}
    return [
        answer_to("/accounts/signup/", username=name, email=email, **passwords)
        for name, email in (("cecil", ann.email), ("doris", "doris@example.org"))
    ]


def test_signing_in_does_not_tell_who_has_an_account(ann: User) -> None:
    for known, unknown in (("ann", "bob"), ("ann@example.org", "bob@example.org")):
        told = [answer_to("/accounts/login/", login=name, password="wrong") for name in (known, unknown)]
        assert told[0] == told[1]


def test_nor_does_a_forgotten_password(ann: User) -> None:
    known = answer_to("/accounts/password/reset/", email="ann@example.org")
    assert known == answer_to("/accounts/password/reset/", email="bob@example.org")
    assert mail.outbox == []  # the page does not even look for the account
    deliver()
    assert len(mail.outbox) == 2  # both are written to, and each letter says what is so


def test_nor_does_a_new_account_with_the_address_of_another(ann: User) -> None:
    told = answers_to_new_accounts(ann, PASSWORD)
    assert told[0] == told[1]
    assert told[0][0] == 302
    deliver()
    assert sorted(letter.to[0] for letter in mail.outbox) == ["ann@example.org", "doris@example.org"]
    # The address stays that of her account: for signing in, and for a new password.
    assert Client().post("/accounts/login/", {"login": ann.email, "password": PASSWORD}).wsgi_request.user == ann
    mail.outbox.clear()
    Client().post("/accounts/password/reset/", {"email": ann.email})
    deliver()
    assert [("“ann”" in letter.body, "“cecil”" in letter.body) for letter in mail.outbox] == [(True, False)]


def test_each_name_costs_one_comparison(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two for one name and three for another would tell by the time."""
    EmailAddress.objects.create(user=ann, email=ann.email, verified=True, primary=True)
    made: list[str] = []
    encode = MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *args: made.append("one") or encode(*args))
    costs = {}
    for name in ("ann", "ann@example.org", "bob", "bob@example.org"):
        made.clear()
        Client().post("/accounts/login/", {"login": name, "password": "wrong"})
        costs[name] = len(made)
    assert set(costs.values()) == {1}


def test_a_session_that_was_planted_before_is_not_the_one_signed_in(ann: User) -> None:
    browser = Client()
    session = browser.session
    session["planted"] = "yes"
    session.save()
    browser.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    assert browser.post("/accounts/login/", {"login": "ann", "password": PASSWORD}).status_code == 302
    assert browser.cookies[settings.SESSION_COOKIE_NAME].value != session.session_key
    assert Client(headers={"Cookie": f"sessionid={session.session_key}"}).get("/me/").status_code == 302


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
    browser.force_login(ann)
    read = browser.post("/notices/read/", {"all": "1"}, headers={"Referer": f"http://testserver{place}"})
    assert read["Location"].startswith("/")
    assert not re.match(r"[/\\\s]{2}", read["Location"])
