"""allauth's forms for security keys, in the site's words."""

from __future__ import annotations

import json
from typing import Any

from allauth.mfa.webauthn.forms import AddWebAuthnForm, LoginWebAuthnForm, ReauthenticateWebAuthnForm


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
