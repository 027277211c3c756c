"""Which passwords are taken, how long a sign-in lasts, and when one is asked again."""

import hashlib
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.password_validation import validate_password
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.forms import AddEmailForm, ResetPasswordForm, SignupForm
from accounts.models import User
from tests.accounts.conftest import PASSWORD, deliver
from tests.ops.test_site_in_force import in_force


@pytest.mark.parametrize("password", ["genius2031", "Garnet!!", "deathmatch-auction", "GENIUS1GENIUS2", "auction1234"])
def test_little_more_than_a_word_of_the_site_is_no_password(password: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_password(password)
    assert [error.code for error in refused.value.error_list] == ["password_of_the_site"]


def test_a_password_that_is_known_from_a_breach_is_none(db: None, tmp_path: Path, settings: Any) -> None:
    """The list is that of Pwned Passwords: of each its SHA-1 and how often it was found, in the order of these."""
    known = [f"walk {number} by the sea" for number in range(200)]
    file = tmp_path / "breached.txt"
    lines = sorted(f"{hashlib.sha1(each.encode()).hexdigest().upper()}:{len(each) ** 9}" for each in known)  # noqa: S324
    settings.AUTH_PASSWORD_VALIDATORS = in_force(BREACHED_PASSWORDS=str(written(file, lines)))[
        "AUTH_PASSWORD_VALIDATORS"
    ]
    for each in known:
        with pytest.raises(ValidationError) as refused:
            validate_password(each)
        assert [error.code for error in refused.value.error_list] == ["password_breached"]
    for number in range(200, 400):
        validate_password(f"walk {number} by the sea")
    form = {"username": "cat", "email": "cat@example.org", "password1": known[7]}
    assert "leaked from another site" in Client().post(reverse("account_signup"), form).content.decode()
    written(file, [])
    validate_password(known[0])


def written(file: Path, lines: list[str]) -> Path:
    file.write_text("".join(f"{line}\r\n" for line in lines))
    return file


def test_passwords_are_stored_slowly_and_typed_out_of_sight(db: None) -> None:
    assert in_force()["PASSWORD_HASHERS"][0] == "django.contrib.auth.hashers.PBKDF2PasswordHasher"
    assert PBKDF2PasswordHasher.iterations >= 600_000
    for name, fields in (("account_login", 1), ("account_signup", 1)):
        page = Client().get(reverse(name)).content.decode()
        shown = re.findall(r"<input[^>]*password[^>]*>", page)
        assert len(shown) == fields
        assert all('type="password"' in each and 'autocomplete="' in each for each in shown), shown
        assert "onpaste" not in page


STAYS, CLOSES = {"remember": "on"}, {}
both_kinds = pytest.mark.parametrize("kind", [STAYS, CLOSES], ids=["kept", "until the browser is closed"])


def is_inside(browser: Client) -> bool:
    """Also for a socket, which reads the stored session alone."""
    answers = browser.get("/profile/").status_code == 200
    stored = Session.objects.filter(pk=browser.session.session_key, expire_date__gt=timezone.now())
    assert answers == stored.exists()
    return answers


@both_kinds
def test_a_sign_in_ends_after_thirty_days_however_much_it_is_used(ann: User, kind: dict[str, str]) -> None:
    begun = timezone.now()
    with time_machine.travel(begun, tick=False) as clock:
        browser = Client()
        browser.post(reverse("account_login"), {"login": "ann", "password": PASSWORD, **kind})
        for days in (9, 18, 27, 29):
            clock.move_to(begun + timedelta(days=days))
            assert is_inside(browser)
        clock.move_to(begun + timedelta(days=30, seconds=1))
        assert not is_inside(browser)


@both_kinds
def test_a_sign_in_ends_when_nobody_has_come_for_ten_days(ann: User, kind: dict[str, str]) -> None:
    begun = timezone.now()
    with time_machine.travel(begun, tick=False) as clock:
        browser = Client()
        browser.post(reverse("account_login"), {"login": "ann", "password": PASSWORD, **kind})
        clock.move_to(begun + timedelta(days=9, hours=23))
        assert is_inside(browser)
        clock.move_to(begun + timedelta(days=20))
        assert not is_inside(browser)


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


def link_of(person: User, mailoutbox: list[Any]) -> str:
    """The link in the letter to somebody who has forgotten their password."""
    Client().post(reverse("account_reset_password"), {"email": person.email})
    deliver()
    assert "The link works once, within a day." in mailoutbox[-1].body
    link = next(word for word in mailoutbox[-1].body.split() if "/password/reset/key/" in word)
    return "/" + str(link).split("/", 3)[3]


def test_a_link_for_a_new_password_lasts_a_day(ann: User, mailoutbox: list[Any]) -> None:
    begun = timezone.now()
    with time_machine.travel(begun, tick=False) as clock:
        link = link_of(ann, mailoutbox)
        for hours, works in ((23, True), (25, False)):
            clock.move_to(begun + timedelta(hours=hours))
            page = Client().get(link, follow=True).content.decode()
            assert ("This link no longer works" in page) != works


def test_a_new_password_by_mail_leads_past_no_second_factor(ann: User, mailoutbox: list[Any]) -> None:
    TOTP.activate(ann, generate_totp_secret())
    browser = Client()
    link, new = link_of(ann, mailoutbox), "another walk by the sea"
    page = browser.get(link, follow=True)
    browser.post(page.redirect_chain[-1][0], {"password1": new, "password2": new})
    ann.refresh_from_db()
    assert ann.check_password(new)
    assert "This link no longer works" in Client().get(link, follow=True).content.decode()
    assert browser.get("/profile/").status_code == 302
    signed_in = browser.post(reverse("account_login"), {"login": "ann", "password": new})
    assert signed_in["Location"].startswith(reverse("mfa_authenticate"))
    assert browser.get("/profile/").status_code == 302


def test_a_longer_address_than_can_be_stored_is_refused(ann: User) -> None:
    said = {"email": f"{'a' * 60}@{'.'.join(['b' * 60] * 4)}.org"}
    for form in (ResetPasswordForm(said), SignupForm(said), AddEmailForm(user=ann, data=said)):
        assert "254 at most" in str(form.errors["email"])
