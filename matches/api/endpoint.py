"""The fast path of the API: an action with a bearer token is handled without Django's middleware.

A request through Django takes five times as long as the bid itself. The middleware is not needed here: no cookie is
read, so there is no CSRF, and no page is shown. Unusual requests (another scheme, a foreign host, a second
Authorization header, a dry run, a body that cannot be read) are left to Django, which gives the same answers
(`views.act`).
"""

import re
from typing import Any, ClassVar

import structlog

from accounts.models import ApiToken, TokenRefused
from matches.api.actions import LARGEST_BODY, answered, count, hidden_or, key_of, limits_of, read_json
from matches.api.replies import NO_STORE, ApiError, Reply, need_act, reply_to, too_large
from matches.infra.asgi import (
    PROTECTING,
    Gone,
    Headers,
    Message,
    Receive,
    Send,
    TooLong,
    is_plain,
    raw_headers,
    read_body,
    respond,
    values,
)
from matches.models import Match
from matches.services.actions import Answer
from matches.services.errors import NotAPlayer
from matches.services.group import queue as group
from matches.services.group.batch import Ask, Pass

logger = structlog.get_logger(__name__)

_PATH = re.compile(r"/api/v1/matches/([-\w]+)/actions/", re.ASCII)
_READ_SECONDS = 20
_MOST_KNOWN = 10_000
_NO_RIGHT = (401, 403, 404)

HEADERS = (
    NO_STORE,
    *PROTECTING,
    ("Vary", "Authorization, Cookie"),
)
"""The headers of every answer to an action, on the fast path and through Django."""


class Holder:
    """The person who sends a token to a match (by its public id), for one request: read once, counted once."""

    # Who owns a token never changes; whether it is valid is read each time. Several threads use this.
    _known: ClassVar[dict[str, int]] = {}

    def __init__(self, digest: str, match: str) -> None:
        self.digest, self._match = digest, match
        self._counted: int | None = None
        self._account: int | None = None

    def count_if_known(self) -> None:
        """Count an action of a person who has used this token before. Raises `ApiError` if they send too many."""
        if (user_id := self._known.get(self.digest)) is not None:
            self._counted = user_id
            count(user_id)

    def admit(self, token: ApiToken | None) -> int:
        """Return the id of the user who acts with this token. Raises `TokenRefused`, or `ApiError` if the token may
        only read or its owner sends too much."""
        self._account = token.user_id if token else None
        try:
            good = ApiToken.good_one([token] if token else [])
        except TokenRefused:
            # Otherwise somebody with a revoked token could use up its owner's rate.
            self._known.pop(self.digest, None)
            raise
        good.touch()
        good.need_for(self._match)
        need_act(good)
        if self._counted is None:
            self._counted = good.user_id
            count(good.user_id)
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[self.digest] = good.user_id
        return good.user_id

    def limits(self) -> tuple[tuple[str, str], ...]:
        """Return headers that say how many actions this person has left."""
        return () if self._counted is None else limits_of(self._counted)

    def told(self, error: Exception) -> Reply:
        """Return the answer to an error. Logs that somebody may not do this, as Django does for pages."""
        answer = reply_to(error)
        if answer.status in _NO_RIGHT:
            code = getattr(error, "code", "not_found")
            logger.warning("action_refused", account=self._account, match=self._match[:40], code=code)
        return answer


class ApiGate:
    """ASGI application in front of Django that handles actions with a token and passes on everything else."""

    def __init__(self, django_app: Any) -> None:
        self._django = django_app

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        found = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        secret = _bearer(scope) if found else None
        if found is None or secret is None or scope["query_string"] or not is_plain(scope):
            await self._django(scope, receive, send)
            return
        holder = Holder(ApiToken.digest_of(secret), found[1])
        try:
            body = await _body(scope, receive)
            key = key_of(values(scope, b"idempotency-key"))
            try:
                raw = read_json(body)
            except ApiError:  # only owners of a valid token are told why
                await self._django(scope, _with(body, receive), send)
                return
            asked = Ask(found[1], Pass(holder.digest, holder.admit), raw, key)
            answer = answered(await _judged(holder, asked))
        except Gone:
            return
        except Exception as error:
            answer = holder.told(error)
        await respond(send, answer.status, _headers(answer, holder.limits()), answer.body)


async def _judged(holder: Holder, asked: Ask) -> Answer:
    holder.count_if_known()
    try:
        return await group.ask(asked)
    except (NotAPlayer, Match.DoesNotExist) as error:
        raise hidden_or(error) from None


def _with(body: bytes, receive: Receive) -> Receive:
    """A `receive` for Django that gives a body received already."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return messages.pop() if messages else await receive()

    return again


def _bearer(scope: Any) -> str | None:
    """The token of a request with exactly one Authorization header that has a bearer token."""
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


_RAW_HEADERS = raw_headers(HEADERS)


def _headers(reply: Reply, limits: tuple[tuple[str, str], ...]) -> Headers:
    return [(b"content-type", reply.content_type.encode()), *_RAW_HEADERS, *raw_headers((*reply.headers, *limits))]
