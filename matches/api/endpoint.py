"""The fast path of the API: an action with a bearer token is handled without Django's middleware.

A request through Django takes five times as long as the bid itself. The middleware is not needed here: no cookie is
read, so there is no CSRF, and no page is shown. Unusual requests (another scheme, a foreign host, a second
Authorization header) are left to Django, which gives the same answers (`views.act`).
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

import structlog
from django.db import connection

from accounts.models import ApiToken, TokenRefused, User
from matches.api.actions import LARGEST_BODY, Action, answered, count, hidden_or, read, take
from matches.api.query import FLAG, read_query
from matches.api.replies import ApiError, Reply, need_act, reply_to, too_large
from matches.infra.asgi import Gone, Headers, Receive, Send, TooLong, is_plain, read_body, respond, values
from matches.infra.bare_headers import PROTECTING
from matches.infra.db_threads import DatabaseThreads
from matches.models import Match
from matches.services.actions import submit_action
from matches.services.errors import NotAPlayer
from matches.services.group import queue as group
from matches.services.group.asks import Ask, Pass
from matches.services.storage import sql

logger = structlog.get_logger(__name__)

_PATH = re.compile(r"/api/v1/matches/([-\w]+)/actions/", re.ASCII)
_READ_SECONDS = 20
_POSTGRESQL_THREADS = 6
_PATIENCE_SECONDS = 5.0
_MOST_KNOWN = 10_000
_NO_RIGHT = (401, 403, 404)

HEADERS = (
    ("Content-Type", "application/json"),
    ("Cache-Control", "no-store, private"),
    *PROTECTING,
    ("Vary", "Authorization, Cookie"),
)
"""What every answer to an action carries, whichever way it was taken."""

PARAMETERS = {"dry_run": FLAG}
"""What the query of an action may say."""


class Holder:
    """The person who sends a token to a match (its public id), for one request: read once, counted once."""

    # Whose a token is never changes; whether it holds is read each time. Several threads use it.
    _known: ClassVar[dict[str, int]] = {}

    def __init__(self, digest: str, match: str) -> None:
        self.digest, self._match = digest, match
        self._counted = False
        self._account: int | None = None

    def count_if_known(self) -> None:
        """Count an action of a person who has used this token before. Raises `ApiError` if they are too fast."""
        if (user_id := self._known.get(self.digest)) is not None:
            self._counted = True
            count(user_id)

    def admit(self, token: ApiToken | None, *, to_act: bool = True) -> int:
        """The user who acts by this token. Raises `TokenRefused`, or `ApiError` for one that may not, or is too
        fast."""
        self._account = token.user_id if token else None
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

    def told(self, error: Exception) -> Reply:
        """The answer to what went wrong. That somebody may not do this is written down, as Django does for pages."""
        answer = reply_to(error)
        if answer.status in _NO_RIGHT:
            code = getattr(error, "code", "not_found")
            logger.warning("action_refused", account=self._account, match=self._match[:40], code=code)
        return answer


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
        if found is None or secret is None or not is_plain(scope):
            await self._django(scope, receive, send)
            return
        holder = Holder(ApiToken.digest_of(secret), found[1])
        try:
            query = read_query(scope["query_string"].decode("latin1"), PARAMETERS)
            body = await _body(scope, receive)
            action = Action(found[1], body, values(scope, b"idempotency-key"), query["dry_run"])
            answer = await self._answer(holder, action)
        except Gone:
            return
        except Exception as error:
            answer = holder.told(error)
        await respond(send, answer.status, _headers(answer), answer.body)

    async def _answer(self, holder: Holder, action: Action) -> Reply:
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
    """Submit an action by itself, in a thread with a database connection."""
    try:
        found = sql.fetch(ApiToken, _WITH_DIGEST, holder.digest)
        user_id = holder.admit(found[0] if found else None, to_act=not action.dry)
        return take(action, user_id, submit_action)
    except Exception as error:
        return holder.told(error)


# What `ApiToken.find` asks, with SQL that is made once.
_WITH_DIGEST = f"""
    digest = %s AND EXISTS (SELECT 1 FROM {User._meta.db_table} person WHERE person.id = user_id AND person.is_active)
"""  # noqa: S608


def _bearer(scope: Any) -> str | None:
    """The token of a request that has one Authorization header, and a bearer token in it."""
    found = values(scope, b"authorization")
    scheme, _, secret = found[0].partition(" ") if len(found) == 1 else ("", "", "")
    return secret.strip() if scheme.lower() == "bearer" else None


async def _body(scope: Any, receive: Receive) -> bytes:
    lengths = values(scope, b"content-length")
    if lengths and lengths[0].isdigit() and int(lengths[0][:12]) > LARGEST_BODY:
        raise too_large(LARGEST_BODY)
    try:
        return await read_body(receive, LARGEST_BODY, _READ_SECONDS)
    except TooLong:
        raise too_large(LARGEST_BODY) from None
    except TimeoutError:
        raise ApiError(408, "timeout", "The body did not arrive in time. Send it again.") from None


_RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS]


def _headers(reply: Reply) -> Headers:
    return [*_RAW_HEADERS, *((name.lower().encode(), value.encode()) for name, value in reply.headers)]
