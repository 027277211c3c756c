"""A second factor that the site asks of hosts or of everybody: nobody is locked out by it, nobody gets around it."""

import re
import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret, hotp_value
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts import second_factor as factors_owed
from accounts.models import ApiToken, User, second_factor
from matches.services.creation import create_match
from tests.access.test_sign_in import answer_to
from tests.accounts.conftest import PASSWORD
from tests.fixtures.any_game import SLUG
from tests.fixtures.proven import proven

SET_UP, CODES, SHOW = reverse("mfa_index"), reverse("mfa_view_recovery_codes"), reverse("mfa_reauthenticate")


@pytest.fixture
def boss(db: None) -> User:
    """As `createsuperuser` makes one: nobody has confirmed the address."""
    boss = User.objects.create_superuser("boss", "boss@example.org", PASSWORD)
    EmailAddress.objects.create(user=boss, email=boss.email, primary=True, verified=False)
    return boss


@pytest.fixture(autouse=True)
def _codes_of_the_half_minute_before(settings: Any) -> None:
    """Or a test that is run as one ends would fail."""
    settings.MFA_TOTP_TOLERANCE = 1


@pytest.fixture
def of_hosts(settings: Any) -> None:
    settings.SECOND_FACTOR, settings.MFA_ALLOW_UNVERIFIED_EMAIL = "hosts", True


@pytest.fixture
def of_everybody(settings: Any) -> None:
    settings.SECOND_FACTOR, settings.MFA_ALLOW_UNVERIFIED_EMAIL = "everybody", True


def sign_in(name: str, place: str = "") -> tuple[Client, Any]:
    """A browser in which the password was typed, and the answer."""
    browser = Client()
    return browser, browser.post(reverse("account_login"), {"login": name, "password": PASSWORD, "next": place})


def set_up_an_app(browser: Client) -> str:
    """The app's secret. What is shown for it: the password once more, and a code."""
    asked = browser.get(reverse("mfa_activate_totp"))
    assert asked["Location"].startswith(reverse("account_reauthenticate")), asked["Location"]
    again = browser.post(asked["Location"], {"password": PASSWORD})
    page = browser.get(again["Location"]).content.decode()
    (secret,) = re.findall(r'id="authenticator_secret"[^>]*value="(\w+)"', page)
    assert browser.post(reverse("mfa_activate_totp"), {"code": code_of(secret)})["Location"] == CODES
    return str(secret)


def code_of(secret: str) -> str:
    cache.clear()  # a code is good once, and all of these come within its half minute
    return f"{hotp_value(secret, int(time.time()) // 30):06}"


def keep_codes(browser: Client) -> str:
    """Where one is led after the codes, which are shown once."""
    (place,) = re.findall(r'href="([^"]+)">I have saved them', browser.get(CODES).content.decode())
    assert "I have saved them" not in browser.get(CODES).content.decode()
    return str(browser.get(place)["Location"])


# -- nobody is locked out --------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_the_first_administrator_sets_one_up_without_any_letter_and_comes_to_the_console(
    boss: User, of_hosts: None
) -> None:
    browser, answer = sign_in("boss", "/admin/accounts/user/?q=a&o=1")
    assert answer["Location"] == "/admin/accounts/user/?q=a&o=1"
    assert browser.get(answer["Location"])["Location"] == SET_UP
    page = browser.get(SET_UP).content.decode()
    assert "This site asks you for more than your password" in page
    assert "Not now, sign out" in page
    set_up_an_app(browser)
    assert keep_codes(browser) == "/admin/accounts/user/?q=a&o=1"
    assert browser.get("/admin/").status_code == 200
    assert "This site asks you" not in browser.get(SET_UP).content.decode()
    assert mail.outbox == []


@pytest.mark.django_db(transaction=True)
def test_a_recovery_code_lets_in_and_another_app_can_take_the_place_of_the_lost_one(boss: User, of_hosts: None) -> None:
    browser, _ = sign_in("boss")
    set_up_an_app(browser)
    codes = re.findall(r"\b[0-9]{12}\b", browser.get(CODES).content.decode())
    later, answer = sign_in("boss", "/me/")
    assert later.post(answer["Location"], {"code": codes[0]})["Location"] == "/me/"
    assert later.get("/me/").status_code == 200
    assert later.post(reverse("mfa_reauthenticate"), {"code": codes[1]}).status_code == 302
    assert later.post(reverse("mfa_deactivate_totp")).status_code == 302
    assert later.get("/me/")["Location"] == SET_UP
    page = later.get(reverse("mfa_activate_totp")).content.decode()
    (secret,) = re.findall(r'id="authenticator_secret"[^>]*value="(\w+)"', page)
    later.post(reverse("mfa_activate_totp"), {"code": code_of(secret)})
    assert keep_codes(later) == "/me/"
    assert later.get("/me/").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_whoever_has_signed_in_with_a_recovery_code_can_make_new_ones(boss: User, of_hosts: None) -> None:
    browser, _ = sign_in("boss")
    set_up_an_app(browser)
    codes = re.findall(r"\b[0-9]{12}\b", browser.get(CODES).content.decode())
    later, answer = sign_in("boss", "/me/")
    later.post(answer["Location"], {"code": codes[-1]})
    later.post(SHOW, {"code": codes[-2]})
    assert later.post(reverse("mfa_generate_recovery_codes"))["Location"] == CODES
    assert "I have saved them" in later.get(CODES).content.decode()
    assert later.get("/me/").status_code == 200


# -- whom it is asked of ---------------------------------------------------------------------------------


def shown(person: User) -> Client:
    """A browser in which somebody who has an app has shown it a moment ago."""
    browser = Client()
    browser.force_login(person)
    return proven(browser, "mfa")


def test_of_hosts_means_the_console_and_any_role_in_a_match_or_season(ann: User, bob: User, of_hosts: None) -> None:
    assert (second_factor.lacks_one(ann.pk), second_factor.lacks_one(bob.pk)) == (False, False)
    match = create_match(SLUG, "A match")
    match.roles.create(user=ann, role="cohost")
    match.roles.create(user=bob, role="observer")
    assert (second_factor.lacks_one(ann.pk), second_factor.lacks_one(bob.pk)) == (True, True)
    cat = User.objects.create_user("cat", is_staff=True)
    assert second_factor.lacks_one(cat.pk)
    assert not second_factor.lacks_one(cat.pk + 1000)


# -- nobody gets around it ---------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_whoever_knows_the_password_alone_and_came_first_is_not_let_in_by_the_owners_factor(
    boss: User, of_hosts: None
) -> None:
    thief, _ = sign_in("boss", "/admin/")
    assert thief.get("/admin/")["Location"] == SET_UP
    thief.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    owner, _ = sign_in("boss")
    secret = set_up_an_app(owner)
    place = urlsplit(thief.get("/admin/?q=1")["Location"])
    assert (place.path, parse_qs(place.query)) == (SHOW, {"next": ["/admin/?q=1"]})
    for name in ("mfa_index", "mfa_add_webauthn", "mfa_activate_totp", "mfa_deactivate_totp", "account_reauthenticate"):
        for answer in (thief.get(reverse(name)), thief.post(reverse(name), {"password": PASSWORD})):
            assert answer.status_code == 302
            assert answer["Location"].startswith(SHOW)
    assert thief.get(CODES)["Location"].startswith(SHOW)
    page = thief.get(SHOW).content.decode()
    assert "you signed in here with your password alone" in page
    assert reverse("account_reauthenticate") not in page
    assert thief.post(SHOW, {"code": "000000"}).status_code == 200
    assert thief.get("/admin/").status_code == 302
    # The same browser, if it is the owner's after all.
    assert thief.post(SHOW, {"code": code_of(secret), "next": "/admin/?q=1"})["Location"] == "/admin/?q=1"
    assert thief.get("/admin/").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_factor_that_is_gone_lets_nobody_past_the_next_one(boss: User, of_hosts: None) -> None:
    thief, _ = sign_in("boss")
    set_up_an_app(thief)
    assert thief.post(reverse("mfa_deactivate_totp")).status_code == 302
    owner, _ = sign_in("boss")
    set_up_an_app(owner)
    assert owner.get("/admin/").status_code == 200
    assert thief.get("/admin/")["Location"].startswith(SHOW)


@pytest.mark.parametrize("who", ["themselves", "an administrator"])
def test_whoever_has_theirs_taken_away_is_asked_again(ann: User, of_everybody: None, who: str) -> None:
    app = TOTP.activate(ann, generate_totp_secret()).instance
    browser = shown(ann)
    assert browser.get("/me/").status_code == 200
    if who == "themselves":
        assert browser.post(reverse("mfa_deactivate_totp")).status_code == 302
    else:
        app.delete()
    assert browser.get("/me/")["Location"] == SET_UP


def test_a_second_factor_that_somebody_else_showed_in_that_browser_is_not_theirs(
    ann: User, bob: User, of_everybody: None
) -> None:
    for person in (ann, bob):
        TOTP.activate(person, generate_totp_secret())
    browser = shown(ann)
    browser.force_login(bob)
    assert browser.get("/me/")["Location"].startswith(SHOW)


@pytest.mark.parametrize(
    ("asked", "headers", "then"),
    [
        ("/me/all/?page=2", {}, "/me/all/?page=2"),
        ("//evil.example/x", {}, "/%2Fevil.example/x"),
        ("/unread/", {"Sec-Fetch-Mode": "cors"}, None),
    ],
)
def test_one_is_led_back_within_the_site_and_to_pages_alone(
    ann: User, of_everybody: None, asked: str, headers: dict[str, str], then: str | None
) -> None:
    browser, _ = sign_in("ann")
    place, _, query = asked.partition("?")
    assert browser.get("/", PATH_INFO=place, QUERY_STRING=query, headers=headers)["Location"] == SET_UP
    assert browser.session.get(factors_owed._THEN) == then


# -- programs ----------------------------------------------------------------------------------------------


def test_tokens_wait_until_their_owner_has_one_and_then_work_again(ann: User, of_everybody: None) -> None:
    secret = ApiToken.issue(ann, "a program")[1]
    program = Client(headers={"Authorization": f"Bearer {secret}"})
    refused = program.get("/api/v1/me/")
    assert (refused.status_code, refused.json()["code"]) == (403, "second_factor_required")
    TOTP.activate(ann, generate_totp_secret())
    assert program.get("/api/v1/me/").status_code == 200


def test_a_token_counts_and_not_the_cookie_beside_it(ann: User, bob: User, of_hosts: None) -> None:
    create_match(SLUG, "A match").roles.create(user=ann, role="cohost")
    browser, _ = sign_in("ann")
    refused = browser.get("/api/v1/me/")
    assert (refused.status_code, refused.json()["code"]) == (403, "second_factor_required")
    secret = ApiToken.issue(bob, "a program")[1]
    answer = browser.get("/api/v1/me/", headers={"Authorization": f"Bearer {secret}"})
    assert answer.json()["username"] == "bob"
    assert browser.get("/api/v1/me/", headers={"Authorization": "Bearer x"}).status_code == 401


# -- nobody else learns of it ------------------------------------------------------------------------------


def test_nobody_else_learns_who_has_one(ann: User, bob: User, of_everybody: None) -> None:
    """The same bytes for a wrong password, a forgotten one, and the public page."""

    def told() -> list[Any]:
        cache.clear()
        pages = [Client().get(place).content.decode() for place in ("/people/ann/", "/api/v1/people/ann/")]
        return [
            answer_to("/accounts/login/", login="ann", password="wrong"),
            answer_to("/accounts/password/reset/", email="ann@example.org"),
            *(re.sub(r'("X-CSRFToken": "|server-now" content=")[^"]+', r"\1", page) for page in pages),
        ]

    with_none = told()
    TOTP.activate(ann, generate_totp_secret())
    assert told() == with_none
    assert "ann" in with_none[-1]
