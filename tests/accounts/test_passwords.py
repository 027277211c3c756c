"""Which passwords are taken, how long a sign-in lasts, and when one is asked again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from tests.accounts.conftest import PASSWORD, deliver
from tests.ops.test_site_in_force import in_force


@pytest.mark.parametrize("password", ["genius2031", "Garnet!!", "deathmatch-auction", "GENIUS1GENIUS2", "auction1234"])
def test_little_more_than_a_word_of_the_site_is_no_password(password: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_password(password)
    assert [error.code for error in refused.value.error_list] == ["password_of_the_site"]


@pytest.mark.parametrize(
    "password",
    [
        "a genius walks by the sea",
        "garnet-hunter-7",
        "ünïcødé lög",
        " spaces at both ends ",
        "x9" * 64,
        "日本語の長い文章",
    ],
)
def test_whatever_else_is_long_enough_is_taken_as_it_is(db: None, password: str) -> None:
    validate_password(password)
    browser = Client()
    form = {"username": "cat", "email": "cat@example.org", "password1": password, "password2": password}
    assert browser.post(reverse("account_signup"), form).status_code == 302
    assert User.objects.get(username="cat").check_password(password)
    assert not User.objects.get(username="cat").check_password(password.strip().lower() + " ")


def test_the_sites_own_name_is_among_the_words() -> None:
    (words,) = (
        each["OPTIONS"]["words"]
        for each in in_force(SITE_URL="http://fridaygames.example.org")["AUTH_PASSWORD_VALIDATORS"]
        if "OPTIONS" in each
    )
    assert "fridaygames" in words


def test_a_sign_in_ends_after_thirty_days_however_much_it_is_used(ann: User) -> None:
    begun = timezone.now()
    with time_machine.travel(begun, tick=False) as clock:
        browser = Client()
        browser.post(reverse("account_login"), {"login": "ann", "password": PASSWORD, "remember": "on"})
        for days in (10, 20, 29):
            clock.move_to(begun + timedelta(days=days))
            assert browser.get("/profile/").status_code == 200
        clock.move_to(begun + timedelta(days=30, seconds=1))
        assert browser.get("/profile/").status_code == 302


def test_an_address_changes_only_for_somebody_who_has_just_shown_who_they_are(ann: User) -> None:
    begun = timezone.now()
    with time_machine.travel(begun, tick=False) as clock:
        browser = Client()
        browser.post(reverse("account_login"), {"login": "ann", "password": PASSWORD})
        clock.move_to(begun + timedelta(hours=1))
        form = {"action_add": "", "email": "other@example.org"}
        asked = browser.post(reverse("account_email"), form)
        assert asked["Location"].startswith(reverse("account_reauthenticate"))
        assert not EmailAddress.objects.filter(email="other@example.org").exists()
        browser.post(reverse("account_reauthenticate"), {"password": PASSWORD})
        browser.post(reverse("account_email"), form)
        assert EmailAddress.objects.filter(user=ann, email="other@example.org").exists()


def test_a_new_password_by_mail_leads_past_no_second_factor(ann: User, mailoutbox: list[Any]) -> None:
    TOTP.activate(ann, generate_totp_secret())
    browser = Client()
    browser.post(reverse("account_reset_password"), {"email": ann.email})
    deliver()
    link = next(word for word in mailoutbox[-1].body.split() if "/password/reset/key/" in word)
    page = browser.get("/" + link.split("/", 3)[3], follow=True)
    new = "another walk by the sea"
    browser.post(page.redirect_chain[-1][0], {"password1": new, "password2": new})
    ann.refresh_from_db()
    assert ann.check_password(new)
    assert browser.get("/profile/").status_code == 302
    signed_in = browser.post(reverse("account_login"), {"login": "ann", "password": new})
    assert signed_in["Location"].startswith(reverse("mfa_authenticate"))
    assert browser.get("/profile/").status_code == 302
