"""allauth's forms for second factors: codes, of which each try is counted in the database, and keys."""

from __future__ import annotations

import json
from typing import Any

from allauth.mfa.base import forms as allauth
from allauth.mfa.webauthn.forms import AddWebAuthnForm, LoginWebAuthnForm, ReauthenticateWebAuthnForm
from django.core.exceptions import ValidationError

from accounts.sign_in import checks, recovery_codes
from accounts.sign_in.tries import TooMany


class _CountedCode:
    user: Any
    cleaned_data: dict[str, Any]

    def clean_code(self) -> str:
        found: list[str] = []
        wrong: list[ValidationError] = []
        typed = self.cleaned_data["code"]

        def is_right() -> bool:
            self.cleaned_data["code"] = recovery_codes.stored_form(self.user, typed)
            try:
                found.append(super(_CountedCode, self).clean_code())  # type: ignore[misc]
            except ValidationError as error:
                wrong.append(error)
            return bool(found)

        try:
            right = checks.is_code(allauth.context.request, self.user, is_right)
        except TooMany as error:
            raise checks.refusal(error) from error
        if not right:
            raise wrong[0]
        return found[0]


class AuthenticateForm(_CountedCode, allauth.AuthenticateForm):
    pass


class ReauthenticateForm(_CountedCode, allauth.ReauthenticateForm):
    pass


class _Decoder(json.JSONDecoder):
    """Says of everything that cannot be read that it is no JSON: Django's field expects nothing else."""

    def decode(self, text: str, *args: Any) -> Any:
        try:
            return super().decode(text, *args)
        except (ValueError, RecursionError) as error:
            raise json.JSONDecodeError(str(error), "", 0) from error


class _KeyForm:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["credential"].decoder = _Decoder  # type: ignore[attr-defined]


class LoginKeyForm(_KeyForm, LoginWebAuthnForm):
    pass


class ReauthenticateKeyForm(_KeyForm, ReauthenticateWebAuthnForm):
    pass


class AddKeyForm(_KeyForm, AddWebAuthnForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["passwordless"]
        field.label = "Sign in with this key alone, as a passkey"
        field.help_text = (
            "Then you need neither username nor password. The key must ask for a PIN, a finger or your face."
        )
