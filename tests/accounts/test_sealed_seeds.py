"""What codes of apps are made of is encrypted in the database, by a key that is not there."""

from __future__ import annotations

import json
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.sign_in.sealed_seeds import open_sealed, seal, seal_old
from tests.accounts.conftest import PASSWORD

FORMER = "the key of this site before " + "x" * 32


@pytest.fixture
def secret(ann: User) -> str:
    found = generate_totp_secret()
    TOTP.activate(ann, found)
    return found


def code_of(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))


def stored() -> str:
    return json.dumps(list(Authenticator.objects.order_by("pk").values_list("data", flat=True)))


def comes_in(code: str) -> bool:
    browser = Client()
    browser.post(reverse("account_login"), {"login": "ann", "password": PASSWORD})
    return browser.post(reverse("mfa_authenticate"), {"code": code}).status_code == 302


def test_no_seed_is_in_the_database(secret: str) -> None:
    assert secret not in stored()
    assert stored().count("fernet:") == 1
    assert comes_in(code_of(secret))


def test_what_an_older_release_has_stored_works_and_is_encrypted_soon(secret: str) -> None:
    for factor in Authenticator.objects.all():
        factor.data = {name: open_sealed(v) if isinstance(v, str) else v for name, v in factor.data.items()}
        factor.save()
    assert secret in stored()
    assert seal_old() == 1
    assert secret not in stored()
    assert seal_old() == 0
    assert comes_in(code_of(secret))


def test_a_new_key_takes_over_what_the_old_one_opens(secret: str, settings: Any) -> None:
    settings.OLD_SECRET_KEY, settings.SECRET_KEY = settings.SECRET_KEY, FORMER
    assert comes_in(code_of(secret))
    assert seal_old() == 1
    settings.OLD_SECRET_KEY = ""
    assert Authenticator.objects.get(type="totp").wrap().validate_code(code_of(secret)) is not None


def test_what_no_key_opens_lets_nobody_in_and_is_told_in_words(secret: str, settings: Any) -> None:
    before = stored()
    settings.SECRET_KEY = FORMER
    with pytest.raises(ValidationError, match="cannot be read any more"):
        open_sealed(Authenticator.objects.get(type="totp").data["secret"])
    for code in ("000000", code_of(secret)):
        assert not comes_in(code)
    assert seal_old() == 0
    assert stored() == before


def test_one_seed_is_never_encrypted_to_the_same_twice() -> None:
    assert seal("one") != seal("one")
    assert open_sealed(seal("one")) == "one"
