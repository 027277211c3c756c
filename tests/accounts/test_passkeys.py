"""A passkey signs in by itself if it has asked for a PIN, a finger or the face, and only then."""

from allauth.mfa.models import Authenticator
from django.test import Client

from accounts.models import User
from tests.accounts import passkeys
from tests.accounts.conftest import PASSWORD
from tests.fixtures.security_key import SecurityKey


def inside(ann: User) -> Client:
    browser = Client()
    browser.force_login(ann)
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return browser


def test_a_passkey_signs_in_by_itself(ann: User) -> None:
    key, elsewhere = passkeys.added(inside(ann)), Client()
    answer = elsewhere.post(passkeys.SIGN_IN, passkeys.to_sign_in(elsewhere, key))
    assert answer["Location"] == "/me/"
    assert elsewhere.get("/profile/").status_code == 200


def test_what_it_has_signed_is_good_once_and_in_one_browser(ann: User) -> None:
    key, browser, another = passkeys.added(inside(ann)), Client(), Client()
    sent = passkeys.to_sign_in(browser, key)
    passkeys.to_sign_in(another, key)
    assert another.post(passkeys.SIGN_IN, sent)["Location"] == "/accounts/login/"
    assert browser.post(passkeys.SIGN_IN, sent)["Location"] == "/me/"
    browser.post("/accounts/logout/")
    assert browser.post(passkeys.SIGN_IN, sent)["Location"] == "/accounts/login/"


def test_a_key_that_asks_for_nothing_is_no_passkey(ann: User) -> None:
    """Whoever finds it must not get in by it alone. It can be a second factor."""
    key, browser, finder = SecurityKey(asks_for_a_pin=False), inside(ann), Client()
    assert browser.post(passkeys.ADD, passkeys.to_add(browser, key)).status_code == 200
    assert not Authenticator.objects.exists()
    sent = {name: value for name, value in passkeys.to_add(browser, key).items() if name != "passwordless"}
    assert browser.post(passkeys.ADD, sent).status_code == 302
    assert finder.post(passkeys.SIGN_IN, passkeys.to_sign_in(finder, key))["Location"] == "/accounts/login/"
    assert finder.get("/profile/").status_code == 302
