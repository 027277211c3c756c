"""Encrypts what second factors are made of, so that whoever reads the database or a backup cannot make codes.

The key is derived from `SECRET_KEY`, which is not in the database. Seeds that an older release has stored, and those
that were encrypted with `OLD_SECRET_KEY`, can be read, and `seal_old` encrypts them with the present key.
"""

from __future__ import annotations

import base64

from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction

_BEGINS = "fernet:"
_PURPOSE = b"accounts.sign_in.sealed_seeds"
_SEED = "secret"  # where allauth keeps it
_UNREADABLE = "This second factor cannot be read any more. Use another one, or ask an administrator to remove it."


class UnreadableSeed(ValidationError):
    """No key opens what is stored: it was encrypted with one that is neither `SECRET_KEY` nor `OLD_SECRET_KEY`. A form
    says so at the field; a template shows nothing in its place."""

    silent_variable_failure = True


def seal(text: str) -> str:
    """What is stored instead of a seed."""
    return _BEGINS + _keys()[0].encrypt(text.encode()).decode()


def open_sealed(stored: str) -> str:
    """The seed again. Raises `UnreadableSeed` with a sentence for its owner where no key opens it."""
    if not stored.startswith(_BEGINS):
        return stored
    try:
        return MultiFernet(_keys()).decrypt(stored.removeprefix(_BEGINS)).decode()
    except InvalidToken:
        raise UnreadableSeed(_UNREADABLE, code="unreadable") from None


def seal_old() -> int:
    """Encrypt the seeds of apps that the present key does not open, a row at a time; how many rows there were. Nobody
    who signs in meanwhile notices. What no key opens stays as it is."""
    count = 0
    for pk in Authenticator.objects.filter(type=Authenticator.Type.TOTP).values_list("pk", flat=True):
        with transaction.atomic():
            factor = Authenticator.objects.select_for_update().filter(pk=pk).first()
            if factor is not None and factor.data[_SEED] != (sealed := _again(factor.data[_SEED])):
                factor.data[_SEED], count = sealed, count + 1
                factor.save(update_fields=["data"])
    return count


def _again(stored: str) -> str:
    try:
        if stored.startswith(_BEGINS):
            _keys()[0].decrypt(stored.removeprefix(_BEGINS))
            return stored
        return seal(stored)
    except InvalidToken:
        pass
    try:
        return seal(open_sealed(stored))
    except UnreadableSeed:
        return stored


def _keys() -> list[Fernet]:
    """The present key first."""
    return [Fernet(_key(secret)) for secret in (settings.SECRET_KEY, settings.OLD_SECRET_KEY) if secret]


def _key(secret: str) -> bytes:
    derived = HKDF(SHA256(), length=32, salt=None, info=_PURPOSE).derive(secret.encode())
    return base64.urlsafe_b64encode(derived)
