"""Whoever proves again who they are gets a new session key; and what they are asked for again."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client

from accounts.models import QueuedMail, User
from tests.accounts.conftest import PASSWORD

SESSIONS = "/accounts/sessions/"


def signed_in() -> Client:
    browser = Client()
    assert browser.post("/accounts/login/", {"login": "ann", "password": PASSWORD}).status_code == 302
    return browser


def a_while_later(browser: Client) -> None:
    """Long after the password was typed."""
    session = browser.session
    key = "account_authentication_methods"
    session[key] = [{**record, "at": record["at"] - 3600} for record in session[key]]
    session.save()


def again(browser: Client, password: str = PASSWORD) -> Any:
    return browser.post("/accounts/reauthenticate/", {"password": password})


def test_after_the_password_the_old_key_of_the_session_is_of_no_use(ann: User) -> None:
    browser = signed_in()
    before = browser.session.session_key
    assert again(browser).status_code == 302
    after = browser.session.session_key
    assert after != before
    assert not Session.objects.filter(session_key=before).exists()
    assert list(UserSession.objects.values_list("session_key", flat=True)) == [after]
    assert browser.get("/profile/").status_code == 200
    stolen = Client()
    stolen.cookies["sessionid"] = before
    assert stolen.get("/profile/").status_code == 302


def test_other_sessions_are_ended_after_the_password_alone(ann: User) -> None:
    browser, elsewhere = signed_in(), signed_in()
    a_while_later(browser)
    assert browser.get(SESSIONS).status_code == 200
    asked = browser.post(SESSIONS)
    assert asked.status_code == 302
    assert asked["Location"].startswith("/accounts/reauthenticate/")
    assert elsewhere.get("/profile/").status_code == 200
    assert browser.post(asked["Location"], {"password": PASSWORD})["Location"] == SESSIONS
    browser.post(SESSIONS)
    assert elsewhere.get("/profile/").status_code == 302
    assert browser.get("/profile/").status_code == 200


@pytest.mark.parametrize("path", ["/accounts/password/set/", "/accounts/2fa/totp/activate/", "/profile/leave/"])
def test_who_has_nothing_to_show_again_is_not_kept_out(ann: User, path: str) -> None:
    """Discord signs them in: they choose a password, add a factor and delete their account like others."""
    EmailAddress.objects.create(user=ann, email=ann.email, verified=True, primary=True)
    ann.set_unusable_password()
    ann.save()
    browser = Client()
    browser.force_login(ann)
    assert browser.get(path).status_code == 200


def test_nobody_shows_who_they_are_by_a_letter(ann: User) -> None:
    """Whoever reads the mail of a person with a factor needs the factor, too."""
    EmailAddress.objects.create(user=ann, email=ann.email, verified=True, primary=True)
    browser = signed_in()
    a_while_later(browser)
    assert "code" not in browser.get("/accounts/reauthenticate/").content.decode().lower()
    assert browser.post("/accounts/reauthenticate/code/", {"recipient": ann.email}).status_code == 403
    assert not QueuedMail.objects.exists()
