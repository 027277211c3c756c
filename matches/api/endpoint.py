"""The fast path of the API: an action with a bearer token is handled without Django's middleware.

A request through Django takes five times as long as the bid itself. The middleware is not needed here: no cookie is
read, so there is no CSRF, and no page is shown. Unusual requests (another scheme, a foreign host, a second
Authorization header) are left to Django, which gives the same answers (`views.act`).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import Any, ClassVar

from django.conf import settings
from django.db import connection
from django.http.request import split_domain_port, validate_host

from accounts.models import ApiToken, TokenRefused, User
from matches.api.actions import LARGEST_BODY, Action, answered, count, hidden_or, read, take
from matches.api.query import FLAG, read_query
from matches.api.replies import ApiError, Reply, need_act, reply_to, too_large
from matches.infra.begun import begin
from matches.infra.db_threads import DatabaseThreads
from matches.models import Match
from matches.services.actions import submit_action
from matches.services.errors import NotAPlayer
from matches.services.group import queue as group
from matches.services.group.asks import Ask, Pass
from matches.services.storage import sql

_PATH = re.compile(r"/api/v1/matches/([-\w]+)/actions/", re.ASCII)
_READ_SECONDS = 20
_POSTGRESQL_THREADS = 6
_PATIENCE_SECONDS = 5.0
_MOST_KNOWN = 10_000

HEADERS = (
    ("Content-Type", "application/json"),
    ("Cache-Control", "no-store, private"),
    ("X-Content-Type-Options", "nosniff"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("Vary", "Authorization, Cookie"),
)
"""What every answer to an action carries, whichever way it was taken."""

PARAMETERS = {"dry_run": FLAG}
"""What the query of an action may say."""

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Gone(Exception):
    """The client has closed the connection."""


class Holder:
    """The person who sends a token to a match (its public id), for one request: read once, counted once."""

    # Whose a token is never changes; whether it holds is read each time. Several threads use it.
    _known: ClassVar[dict[str, int]] = {}

    def __init__(self, digest: str, match: str) -> None:
        self.digest, self._match = digest, match
        self._counted = False

    def count_if_known(self) -> None:
        """Count an action of a person who has used this token before. Raises `ApiError` if they are too fast."""
        if (user_id := self._known.get(self.digest)) is not None:
            self._counted = True
            count(user_id)

    def admit(self, token: ApiToken | None, *, to_act: bool = True) -> int:
        """The user who acts by this token. Raises `TokenRefused`, or `ApiError` for one that may not, or is too
        fast."""
        try:
            good = ApiToken.good_one([token] if token else [])
        except TokenRefused:
            # Or somebody with a token that was revoked could use up its owner's rate.
            self._known.pop(self.digest, None)
            raise
        good.touch()
        good.need_for(self._match)
        if to_act:
            need_act(good)
        if not self._counted:
            self._counted = True
            count(good.user_id)
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[self.digest] = good.user_id
        return good.user_id


class ApiGate:
    """ASGI in front of Django: takes the actions that bring a token, and passes on everything else."""

    def __init__(self, django_app: Any) -> None:
        self._django = django_app
        # For what the group writer does not take. SQLite has one writer: a second thread would only wait for its lock,
        # and wait badly.
        threads = 1 if connection.vendor == "sqlite" else _POSTGRESQL_THREADS
        self._threads = DatabaseThreads("actions", threads, patience=_PATIENCE_SECONDS)

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        found = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        secret = _bearer(scope) if found else None
        if found is None or secret is None or not _is_plain(scope):
            await self._django(scope, receive, send)
            return
        try:
            query = read_query(scope["query_string"].decode("latin1"), PARAMETERS)
            body = await _body(scope, receive)
            action = Action(found[1], body, _values(scope, b"idempotency-key"), query["dry_run"])
            answer = await self._answer(secret, action)
        except Gone:
            return
        except Exception as error:
            answer = reply_to(error)
        await _respond(send, answer)

    async def _answer(self, secret: str, action: Action) -> Reply:
        holder = Holder(ApiToken.digest_of(secret), action.public_id)
        if not action.dry and (answer := await _together(holder, action)):
            return answer
        return await self._threads.run_for(action.public_id, _alone, holder, action)


async def _together(holder: Holder, action: Action) -> Reply | None:
    """The answer of the group writer; None if it takes no such action. Raises whatever it refuses it with."""
    try:
        raw, key = read(action)
    except ApiError:
        return None  # it is said only to somebody whose token holds
    holder.count_if_known()
    try:
        answer = await group.ask(Ask(action.public_id, Pass(holder.digest, holder.admit), raw, key))
    except (NotAPlayer, Match.DoesNotExist) as error:
        raise hidden_or(error) from None
    return None if answer is None else answered(answer)


def _alone(holder: Holder, action: Action) -> Reply:
    """In a thread with a database connection."""
    try:
        found = sql.fetch(ApiToken, _WITH_DIGEST, holder.digest)
        user_id = holder.admit(found[0] if found else None, to_act=not action.dry)
        return take(action, user_id, submit_action)
    except Exception as error:
        return reply_to(error)


# What `ApiToken.find` asks, with SQL that is made once.
_WITH_DIGEST = f"""
    digest = %s AND EXISTS (SELECT 1 FROM {User._meta.db_table} person WHERE person.id = user_id AND person.is_active)
"""  # noqa: S608


def _values(scope: Any, name: bytes) -> list[str]:
    return [value.decode("latin1") for key, value in scope["headers"] if key == name]


def _bearer(scope: Any) -> str | None:
    """The token of a request that has one Authorization header, and a bearer token in it."""
    values = _values(scope, b"authorization")
    scheme, _, secret = values[0].partition(" ") if len(values) == 1 else ("", "", "")
    return secret.strip() if scheme.lower() == "bearer" else None


def _is_plain(scope: Any) -> bool:
    """Whether Django would neither refuse this host nor send the request on to https."""
    hosts = _values(scope, b"host")
    if len(hosts) != 1 or not _is_allowed(hosts[0], tuple(settings.ALLOWED_HOSTS)):
        return False
    return not settings.SECURE_SSL_REDIRECT or _is_secure(scope)


@lru_cache(maxsize=100)
def _is_allowed(host: str, allowed: tuple[str, ...]) -> bool:
    return validate_host(split_domain_port(host)[0], allowed)


def _is_secure(scope: Any) -> bool:
    if settings.SECURE_PROXY_SSL_HEADER is None:
        return bool(scope.get("scheme") == "https")
    name, value = settings.SECURE_PROXY_SSL_HEADER
    header = name.removeprefix("HTTP_").replace("_", "-").lower().encode()
    return [each.split(",")[0].strip() for each in _values(scope, header)] == [value]


async def _body(scope: Any, receive: Receive) -> bytes:
    lengths = _values(scope, b"content-length")
    if lengths and lengths[0].isdigit() and int(lengths[0][:12]) > LARGEST_BODY:
        raise too_large(LARGEST_BODY)
    parts: list[bytes] = []
    rest = begin(_read_body(receive, parts))
    if rest is not None:  # most have come whole by now, and need no limit on the time
        try:
            async with asyncio.timeout(_READ_SECONDS):
                await rest
        except TimeoutError:
            raise ApiError(408, "timeout", "The body did not arrive in time. Send it again.") from None
    return b"".join(parts)


async def _read_body(receive: Receive, parts: list[bytes]) -> None:
    """Read a body to its end into `parts`."""
    length = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        part = message.get("body", b"")
        length += len(part)
        if length > LARGEST_BODY:
            raise too_large(LARGEST_BODY)
        parts.append(part)
        if not message.get("more_body", False):
            return


_RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS]


async def _respond(send: Send, answer: Reply) -> None:
    headers = [*_RAW_HEADERS, (b"content-length", str(len(answer.body)).encode())]
    headers += [(name.lower().encode(), value.encode()) for name, value in answer.headers]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})
