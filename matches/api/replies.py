"""The API's replies, and how every failure becomes one: always the same shape, with a code and a sentence.

Without Django's requests and responses, because `endpoint` does not use them.
"""

import math
from typing import Any, NamedTuple, TypeVar

import msgspec
import structlog
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import OperationalError

from accounts.models import ApiToken, SecondFactorAsked, TokenElsewhere, TokenRefused
from matches.api.shapes import Refusal
from matches.infra.db_threads import Overloaded
from matches.infra.db_waits import is_busy
from matches.queries.access import Illegible, MatchHidden, RulesNotHere
from matches.services.errors import Busy, Refused

logger = structlog.get_logger(__name__)

encode = msgspec.json.Encoder().encode

T = TypeVar("T")

RETRY_AFTER = "2"
"""Seconds after which to try again if nothing else is known."""

_BUSY = "The site is too busy right now. Try again in a moment, with the same Idempotency-Key."
FAILED = "Something failed on our side. We have a record of it."

NO_STORE = ("Cache-Control", "no-store, private")


class Reply(NamedTuple):
    """A reply: a status, a JSON body, and headers beyond those that every reply has."""

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def content_type(self) -> str:
        return "application/problem+json" if self.status >= 400 else "application/json"


class ApiError(Exception):
    """A request that cannot be carried out as it was sent."""

    def __init__(self, status: int, code: str, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message
        self.headers = tuple((name.replace("_", "-"), value) for name, value in headers.items())


def reply(value: Any, *headers: tuple[str, str]) -> Reply:
    """Return a reply with this value as its body."""
    return Reply(200, encode(value), headers)


def for_asker(value: Any) -> Reply:
    """Return a reply for this client alone, which no cache may store."""
    return reply(value, NO_STORE)


def known_as(kind: type[T], found: object) -> T:
    """Convert structs that were made for pages and have more fields."""
    return msgspec.convert(found, kind, from_attributes=True)


def refusal(status: int, code: str, message: str, *headers: tuple[str, str], field: str | None = None) -> Reply:
    """Return a refusal: a problem in the form of RFC 9457, with members of our own. Every 429 and 503 says when to try
    again."""
    if status in (429, 503) and "Retry-After" not in dict(headers):
        headers = (*headers, ("Retry-After", RETRY_AFTER))
    title = code.replace("_", " ").capitalize()
    which = msgspec.UNSET if field is None else field
    problem = Refusal(
        f"tag:{settings.SITE_HOST},2026:problem/{code}", title, status, message, False, code, message, which
    )
    return Reply(status, encode(problem), headers)


def not_signed_in() -> ApiError:
    message = "Sign in, or send a personal token as “Authorization: Bearer …”."
    return ApiError(401, "not_signed_in", message, WWW_Authenticate="Bearer")


def need_act(token: ApiToken) -> None:
    """Raise `ApiError` for a token that may only read."""
    if not token.may_act:
        message = "This token may only read, ask and do dry runs. Make one on your profile page that may act."
        raise ApiError(403, "token_may_only_read", message)


def too_many(seconds: float) -> ApiError:
    wait = max(1, math.ceil(seconds))
    return ApiError(429, "too_many_requests", f"Too many requests: try again in {wait} s.", Retry_After=str(wait))


def too_large(most: int) -> ApiError:
    return ApiError(413, "too_large", f"You can send at most {most // 1024} KiB here.")


def reply_to(error: Exception) -> Reply:
    """Return the reply to any error. An unexpected error is logged, and the reply says nothing about it."""
    match error:
        case ApiError():
            return refusal(error.status, error.code, error.message, *error.headers)
        case TokenElsewhere() | SecondFactorAsked():
            return refusal(403, error.code, error.message)
        case TokenRefused():
            return refusal(401, error.code, error.message, ("WWW-Authenticate", "Bearer"))
        case MatchHidden():
            return refusal(404, "not_found", error.message)
        case RulesNotHere() | Illegible():
            return refusal(503, error.code, error.message)
        case Busy() | Overloaded():
            return refusal(503, "busy", _BUSY)
        case Refused():
            later = [("Retry-After", str(error.retry_after))] if error.retry_after else []
            return refusal(error.status, error.code, error.message, *later)
        case OperationalError() if is_busy(error):
            logger.warning("api_busy", error=repr(error))
            return refusal(503, "busy", _BUSY)
        case DatabaseError():
            logger.error("api_database_failed", error=repr(error))
            message = "The database is briefly unavailable. Try again with the same Idempotency-Key."
            return refusal(503, "database_unavailable", message)
        case _:
            logger.error("api_failed", exc_info=error)
            return refusal(500, "internal_error", FAILED)
