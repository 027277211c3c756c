"""What the server's log has of signing in: that it happened, and nothing that was typed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client
from django.urls import reverse
from structlog.testing import capture_logs

from accounts.models import User
from accounts.sign_in import events
from tests.accounts.conftest import PASSWORD

LOGIN = "/accounts/login/"


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    with capture_logs() as found:
        monkeypatch.setattr(events, "logger", structlog.get_logger("accounts.sign_in.events"))
        yield found


def written(lines: list[Any]) -> list[tuple[str, int | None]]:
    return [(line["event"], line["account"]) for line in lines if "account" in line]


def test_what_was_wrong_is_written_down_without_what_was_typed(ann: User, lines: list[Any]) -> None:
    Client().post(LOGIN, {"login": "ann", "password": "a secret of mine"})
    Client().post(LOGIN, {"login": "my own password", "password": "a secret of mine"})
    assert written(lines) == [("sign_in_failed", ann.pk), ("sign_in_failed", None)]
    assert not {"my own", "secret", "ann@", "127.0.0.1"} & set(json.dumps(lines).split('"'))
    assert "secret" not in json.dumps(lines)
    assert "own password" not in json.dumps(lines)


@pytest.mark.usefixtures("django_capture_on_commit_callbacks")
def test_so_is_whatever_changes_how_somebody_signs_in(ann: User, lines: list[Any]) -> None:
    TOTP.activate(ann, generate_totp_secret())
    RecoveryCodes.activate(ann)
    browser = Client()
    browser.post(LOGIN, {"login": "ann", "password": PASSWORD})
    browser.post(reverse("mfa_authenticate"), {"code": "000000"})
    codes = ann.authenticator_set.get(type="recovery_codes").wrap().get_unused_codes()  # type: ignore[attr-defined]
    browser.post(reverse("mfa_authenticate"), {"code": codes[0]})
    browser.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    browser.post(reverse("account_email"), {"action_add": "", "email": "other@example.org"})
    browser.post(reverse("mfa_deactivate_totp"))
    new = "another walk by the sea"
    browser.post(reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": new, "password2": new})
    names = [name for name, account in written(lines) if account == ann.pk]
    for name in ("sign_in_failed", "signed_in", "second_factor_removed", "password_changed"):
        assert name in names, names
    assert {"code"} == {line["kind"] for line in lines if line["event"] == "sign_in_failed"}
    assert codes[0] not in json.dumps(lines, default=str)
