"""Signing up, in and out, the profile, and what these pages refuse."""

import re
import time
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import hotp_value
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.models import ApiToken, User
from tests.accounts.conftest import PASSWORD, deliver


def sign_up(client: Client, username: str = "cat", **more: str) -> object:
    form = {"username": username, "email": f"{username}@example.org", "password1": PASSWORD, "password2": PASSWORD}
    return client.post(reverse("account_signup"), form | more)


@pytest.mark.django_db
def test_one_signs_up_signs_out_and_signs_in_again_whatever_the_capitals(client: Client) -> None:
    sign_up(client, "Cat")
    assert client.session["_auth_user_id"] == str(User.objects.get(username="Cat").pk)
    client.post(reverse("account_logout"))
    assert "_auth_user_id" not in client.session
    client.post(reverse("account_login"), {"login": "cAT", "password": PASSWORD})
    assert "_auth_user_id" in client.session


@pytest.mark.django_db
def test_new_people_start_in_their_browser_s_zone(client: Client) -> None:
    client.cookies["tz"] = "Asia/Tokyo"
    sign_up(client)
    assert User.objects.get().time_zone == "Asia/Tokyo"


@pytest.mark.django_db
def test_new_people_are_asked_for_their_zone_whichever_page_they_came_from(client: Client) -> None:
    assert 'name="time_zone"' in client.get(reverse("account_signup")).content.decode()
    sign_up(client, time_zone="Europe/Berlin")
    assert User.objects.get().time_zone == "Europe/Berlin"


@pytest.mark.django_db
def test_a_forged_zone_is_ignored(client: Client) -> None:
    client.cookies["tz"] = "../../etc/passwd"
    sign_up(client)
    assert User.objects.get().time_zone == "UTC"


@pytest.mark.django_db
@pytest.mark.parametrize("username", ["a", "two words", "ANN", "admin"])
def test_a_bad_or_taken_username_is_refused_at_its_field(client: Client, ann: User, username: str) -> None:
    page = client.post(
        reverse("account_signup"),
        {"username": username, "email": "x@example.org", "password1": PASSWORD, "password2": PASSWORD},
    )
    assert page.status_code == 200
    assert 'id="id_username_error"' in page.content.decode()
    assert User.objects.count() == 1


def test_sign_in_leads_back_to_the_page_one_came_from(client: Client, ann: User) -> None:
    answer = client.post(reverse("account_login"), {"login": "ann", "password": PASSWORD, "next": "/profile/tokens/"})
    assert answer["Location"] == "/profile/tokens/"


def test_a_password_is_reset_by_mail(client: Client, ann: User) -> None:
    client.post(reverse("account_reset_password"), {"email": "ann@example.org"})
    deliver()
    link = re.search(r"https?://[^/]+(/\S+)", mail.outbox[-1].body)
    assert link
    form_address = client.get(link[1])["Location"]
    client.post(form_address, {"password1": "one more long walk", "password2": "one more long walk"})
    ann.refresh_from_db()
    assert ann.check_password("one more long walk")


@pytest.mark.django_db
def test_who_has_no_account_is_told_so_by_mail_alone(client: Client) -> None:
    page = client.post(reverse("account_reset_password"), {"email": "zoe@example.org"}, follow=True).content.decode()
    assert "If an account has this address" in page
    deliver()
    [letter] = mail.outbox
    assert letter.subject == "Genius: No account has this address"
    assert "There is none" in letter.body
    assert reverse("account_signup") in letter.body


def test_a_profile_is_saved_and_the_next_page_has_its_theme_and_zone(ann: User, ann_client: Client) -> None:
    form = {"display_name": "  Ann   of the Lighthouse ", "time_zone": "Europe/Berlin", "theme": "dark"}
    page = ann_client.post(reverse("accounts:profile"), form, follow=True).content.decode()
    ann.refresh_from_db()
    assert (ann.display_name, ann.time_zone, ann.theme) == ("Ann of the Lighthouse", "Europe/Berlin", "dark")
    assert 'data-theme="dark"' in page
    assert 'data-tz="Europe/Berlin"' in page


@pytest.mark.parametrize(
    "bad",
    [{"time_zone": "Mars/Base"}, {"theme": "pink"}, {"display_name": "x" * 51}, {"display_name": "ann\u202eboss"}],
)
def test_a_bad_profile_is_refused_and_the_page_stays_as_it_is(
    ann: User, ann_client: Client, bad: dict[str, str]
) -> None:
    good = {"display_name": "Ann", "time_zone": "UTC", "theme": "dark"}
    page = ann_client.post(reverse("accounts:profile"), good | bad)
    assert page.status_code == 200
    assert f'id="id_{next(iter(bad))}_error"' in page.content.decode()
    assert 'data-theme="auto"' in page.content.decode()
    ann.refresh_from_db()
    assert ann.theme == "auto"


OPEN_PAGES = ["account_login", "account_signup", "account_reset_password", "account_reset_password_done"]
OWN_PAGES = [
    "accounts:profile",
    "accounts:tokens",
    "account_email",
    "account_change_password",
    "account_logout",
    "account_reauthenticate",
    "mfa_index",
    "mfa_activate_totp",
    "mfa_list_webauthn",
    "usersessions_list",
    "socialaccount_connections",
]


@pytest.mark.django_db
@pytest.mark.parametrize("name", OPEN_PAGES + OWN_PAGES)
def test_each_page_has_a_title_a_heading_labels_and_nothing_inline(client: Client, name: str) -> None:
    User.objects.create_user("dee", "dee@example.org", PASSWORD)
    if name in OWN_PAGES:
        client.post(reverse("account_login"), {"login": "dee", "password": PASSWORD})
        client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    answer = client.get(reverse(name))
    assert answer.status_code == 200
    page = answer.content.decode()
    title = re.search(r"<title>(.*?)</title>", page, re.S)
    assert title
    assert re.fullmatch(r"\s*\S.*· Genius\s*", title[1], re.S)
    assert len(re.findall(r"<h1", page)) == 1
    for field in re.findall(r'<(?:input|select|textarea)(?![^>]*type="(?:hidden|radio)")[^>]*\bid="([^"]+)"', page):
        assert f'for="{field}"' in page, f"{field} has no label"
    assert " style=" not in page
    assert not re.findall(r"\son\w+=", page)
    for script in re.findall(r"<script\b[^>]*>", page):
        assert "src=" in script or 'type="application/json"' in script


def test_people_and_tokens_are_in_the_admin_without_digests(ann: User, client: Client) -> None:
    boss = User.objects.create_superuser("boss", "boss@example.org", PASSWORD)
    token, _ = ApiToken.issue(ann, "widget")
    client.force_login(boss)
    for address in (
        reverse("admin:accounts_user_changelist"),
        reverse("admin:accounts_user_add"),
        reverse("admin:accounts_user_change", args=[ann.pk]),
        reverse("admin:accounts_apitoken_changelist"),
        reverse("admin:accounts_apitoken_change", args=[token.pk]),
    ):
        page = client.get(address)
        assert page.status_code == 200
        assert token.digest not in page.content.decode()
        assert "bundles/hosting.css" in page.content.decode()
    chosen = {"action": "revoke_tokens", "_selected_action": [token.pk]}
    client.post(reverse("admin:accounts_apitoken_changelist"), chosen)
    token.refresh_from_db()
    assert token.revoked_at is not None


@pytest.mark.django_db
def test_two_factor_sign_in_is_set_up_and_ended_in_plain_words(client: Client, settings: Any) -> None:
    settings.MFA_TOTP_TOLERANCE = 1  # the next half minute may begin between making the code and sending it
    User.objects.create_user("dee", "dee@example.org", PASSWORD)
    client.post(reverse("account_login"), {"login": "dee", "password": PASSWORD})
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert "Any app that shows six-digit codes will do." in client.get(reverse("mfa_index")).content.decode()
    page = client.get(reverse("mfa_activate_totp")).content.decode()
    secret = re.search(r'id="authenticator_secret"[^>]*value="(\w+)"', page)
    assert secret
    code = f"{hotp_value(secret[1], int(time.time()) // 30):06}"
    answer = client.post(reverse("mfa_activate_totp"), {"code": code})
    assert answer["Location"] == reverse("mfa_view_recovery_codes")
    assert "Show them" in client.get(reverse("mfa_index")).content.decode()
    assert "Your codes" in client.get(answer["Location"]).content.decode()
    page = client.get(reverse("mfa_index")).content.decode()
    assert "At sign-in you are asked for a code from your app." in page
    assert "You have 10 codes left." in page
    assert "stop working" in client.get(reverse("mfa_generate_recovery_codes")).content.decode()
    assert "Stop using the app" in client.get(reverse("mfa_deactivate_totp")).content.decode()
    assert client.post(reverse("mfa_deactivate_totp")).status_code == 302
    assert "You use none." in client.get(reverse("mfa_index")).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("/accounts/password/reset/key/1-set-password/", "This link no longer works"),
        ("/accounts/confirm-email/nothing/", "This link is not valid, or too old."),
        ("/accounts/inactive/", "This account is closed"),
        ("/accounts/3rdparty/login/cancelled/", "You have not signed in"),
        ("/accounts/3rdparty/login/error/", "Signing in did not work"),
    ],
)
def test_a_link_that_leads_nowhere_says_what_to_do_instead(client: Client, address: str, sentence: str) -> None:
    assert sentence in client.get(address, follow=True).content.decode()
