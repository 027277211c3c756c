"""Signing in costs the same whoever is named: a password is hashed as often for a name that nobody has."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client

from accounts.models import User
from accounts.sign_in import checks


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passwords that were hashed."""
    right, found = MD5PasswordHasher.encode, list[str]()

    def encode(self: Any, password: str, salt: str) -> str:
        found.append(password)
        return right(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", encode)
    return found


def sign_in(name: str) -> bytes:
    return Client().post("/accounts/login/", {"login": name, "password": "not this one"}).content


@pytest.mark.django_db
@pytest.mark.parametrize("stranger", ["nobody", "nobody@example.org"])
def test_a_name_that_nobody_has_costs_as_much_as_one_that_somebody_has(hashed: list[str], stranger: str) -> None:
    User.objects.create_user("ann", "ann@example.org", "the right one")
    hashed.clear()
    sign_in("ann")
    known = list(hashed)
    hashed.clear()
    sign_in(stranger)
    assert hashed == known == ["not this one"]


@pytest.mark.django_db
def test_an_account_whose_own_limit_is_reached_costs_as_much(
    hashed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "OF_AN_ACCOUNT", 1)
    User.objects.create_user("ann", "ann@example.org", "the right one")
    sign_in("ann")
    hashed.clear()
    sign_in("ann@example.org")
    assert hashed == ["not this one"]
