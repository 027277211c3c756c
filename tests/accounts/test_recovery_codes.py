"""Recovery codes are shown once and stored as hashes; those of an older release go on working and are hashed soon."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.sign_in import recovery_codes
from accounts.tasks import tidy
from tests.accounts.conftest import PASSWORD

MAKE = reverse("mfa_generate_recovery_codes")


@pytest.fixture
def ann(ann: User) -> User:
    """She has an app, and no codes yet."""
    TOTP.activate(ann, generate_totp_secret())
    return ann


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PBKDF2PasswordHasher, "iterations", 1000)


def row() -> Authenticator:
    return Authenticator.objects.get(type=Authenticator.Type.RECOVERY_CODES)


def stored() -> str:
    return json.dumps(row().data)


def codes_of(answer: Any) -> list[str]:
    """Those that a page shows."""
    assert answer.status_code == 200
    return re.findall(r"\b(?:[a-z2-9]{6}-){3}[a-z2-9]{6}\b", html.unescape(answer.content.decode()))


def made(person: User) -> list[str]:
    """What she sees when she has made new codes, which she can do only after she has shown that it is her."""
    browser = Client()
    browser.force_login(person)
    assert browser.post(MAKE)["Location"].startswith(reverse("account_reauthenticate"))
    browser.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    answer = browser.post(MAKE)
    assert "no-store" in answer["Cache-Control"]
    codes = codes_of(answer)
    assert codes_of(browser.get(MAKE)) == []
    assert f"You have {len(codes)} codes left" in browser.get(reverse("mfa_index")).content.decode()
    return codes


def comes_in(code: str) -> bool:
    browser = Client()
    browser.post(reverse("account_login"), {"login": "ann", "password": PASSWORD})
    return browser.post(reverse("mfa_authenticate"), {"code": code}).status_code == 302


def test_codes_are_long_and_only_their_hashes_are_stored(ann: User) -> None:
    codes = made(ann)
    assert len(set(codes)) == recovery_codes.COUNT
    bare = [code.replace("-", "") for code in codes]
    assert not any(code in stored() for code in [*codes, *bare])
    assert "seed" not in stored()
    assert all(re.fullmatch(r"sha256\$[0-9a-f]{64}", each) for each in row().data["migrated_codes"])
    assert made(ann) != codes


def test_each_works_once_however_it_is_written(ann: User) -> None:
    first, second, *rest = made(ann)
    assert comes_in(first)
    assert not comes_in(first)
    assert comes_in(second.replace("-", " ").upper())
    assert len(row().data["migrated_codes"]) == len(rest)
    assert made(ann)
    assert not comes_in(rest[0])  # new ones take the place of the old


def test_whoever_reads_the_database_cannot_sign_in_with_what_is_there(ann: User) -> None:
    made(ann)
    first = row().data["migrated_codes"][0]
    assert not comes_in(first)
    assert not comes_in(first.removeprefix("sha256$"))


def test_codes_of_an_older_release_go_on_working_and_are_hashed_soon(ann: User) -> None:
    RecoveryCodes.activate(ann)
    used, *codes = row().wrap().get_unused_codes()
    assert comes_in(used)
    tidy()
    assert "seed" not in stored()
    assert not any(code in stored() for code in [used, *codes])
    assert all(each.startswith("pbkdf2_sha256$") for each in row().data["migrated_codes"])
    hashes = row().data
    assert recovery_codes.hash_old() == 0
    assert row().data == hashes
    assert not comes_in(used)
    assert not comes_in(hashes["migrated_codes"][0])
    assert [comes_in(codes[0]), comes_in(codes[0])] == [True, False]
    assert made(ann)
    assert not comes_in(codes[1])


def test_a_code_that_is_used_while_old_ones_are_hashed_stays_used(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    RecoveryCodes.activate(ann)
    code, *_ = row().wrap().get_unused_codes()
    unused = RecoveryCodes.get_unused_codes

    def and_meanwhile(self: RecoveryCodes) -> list[str]:
        found: list[str] = unused(self)
        RecoveryCodes(row()).validate_code(code)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(RecoveryCodes, "get_unused_codes", and_meanwhile)
        assert recovery_codes.hash_old() == 0
    assert recovery_codes.hash_old() == 1
    assert not comes_in(code)


def test_old_codes_that_no_key_opens_let_nobody_in_and_new_ones_can_be_made(ann: User, settings: Any) -> None:
    RecoveryCodes.activate(ann)
    code, *_ = row().wrap().get_unused_codes()
    before = row().data
    unreadable = {**before, "seed": before["seed"][:-8] + "AAAAAAA="}  # as after a restore to a site with another key
    Authenticator.objects.filter(pk=row().pk).update(data=unreadable)
    assert recovery_codes.hash_old() == 0
    assert row().data == unreadable
    assert not comes_in(code)
    browser = Client()
    browser.force_login(ann)
    browser.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert "You have 0 codes left" in browser.get(reverse("mfa_index")).content.decode()
    page = browser.get(MAKE)
    assert page.status_code == 200
    assert "stop working" not in page.content.decode()
    assert comes_in(codes_of(browser.post(MAKE))[0])
