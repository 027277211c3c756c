"""API tokens: shown once, stored hashed, and no use after revoking."""

import re
from datetime import timedelta
from typing import Any

from django.test import Client
from django.urls import reverse

from accounts.forms import MOST_LIVING_TOKENS
from accounts.models import ApiToken, User

SECRET = re.compile(r"gen_[\w-]{32,}")


def make_token(client: Client, name: str = "widget") -> str:
    page = client.post(reverse("accounts:tokens"), {"name": name}).content.decode()
    found = SECRET.search(page)
    assert found, "the new token is on the page"
    return found[0]


def test_a_token_is_shown_once_and_stored_hashed(ann_client: Client) -> None:
    secret = make_token(ann_client)
    assert secret not in ann_client.get(reverse("accounts:tokens")).content.decode()
    row = ApiToken.objects.values().get()
    assert all(secret not in str(value) for value in row.values())
    assert row["prefix"] == secret[:8]


def test_the_page_with_the_secret_is_not_kept_by_anybody(ann_client: Client) -> None:
    answer = ann_client.post(reverse("accounts:tokens"), {"name": "widget"})
    assert "no-store" in answer["Cache-Control"]


def test_a_token_finds_its_person_in_one_query(ann: User, django_assert_num_queries: Any) -> None:
    token, secret = ApiToken.issue(ann, "widget")
    with django_assert_num_queries(1):
        found = ApiToken.find(secret)
        assert found is not None
        assert (found.pk, found.user) == (token.pk, ann)


def test_a_revoked_token_opens_nothing(ann_client: Client) -> None:
    secret = make_token(ann_client)
    assert ApiToken.find(secret) is not None
    ann_client.post(reverse("accounts:revoke_token", args=[ApiToken.objects.get().pk]))
    assert ApiToken.find(secret) is None


def test_a_closed_account_s_token_opens_nothing(ann: User) -> None:
    _, secret = ApiToken.issue(ann, "widget")
    ann.is_active = False
    ann.save()
    assert ApiToken.find(secret) is None


def test_what_is_no_token_finds_nobody(ann: User) -> None:
    token, secret = ApiToken.issue(ann, "widget")
    for wrong in (
        "",
        "gen_",
        secret[:-1],
        secret.upper(),
        token.digest,
        f"gen_{token.digest}",
        "gen_\ud800",
        "gen_ä\0",
    ):
        assert ApiToken.find(wrong) is None


def test_nobody_revokes_the_token_of_another(ann_client: Client, bob: User) -> None:
    token, secret = ApiToken.issue(bob, "his")
    assert ann_client.post(reverse("accounts:revoke_token", args=[token.pk])).status_code == 404
    assert ApiToken.find(secret) is not None


def test_a_token_needs_a_name_and_there_is_a_most(ann: User, ann_client: Client) -> None:
    ann_client.post(reverse("accounts:tokens"), {"name": " "})
    assert not ApiToken.objects.exists()
    for number in range(MOST_LIVING_TOKENS):
        ApiToken.issue(ann, str(number))
    page = ann_client.post(reverse("accounts:tokens"), {"name": "one more"})
    assert "Revoke one you no longer need" in page.content.decode()
    assert ApiToken.objects.count() == MOST_LIVING_TOKENS


def test_use_is_noted_once_in_a_while_and_not_on_every_call(ann: User, django_assert_num_queries: Any) -> None:
    token, _ = ApiToken.issue(ann, "widget")
    with django_assert_num_queries(1):
        token.touch()
        token.touch()
    assert token.last_used_at is not None
    token.last_used_at -= timedelta(minutes=11)
    with django_assert_num_queries(1):
        token.touch()
