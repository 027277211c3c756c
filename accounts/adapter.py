"""Adapters for allauth: which usernames people may take, when they sign up here or through another site, and what they
read when they have tried to sign in too often."""

from __future__ import annotations

import secrets
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows import reauthentication
from allauth.core import context as allauth_context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.internal.flows.signup import redirect_to_signup
from django.contrib import messages
from django.contrib.sites.shortcuts import get_current_site
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect

from accounts import letters
from accounts.models import User
from accounts.models.user import TAKEN
from accounts.sign_in import checks, sealed_seeds
from accounts.sign_in.required import Owed
from accounts.sign_in.tries import TooMany
from accounts.validators import validate_not_reserved


class JustTaken(Exception):
    """Somebody else took the username, or one that looks like it, after it was checked."""


class AccountAdapter(DefaultAccountAdapter):
    error_messages = {**DefaultAccountAdapter.error_messages, "username_taken": TAKEN}

    def clean_username(self, username: str, shallow: bool = False) -> str:
        name: str = super().clean_username(username, shallow)
        validate_not_reserved(name)
        if not shallow and User.objects.looks_taken(name):
            raise ValidationError(TAKEN, code="username_taken")
        return name

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Write a letter now, to be sent by a task."""
        request = allauth_context.request
        variables = {"request": request, "email": email, "current_site": get_current_site(request), **context}
        letter = self.render_mail(template_prefix, email, variables)
        letters.send(email, letter.subject, letter.body)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Raises `ValidationError` after too many tries."""
        try:
            found: User | None = super().authenticate(request, **credentials)
        except TooMany as error:
            raise checks.refusal(error) from error
        return found

    def reauthenticate(self, user: User, password: str) -> bool:
        """Whether this is the password of a person who is signed in. Raises `ValidationError` after too many tries."""
        try:
            return checks.is_password(self.request, user, password)
        except TooMany as error:
            raise checks.refusal(error) from error

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """The ways to show again who one is; not by password where that does not do (`required.Owed.PROOF`)."""
        ways: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        if getattr(self.request, "owed", None) is Owed.PROOF:
            ways = [way for way in ways if way["id"] != "reauthenticate"]
        return ways

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Not of somebody whom Discord signs in and who has neither password nor factor: they have nothing to show, and
        could not choose a password, add the factor that is asked of them, or delete their account."""
        required: bool = super().is_reauthentication_required(app=app, **kwargs)
        return required and bool(reauthentication.get_reauthentication_flows(self.request.user))

    def generate_unique_username(self, txts: list[str | None], regex: str | None = None) -> str:
        """A free username close to somebody's name elsewhere. allauth only finds names that are spelt the same."""
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
        """If somebody else took the username after it was checked, the person is asked for another one."""
        try:
            with transaction.atomic():
                saved: User = super().save_user(request, sociallogin, form)
        except (IntegrityError, JustTaken) as error:
            if User.objects.looks_taken(sociallogin.user.username):
                messages.error(request, TAKEN)
                raise ImmediateHttpResponse(redirect_to_signup(request, sociallogin)) from error
            # The same person came twice at once, and the other time has made the account.
            messages.info(request, "Your account has just been made. Please sign in with it.")
            raise ImmediateHttpResponse(redirect("account_login")) from error
        return saved


class MFAAdapter(DefaultMFAAdapter):
    def encrypt(self, text: str) -> str:
        return sealed_seeds.seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        return sealed_seeds.open_sealed(encrypted_text)
