"""API tokens: personal keys for programs, which expire, can be read-only, and can be limited to one match."""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Iterable
from datetime import timedelta

from django.db import models
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import second_factor
from accounts.models.user import User, tell_access_changed
from accounts.signals import Reason


class TokenRefused(Exception):
    """A token was refused. `code` is for programs (`bad_token`, `token_expired`), `message` for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


class TokenElsewhere(TokenRefused):
    """The token is valid, but limited to another match than the one asked for."""

    def __init__(self) -> None:
        super().__init__(
            "token_for_another_match",
            "This token works only in another match. Make a new one on your profile page.",
        )


class SecondFactorAsked(TokenRefused):
    """The token is valid, but its owner must first set up a second factor."""

    def __init__(self) -> None:
        super().__init__(
            "second_factor_required",
            "This site asks this token's owner for a second factor. The token works again once its owner has set one "
            "up under Profile, Two-factor sign-in.",
        )


class TokenQuerySet(models.QuerySet["ApiToken"]):
    def living(self) -> TokenQuerySet:
        """Tokens that still work."""
        return self.filter(revoked_at=None, expires_at__gt=timezone.now())


class ApiToken(models.Model):
    """A personal key for programs. Only its digest is stored, so nobody can read it again.

    The secret has 256 random bits, so one round of SHA-256 is enough; slow hashes are for passwords that people choose,
    and would add a tenth of a second to every API call.

    A token ends when it expires, is revoked, or its owner gets a new password (`User.save`). One that is limited to a
    match is refused everywhere else, even on public pages, so that its owner need not think about what it can reach.
    """

    class Scope(models.TextChoices):
        READ = "read", "Read"
        ACT = "act", "Read and act"

    BEGINNING = "gen_"  # so that secret scanners and people recognise a token
    SHOWN = 8
    USUAL_DAYS = 90
    # A write on every call would make reading the API compete with the bids for the database.
    TOUCH_EVERY = timedelta(minutes=10)

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField("name", max_length=60, help_text="What will use it, for example “my phone's widget”.")
    scope = models.CharField("may", max_length=4, choices=Scope)
    # An id of another app, whose rows may go before the token does.
    limited_to = models.CharField("only for", max_length=16, blank=True, default="", db_default="", editable=False)
    prefix = models.CharField("begins with", max_length=SHOWN, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField("made", default=timezone.now, editable=False)
    expires_at = models.DateTimeField("expires", editable=False)
    last_used_at = models.DateTimeField("last used", null=True, blank=True, editable=False)
    revoked_at = models.DateTimeField("revoked", null=True, blank=True, editable=False)

    objects = TokenQuerySet.as_manager()

    class Meta:
        verbose_name = "API token"
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @classmethod
    def issue(
        cls, user: User, name: str, scope: str = Scope.ACT, days: int = USUAL_DAYS, limited_to: str = "", key: str = ""
    ) -> tuple[ApiToken, str]:
        """Make a token, limited to the match of id `limited_to` if given. Return it with its secret, which is not
        stored. With `key` the secret is derived from the user and that key; check first that it is unused
        (`of_key`)."""
        secret = cls._secret_of(user, key) if key else cls.BEGINNING + secrets.token_urlsafe(32)
        now = timezone.now()
        token = cls.objects.create(
            user=user,
            name=name,
            scope=scope,
            limited_to=limited_to,
            prefix=secret[: cls.SHOWN],
            digest=cls.digest_of(secret),
            created_at=now,
            expires_at=now + timedelta(days=days),
        )
        return token, secret

    @classmethod
    def of_key(cls, user: User, key: str) -> tuple[ApiToken | None, str]:
        """Return the token that this person made with this key, or None, and the secret of that key."""
        secret = cls._secret_of(user, key)
        return cls.objects.filter(user=user, digest=cls.digest_of(secret)).first(), secret

    @classmethod
    def _secret_of(cls, user: User, key: str) -> str:
        derived = salted_hmac("accounts.token", f"{user.pk}:{key}", algorithm="sha256").digest()
        return cls.BEGINNING + base64.urlsafe_b64encode(derived).decode().rstrip("=")

    @classmethod
    def of_header(cls, authorization: str) -> ApiToken:
        """Return the token of an Authorization header. Raises `TokenRefused`."""
        scheme, _, secret = authorization.partition(" ")
        return cls.find(secret.strip() if scheme.lower() == "bearer" else "")

    @classmethod
    def find(cls, secret: str) -> ApiToken:
        """Return the token with this secret, with its active user. Raises `TokenRefused`."""
        found = cls.objects.select_related("user").filter(digest=cls.digest_of(secret), user__is_active=True)
        return cls.good_one(found)

    @classmethod
    def good_one(cls, found: Iterable[ApiToken]) -> ApiToken:
        """Return the first of `found` (with the right digest and an active user) if it works. Raises `TokenRefused`."""
        token = next(iter(found), None)
        if token is None or token.revoked_at is not None:
            raise TokenRefused(
                "bad_token",
                "This token is unknown, or you have revoked it or changed your password. Make a new one on your "
                "profile page.",
            )
        if token.is_expired:
            day = f"{token.expires_at:%d %B %Y}".lstrip("0")
            raise TokenRefused("token_expired", f"This token expired on {day}. Make a new one on your profile page.")
        if second_factor.lacks_one(token.user_id):
            raise SecondFactorAsked
        return token

    @staticmethod
    def digest_of(secret: str) -> str:
        # Secrets come from request headers: an odd character must be refused, not crash.
        return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def is_expired(self) -> bool:
        return self.expires_at <= timezone.now()

    @property
    def may_act(self) -> bool:
        """Whether it may do more than read."""
        return self.scope == self.Scope.ACT

    def need_for(self, match: str) -> None:
        """Raise `TokenElsewhere` if it is limited to another match than this id (empty: not of any match)."""
        if self.limited_to and self.limited_to != match:
            raise TokenElsewhere

    def touch(self) -> None:
        """Record that it was used, at most every `TOUCH_EVERY`."""
        now = timezone.now()
        if self.last_used_at is None or now - self.last_used_at >= self.TOUCH_EVERY:
            self.last_used_at = now
            self.save(update_fields=["last_used_at"])

    def revoke(self) -> None:
        if self.revoked_at is None:
            self.revoked_at = timezone.now()
            self.save(update_fields=["revoked_at"])
            tell_access_changed(self.user, Reason.REVOKED_TOKEN, self.digest)
