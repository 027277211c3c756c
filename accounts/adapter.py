"""Adapters for allauth: usernames, proving again who one is, and encrypted second factors."""

import base64
import secrets
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as allauth_context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.contrib import messages
from django.contrib.sites.shortcuts import get_current_site
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest
from django.shortcuts import redirect

from accounts import mail_queue, sign_in
from accounts.models import User
from accounts.models.user import TAKEN
from accounts.second_factor import Owed
from accounts.validators import validate_not_reserved

_UNREADABLE = "The site can no longer read this second factor. Use another one, or ask an administrator to remove it."


class JustTaken(Exception):
    """Somebody else took the username, or one that looks like it, after it was checked."""


_COUNTED = ("account/email/password_reset_key", "account/email/unknown_account")
"""The mails that `mail_queue.ask_for_new_password` has counted already."""


class AccountAdapter(DefaultAccountAdapter):
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": TAKEN,
        "too_many_login_attempts": "You have tried too many times. Wait a while, an hour at most, and try again.",
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        name: str = super().clean_username(username, shallow)
        validate_not_reserved(name)
        if not shallow and User.objects.looks_taken(name):
            raise ValidationError(TAKEN, code="username_taken")
        return name

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Queue the mail; a task sends it."""
        request = allauth_context.request
        variables = {"request": request, "email": email, "current_site": get_current_site(request), **context}
        mail = self.render_mail(template_prefix, email, variables)
        mail_queue.send(email, mail.subject, mail.body, is_counted=template_prefix in _COUNTED)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            sign_in.note_failed("password", None, "too many tries")
            raise

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        name = credentials.get("username") or credentials.get("email", "")
        user = User.objects.filter(Q(username__iexact=name) | Q(email__iexact=name)).first()
        sign_in.note_failed("password", user, "wrong")

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """The ways in which somebody can prove again who they are. Leaves out the password where a second factor is due
        (`Owed.PROOF`), and puts security keys before codes, which may be recovery codes alone."""
        ways: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        if getattr(self.request, "owed", None) is Owed.PROOF:
            ways = [way for way in ways if way["id"] != "reauthenticate"]
        return sorted(ways, key=lambda way: way["id"] == "mfa_reauthenticate")

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Whether to ask again. Exempts people who sign in with Discord and have neither password nor factor: they
        could not answer, and so could never choose a password, add a required factor, or delete their account."""
        required: bool = super().is_reauthentication_required(app=app, **kwargs)
        return required and bool(super().get_reauthentication_methods(self.request.user))

    def generate_unique_username(self, txts: list[str | None], regex: str | None = None) -> str:
        """A free username close to somebody's name elsewhere. allauth's own finds only names with the same spelling."""
        name: str = super().generate_unique_username(txts, regex)
        base = name
        while User.objects.looks_taken(name):
            name = f"{base[:20]}{secrets.randbelow(10**6)}"
        return name

    def save_user(self, request: Any, user: User, form: Any, commit: bool = True) -> User:
        """Raises `JustTaken`."""
        try:
            saved: User = super().save_user(request, user, form, commit)
        except IntegrityError as error:
            raise JustTaken from error
        return saved


class SocialAccountAdapter(DefaultSocialAccountAdapter):
    def save_user(self, request: Any, sociallogin: Any, form: Any = None) -> User:
        """Create the account, or let the person sign up again if somebody took the username after it was checked."""
        try:
            with transaction.atomic():
                saved: User = super().save_user(request, sociallogin, form)
        except (IntegrityError, JustTaken) as error:
            if User.objects.looks_taken(sociallogin.user.username):
                messages.error(request, TAKEN)
            else:  # the same person came twice at once, and the other time has made the account
                messages.info(request, "You have just made this account. Please sign in to it.")
            raise ImmediateHttpResponse(redirect("account_login")) from error
        return saved


class MFAAdapter(DefaultMFAAdapter):
    """Encrypts the secrets of authenticator apps, so that a copy of the database is not enough to make codes. The key
    is derived from `SECRET_KEY`, which is not stored there; `OLD_SECRET_KEY` decrypts what an earlier key encrypted."""

    def encrypt(self, text: str) -> str:
        return _keys().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Decrypt a secret. Raises `Unreadable`, with a sentence for its owner, if no key fits."""
        try:
            return _keys().decrypt(encrypted_text).decode()
        except InvalidToken:
            raise Unreadable(_UNREADABLE, code="unreadable") from None


class Unreadable(ValidationError):
    """A stored secret cannot be decrypted. Forms show the sentence at their field; templates show nothing."""

    silent_variable_failure = True


def _keys() -> MultiFernet:
    """The keys, the current one first."""
    return MultiFernet(
        [
            Fernet(base64.urlsafe_b64encode(HKDF(SHA256(), 32, None, b"second factors").derive(secret.encode())))
            for secret in (settings.SECRET_KEY, settings.OLD_SECRET_KEY)
            if secret
        ]
    )
