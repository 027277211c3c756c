"""Second factors at sign-in and in the account: every page in the site's own words and parts, usable by keyboard."""

import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.accounts.conftest import PASSWORD


@pytest.fixture
def ann(ann: User) -> User:
    """She has an app and recovery codes, and a key that she could name or remove."""
    TOTP.activate(ann, generate_totp_secret())
    RecoveryCodes.activate(ann)
    return ann


def at_the_second_factor(person: User) -> Client:
    """A browser of somebody whose password was right."""
    client = Client()
    answer = client.post(reverse("account_login"), {"login": person.username, "password": PASSWORD})
    assert answer["Location"] == reverse("mfa_authenticate")
    return client


def unused_code(person: User) -> str:
    found = Authenticator.objects.get(user=person, type=Authenticator.Type.RECOVERY_CODES)
    return str(found.wrap().get_unused_codes()[0])


def text_of(answer: Any) -> str:
    """A page that is as every page here should be."""
    assert answer.status_code == 200
    page: str = answer.content.decode()
    assert len(re.findall("<h1", page)) == 1
    for field in re.findall(r'<(?:input|textarea)(?![^>]*type="hidden")[^>]*\bid="([^"]+)"', page):
        assert f'for="{field}"' in page, f"{field} has no label"
    for script in re.findall(r"<script\b[^>]*>", page):
        assert "src=" in script or 'type="application/json"' in script
    return page


def test_the_second_factor_is_asked_for_and_taken(ann: User) -> None:
    client = at_the_second_factor(ann)
    page = text_of(client.get(reverse("mfa_authenticate")))
    assert "Enter the code that your app shows or one of your recovery codes" in page
    assert '<button class="button button--quiet" id="mfa_webauthn_authenticate" type="button">' in page
    assert "Sign in as somebody else" in page
    page = text_of(client.post(reverse("mfa_authenticate"), {"code": "wrong"}))
    assert 'aria-invalid="true"' in page
    assert client.post(reverse("mfa_authenticate"), {"code": unused_code(ann)})["Location"] == "/me/"


def test_an_administrator_helps_somebody_who_lost_theirs_and_nobody_else(ann: User, bob: User) -> None:
    """What is left is the password; the account of the other one asks for its code as before."""
    TOTP.activate(bob, generate_totp_secret())
    desk = Client()
    desk.force_login(User.objects.create_superuser("boss", "boss@example.org", PASSWORD))
    theirs = list(Authenticator.objects.filter(user=ann).values_list("pk", flat=True))
    sent = {"action": "delete_selected", "_selected_action": theirs, "post": "yes"}
    assert desk.post(reverse("admin:mfa_authenticator_changelist"), sent).status_code == 302
    at_the_second_factor(bob)
    answer = Client().post(reverse("account_login"), {"login": "ann", "password": PASSWORD})
    assert answer["Location"] != reverse("mfa_authenticate")
    wrong = Client().post(reverse("account_login"), {"login": "ann", "password": "wrong"})
    assert wrong.status_code == 200


def test_no_seed_is_in_the_database_and_the_key_before_still_opens_them(ann: User, settings: Any) -> None:
    secret = generate_totp_secret()
    Authenticator.objects.all().delete()
    TOTP.activate(ann, secret)
    code = RecoveryCodes.activate(ann).get_unused_codes()[0]
    stored = str(list(Authenticator.objects.values_list("data", flat=True)))
    assert secret not in stored
    assert code not in stored
    settings.OLD_SECRET_KEY, settings.SECRET_KEY = settings.SECRET_KEY, "another " * 8
    assert unused_code(ann) == code
    browser = at_the_second_factor(ann)
    settings.OLD_SECRET_KEY = ""
    page = browser.post(reverse("mfa_authenticate"), {"code": code}).content.decode()
    assert "can no longer read this" in page
