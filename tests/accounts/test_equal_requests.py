"""The addresses of signing in: what is sent five times, or six times in one moment, is done once.

The other addresses are in tests/access/test_equal_requests.py.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, NamedTuple

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret, hotp_value
from allauth.mfa.webauthn.internal.auth import WebAuthn
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.access.expected import ACCOUNTS
from tests.access.test_equal_requests import TIMES, stored
from tests.access.test_matrix import routes_of
from tests.accounts import passkeys
from tests.accounts.conftest import PASSWORD, deliver
from tests.fixtures.security_key import SecurityKey

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 6
NEW = "another long walk"


@pytest.fixture(autouse=True)
def _tolerance(settings: Any) -> None:
    settings.MFA_TOTP_TOLERANCE = 1  # the next half minute may begin between making the code and sending it


class Sent(NamedTuple):
    """A form, and whoever sends it: `by` gives a browser and its fields, and where the address has parts, these."""

    route: str
    name: str
    by: Callable[[User], tuple[Any, ...]]
    stores: bool = True


def visitor(**fields: str) -> Callable[[User], tuple[Any, ...]]:
    return lambda ann: (Client(), fields)


def inside(ann: User) -> Client:
    """A browser in which she has just shown that it is her."""
    browser = Client()
    browser.post(reverse("account_login"), {"login": "ann", "password": PASSWORD})
    browser.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return browser


def herself(**fields: str) -> Callable[[User], tuple[Any, ...]]:
    return lambda ann: (inside(ann), fields)


def with_address(**fields: str) -> Callable[[User], tuple[Any, ...]]:
    def make(ann: User) -> tuple[Any, ...]:
        for email, primary in ((ann.email, True), ("second@example.org", False)):
            EmailAddress.objects.update_or_create(
                user=ann, email=email, defaults={"verified": True, "primary": primary}
            )
        return inside(ann), {"email": "second@example.org", **fields}

    return make


def code_of(secret: str) -> str:
    return f"{hotp_value(secret, int(time.time()) // 30):06}"


def an_app(ann: User) -> tuple[Any, ...]:
    browser = inside(ann)
    page = browser.get(reverse("mfa_activate_totp")).content.decode()
    (secret,) = re.findall(r'id="authenticator_secret"[^>]*value="(\w+)"', page)
    return browser, {"code": code_of(secret)}


def has_an_app(ann: User) -> tuple[Any, ...]:
    browser = inside(ann)
    TOTP.activate(ann, generate_totp_secret())
    return browser, {}


def at_the_code(ann: User) -> tuple[Any, ...]:
    secret = generate_totp_secret()
    TOTP.activate(ann, secret)
    browser = Client()
    browser.post(reverse("account_login"), {"login": "ann", "password": PASSWORD})
    return browser, {"code": code_of(secret)}


def asked_for_a_code(ann: User) -> tuple[Any, ...]:
    browser = inside(ann)
    secret = generate_totp_secret()
    TOTP.activate(ann, secret)
    return browser, {"code": code_of(secret)}


def has_a_key(**fields: str) -> Callable[[User], tuple[Any, ...]]:
    def make(ann: User) -> tuple[Any, ...]:
        browser = inside(ann)
        return browser, fields, {"pk": WebAuthn.add(ann, "Blue key", {}).instance.pk}

    return make


def a_new_key(ann: User) -> tuple[Any, ...]:
    browser = inside(ann)
    return browser, passkeys.to_add(browser, SecurityKey())


def by_a_passkey(ann: User) -> tuple[Any, ...]:
    key, browser = passkeys.added(inside(ann)), Client()
    return browser, passkeys.to_sign_in(browser, key)


def asked_for_a_key(ann: User) -> tuple[Any, ...]:
    browser = inside(ann)
    return browser, passkeys.to_show_again(browser, passkeys.added(inside(ann)))


def has_shown_a_key(ann: User) -> tuple[Any, ...]:
    """That key can be removed."""
    browser, fields = asked_for_a_key(ann)
    browser.post(passkeys.AGAIN, fields)
    return browser, {}, {"pk": Authenticator.objects.get(user=ann, type="webauthn").pk}


def without_a_password(ann: User) -> tuple[Any, ...]:
    ann.set_unusable_password()
    ann.save()
    browser = Client()
    browser.force_login(ann)
    return browser, {"password1": NEW, "password2": NEW}


def by_a_link(ann: User) -> tuple[Any, ...]:
    """The link of a letter leads to the form."""
    Client().post(reverse("account_reset_password"), {"email": ann.email})
    deliver()
    (link,) = re.findall(r"https?://[^/]+(/\S+)", mail.outbox[-1].body)
    browser = Client()
    form = browser.get(link)["Location"]
    uid, key = re.findall(r"/key/([0-9A-Za-z]+)-(.+)/$", str(form))[0]
    return browser, {"password1": NEW, "password2": NEW}, {"uidb36": uid, "key": key}


def a_confirmation(ann: User) -> tuple[Any, ...]:
    address = EmailAddress.objects.create(user=ann, email=ann.email)
    return Client(), {}, {"key": EmailConfirmationHMAC(address).key}


SENT = (
    Sent("accounts/login/", "account_login", visitor(login="ann", password=PASSWORD)),
    Sent(
        "accounts/signup/",
        "account_signup",
        visitor(username="cat", email="cat@example.org", password1=PASSWORD, password2=PASSWORD),
    ),
    Sent("accounts/logout/", "account_logout", herself(), stores=False),
    Sent("accounts/email/", "account_email", herself(action_add="", email="second@example.org")),
    Sent("accounts/email/", "account_email", with_address(action_primary="")),
    Sent("accounts/email/", "account_email", with_address(action_remove="")),
    Sent("accounts/sessions/", "usersessions_list", herself(), stores=False),
    Sent("accounts/password/set/", "account_set_password", without_a_password),
    Sent(
        "accounts/password/change/",
        "account_change_password",
        herself(oldpassword=PASSWORD, password1=NEW, password2=NEW),
    ),
    Sent(
        "accounts/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        "account_reset_password_from_key",
        by_a_link,
    ),
    Sent(r"accounts/^confirm-email/(?P<key>[-:\w]+)/$", "account_confirm_email", a_confirmation),
    Sent("accounts/2fa/totp/activate/", "mfa_activate_totp", an_app),
    Sent("accounts/2fa/totp/deactivate/", "mfa_deactivate_totp", has_an_app),
    Sent("accounts/2fa/authenticate/", "mfa_authenticate", at_the_code),
    Sent("accounts/reauthenticate/", "account_reauthenticate", herself(password=PASSWORD), stores=False),
    Sent("accounts/2fa/reauthenticate/", "mfa_reauthenticate", asked_for_a_code),
    Sent("accounts/2fa/webauthn/add/", "mfa_add_webauthn", a_new_key),
    Sent("accounts/2fa/webauthn/login/", "mfa_login_webauthn", by_a_passkey),
    Sent("accounts/2fa/webauthn/reauthenticate/", "mfa_reauthenticate_webauthn", asked_for_a_key),
    Sent("accounts/2fa/webauthn/keys/<int:pk>/remove/", "mfa_remove_webauthn", has_shown_a_key),
    Sent("accounts/2fa/webauthn/keys/<int:pk>/edit/", "mfa_edit_webauthn", has_a_key(name="Red key")),
    Sent("accounts/2fa/webauthn/keys/<int:pk>/remove/", "mfa_remove_webauthn", has_a_key()),
)
ANOTHER_EACH_TIME = {
    "accounts/password/reset/": "another letter, ten a day (test_letters.py)",
    "accounts/2fa/recovery-codes/generate/": "other codes, of which the last are shown (below)",
}
ELSEWHERE = """
    accounts/3rdparty/ accounts/3rdparty/signup/ accounts/login/code/confirm/ accounts/inactive/
    accounts/social/login/cancelled/ accounts/social/login/error/ accounts/social/signup/ accounts/social/connections/
    accounts/reauthenticate/code/ accounts/reauthenticate/code/confirm/
"""
"""Steps of a sign-in with another site (test_discord.py has two who sign up at once), or of none that is here, codes by
mail, which nobody is asked for, and old addresses."""


def test_every_address_of_signing_in_that_takes_something_is_here() -> None:
    taking = {route for row in ACCOUNTS.rows if row.post != "405" for route in routes_of(row)}
    named = {each.route for each in SENT} | {*ANOTHER_EACH_TIME, *ELSEWHERE.split()}
    reads = {route for row in ACCOUNTS.rows if row.post == "302 405" for route in routes_of(row)}
    assert taking - named - reads == set()
    assert named - taking <= {"accounts/inactive/"}


def made(sent: Sent, ann: User) -> tuple[Client, dict[str, str], str]:
    browser, fields, *parts = sent.by(ann)
    return browser, fields, reverse(sent.name, kwargs=parts[0] if parts else None)


ALONE = ("mfa_activate_totp", "mfa_add_webauthn")
"""Forms of allauth that take no two at once; their pages send them once (`data-once`, or a script)."""

NAMES = [f"{each.name}-{number}" for number, each in enumerate(SENT)]


@pytest.mark.parametrize("sent", SENT, ids=NAMES)
def test_what_is_sent_again_and_again_is_done_once(ann: User, sent: Sent) -> None:
    browser, fields, url = made(sent, ann)
    before = stored()
    cache.clear()
    assert browser.post(url, fields).status_code == 302
    once = stored()
    assert (once != before) == sent.stores
    for _ in range(TIMES - 1):
        assert browser.post(url, fields).status_code < 500
    assert [name for name, rows in stored().items() if rows != once[name]] == []


def at_once(browser: Client, url: str, fields: dict[str, str]) -> list[Any]:
    """The answers to what one browser sends several times in the same moment."""
    barrier = Barrier(AT_ONCE)

    def run(_: int) -> Any:
        same = Client(raise_request_exception=False)
        same.cookies.update(browser.cookies)
        barrier.wait()
        try:
            return same.post(url, fields)
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(run, range(AT_ONCE)))


@pytest.mark.both
@pytest.mark.parametrize("sent", [each for each in SENT if each.name not in ALONE], ids=lambda each: each.name)
def test_what_is_sent_several_times_at_once_is_done_once(ann: User, sent: Sent) -> None:
    """It leaves as many rows as if it had been sent once."""
    browser, fields, url = made(sent, ann)
    before = counts()
    cache.clear()
    answers = at_once(browser, url, fields)
    assert [answer.status_code for answer in answers if answer.status_code >= 500] == []
    assert any(answer.status_code == 302 for answer in answers)
    many = less(counts(), before)
    User.objects.all().delete()
    browser, fields, url = made(sent, User.objects.create_user("ann", "ann@example.org", PASSWORD))
    before = counts()
    cache.clear()
    browser.post(url, fields)
    assert many == less(counts(), before)


def counts() -> dict[str, int]:
    """How many rows each table has, but for those that every sign-in adds to."""
    return {name: len(rows) for name, rows in stored().items()}


def less(after: dict[str, int], before: dict[str, int]) -> dict[str, int]:
    return {name: after[name] - before[name] for name in after if after[name] != before[name]}
