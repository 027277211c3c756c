"""Signing up, in and out, the profile, and what these pages refuse."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.forms import ProfileForm
from accounts.models import User
from tests.accounts.conftest import PASSWORD


def sign_up(client: Client, username: str = "cat", **more: str) -> object:
    form = {"username": username, "email": f"{username}@example.org", "password1": PASSWORD}
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


def test_a_profile_is_saved_and_the_next_page_has_its_theme_and_zone(ann: User, ann_client: Client) -> None:
    form = {
        "display_name": "  Ann   of the Lighthouse ",
        "time_zone": "Europe/Berlin",
        "theme": "dark",
        "shape": "1",
        "colour": "2",
    }
    page = ann_client.post(reverse("accounts:profile"), form, follow=True).content.decode()
    ann.refresh_from_db()
    assert (ann.display_name, ann.time_zone, ann.theme) == ("Ann of the Lighthouse", "Europe/Berlin", "dark")
    assert 'data-theme="dark"' in page
    assert 'data-tz="Europe/Berlin"' in page


def test_saving_a_profile_brings_no_account_back_that_somebody_closes_meanwhile(
    ann: User, ann_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanwhile(form: ProfileForm) -> str:
        closed = User.objects.get(pk=ann.pk)
        closed.is_active, closed.display_name = False, "Former player"
        closed.save()
        return "Ann"

    monkeypatch.setattr(ProfileForm, "clean_display_name", meanwhile)
    ann_client.post(reverse("accounts:profile"), {"time_zone": "UTC", "theme": "dark", "shape": "1", "colour": "2"})
    ann.refresh_from_db()
    assert (ann.is_active, ann.display_name, ann.theme) == (False, "Former player", "auto")


BAD_PROFILES = [
    {"time_zone": "Mars/Base"},
    {"theme": "pink"},
    {"display_name": "x" * 51},
    {"display_name": "ann\u202eboss"},
]


def test_a_bad_profile_is_refused_and_the_page_stays_as_it_is(ann: User, ann_client: Client) -> None:
    for bad in BAD_PROFILES:
        good = {"display_name": "Ann", "time_zone": "UTC", "theme": "dark", "shape": "1", "colour": "2"}
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
    "account_change_password",
    "account_logout",
    "account_reauthenticate",
    "mfa_index",
    "mfa_activate_totp",
    "mfa_list_webauthn",
    "usersessions_list",
    "socialaccount_connections",
    "account_email",  # the last: an address that has just become known lets nobody add a second factor
]


@pytest.mark.django_db
def test_each_page_has_a_title_a_heading_labels_and_nothing_inline(client: Client) -> None:
    for name in OPEN_PAGES:
        _is_as_pages_should_be(client, name)
    User.objects.create_user("dee", "dee@example.org", PASSWORD)
    client.post(reverse("account_login"), {"login": "dee", "password": PASSWORD})
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    for name in OWN_PAGES:
        _is_as_pages_should_be(client, name)


def _is_as_pages_should_be(client: Client, name: str) -> None:
    answer = client.get(reverse(name))
    assert answer.status_code == 200, name
    page = answer.content.decode()
    title = re.search(r"<title>(.*?)</title>", page, re.S)
    assert title, name
    assert re.fullmatch(r"\s*\S.*· Genius\s*", title[1], re.S), name
    assert len(re.findall(r"<h1", page)) == 1, name
    for field in re.findall(r'<(?:input|select|textarea)(?![^>]*type="(?:hidden|radio)")[^>]*\bid="([^"]+)"', page):
        assert f'for="{field}"' in page, f"{name}: {field} has no label"
    assert " style=" not in page, name
    assert not re.findall(r"\son\w+=", page), name
    for script in re.findall(r"<script\b[^>]*>", page):
        assert "src=" in script or 'type="application/json"' in script, name
