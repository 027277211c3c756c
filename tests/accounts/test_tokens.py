"""API tokens: shown once, stored hashed, and no use after revoking."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import views
from accounts.forms import MOST_LIVING_TOKENS
from accounts.models import ApiToken, TokenRefused, User
from tests.accounts.conftest import PASSWORD, deliver
from tests.fixtures.proven import proven

BAD, EXPIRED = "bad_token", "token_expired"
SECRET = re.compile(r"gen_[\w-]{32,}")


def form(name: str = "widget", scope: str = "act", days: object = 90) -> dict[str, object]:
    return {"name": name, "scope": scope, "days": days}


def make_token(client: Client, **said: Any) -> str:
    page = client.post(reverse("accounts:tokens"), form(**said)).content.decode()
    found = SECRET.search(page)
    assert found, "the new token is on the page"
    return found[0]


def test_a_token_is_shown_once_and_stored_hashed(ann_client: Client) -> None:
    secret = make_token(ann_client)
    assert secret not in ann_client.get(reverse("accounts:tokens")).content.decode()
    row = ApiToken.objects.values().get()
    assert all(secret not in str(value) for value in row.values())
    assert row["prefix"] == secret[:8]


def refusal(secret: str) -> str:
    """The code with which a secret is refused; empty for one that is good."""
    try:
        ApiToken.find(secret)
    except TokenRefused as refused:
        return refused.code
    return ""


def test_nobody_revokes_the_token_of_another(ann_client: Client, bob: User) -> None:
    token, secret = ApiToken.issue(bob, "his")
    assert ann_client.post(reverse("accounts:revoke_token", args=[token.pk])).status_code == 404
    assert refusal(secret) == ""


def test_a_token_needs_a_name_and_there_is_a_most(ann: User, ann_client: Client) -> None:
    ann_client.post(reverse("accounts:tokens"), form(name=" "))
    assert not ApiToken.objects.exists()
    for number in range(MOST_LIVING_TOKENS):
        ApiToken.issue(ann, str(number))
    page = ann_client.post(reverse("accounts:tokens"), form(name="one more"))
    assert "Revoke one that you no longer need" in page.content.decode()
    assert ApiToken.objects.count() == MOST_LIVING_TOKENS


@pytest.mark.parametrize("days", [30, 90, 365])
def test_a_token_lasts_as_long_as_was_chosen(ann: User, ann_client: Client, days: int) -> None:
    secret = make_token(ann_client, days=days)
    ends = ApiToken.objects.get().expires_at
    assert ends - timezone.now() > timedelta(days=days) - timedelta(minutes=1)
    with time_machine.travel(ends - timedelta(seconds=1), tick=False):
        assert refusal(secret) == ""
    with time_machine.travel(ends, tick=False):
        assert refusal(secret) == EXPIRED


NOT_OFFERED = [
    {"days": 3650},
    {"days": ""},
    {"days": "90.5"},
    {"scope": "everything"},
    {"scope": ""},
    {"name": "a\u202eb"},
]


def test_what_was_not_offered_is_refused_at_its_field(ann: User, ann_client: Client) -> None:
    for bad in NOT_OFFERED:
        page = ann_client.post(reverse("accounts:tokens"), form() | bad)
        assert f'id="id_{next(iter(bad))}_error"' in page.content.decode()
        assert not ApiToken.objects.exists()


@pytest.mark.parametrize("how", ["changed", "reset by mail", "by the admin", "taken away"])
def test_a_token_dies_with_the_password(ann: User, ann_client: Client, client: Client, how: str) -> None:
    _, secret = ApiToken.issue(ann, "widget")
    new = "one more long walk"
    if how == "changed":
        ann_client.post(
            reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": new, "password2": new}
        )
    elif how == "reset by mail":
        client.post(reverse("account_reset_password"), {"email": ann.email})
        deliver()
        link = re.search(r"https?://[^/]+(/\S+)", mail.outbox[-1].body)
        assert link
        client.post(client.get(link[1])["Location"], {"password1": new, "password2": new})
    elif how == "by the admin":
        client.force_login(User.objects.create_superuser("boss"))
        said = {"password1": new, "password2": new, "usable_password": "true"}
        client.post(reverse("admin:auth_user_password_change", args=[ann.pk]), said)
    else:
        known = User.objects.get(pk=ann.pk)
        known.set_unusable_password()
        known.save()
    assert not User.objects.get(pk=ann.pk).check_password(PASSWORD)
    assert refusal(secret) == BAD
    assert ApiToken.objects.get().revoked_at is not None


def test_no_token_is_made_in_a_session_that_a_new_password_has_just_ended(
    ann: User, ann_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The session was good when the request came in, and the password changes before the token is made."""
    real = views.ApiTokenForm

    def late(*args: Any, **kwargs: Any) -> Any:
        User.objects.filter(pk=ann.pk).update(password="changed meanwhile")
        return real(*args, **kwargs)

    monkeypatch.setattr(views, "ApiTokenForm", late)
    assert ann_client.post(reverse("accounts:tokens"), form()).status_code == 302
    assert not ApiToken.objects.exists()


def test_a_form_that_is_sent_twice_makes_one_token_and_shows_it_twice(ann: User) -> None:
    browser = Client()
    browser.force_login(ann)
    proven(browser)
    page = browser.get(reverse("accounts:tokens")).content.decode()
    (key,) = re.findall(r'name="key" value="([\w-]{43})"', page)
    form = {"name": "a bot", "scope": "act", "days": "30", "limited_to": "", "key": key}
    answers = [browser.post(reverse("accounts:tokens"), form).content.decode() for _ in range(3)]
    token = ApiToken.objects.get(user=ann)
    secrets = {re.findall(ApiToken.BEGINNING + r"[\w-]{43}", answer)[0] for answer in answers}
    assert {ApiToken.digest_of(secret) for secret in secrets} == {token.digest}
    bob = User.objects.create_user("bob")
    browser.force_login(bob)
    proven(browser)
    assert secrets.isdisjoint(re.findall(ApiToken.BEGINNING + r"[\w-]{43}", page_of(browser, form)))
    browser.force_login(ann)
    proven(browser)
    token.revoke()
    assert "no longer works. Open the page again" in page_of(browser, form)
    page_of(browser, {**form, "key": "another"})
    assert [each.pk != token.pk for each in ApiToken.objects.filter(user=ann).living()] == [True]


def page_of(browser: Client, form: dict[str, str]) -> str:
    return browser.post(reverse("accounts:tokens"), form).content.decode()


def test_a_while_after_signing_in_the_password_is_asked_for_first(ann: User) -> None:
    browser = Client()
    browser.force_login(ann)
    for send in (browser.get, browser.post):
        answer = send(reverse("accounts:tokens"), form())
        assert answer["Location"].startswith(reverse("account_reauthenticate"))
    assert not ApiToken.objects.exists()
