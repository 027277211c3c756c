"""The fast path of forecasts: what a form says while one types is answered without Django's middleware.

Somebody who types asks several times a second, and a request through Django takes longer than the answer. Session,
person and token of the form are checked as Django checks them, each time. Whatever is unusual is left to Django, which
gives the same answers (`acting.preview`): people who are not signed in or do not play here, matches that do not go on,
or for which something is due.
"""

from __future__ import annotations

import re
import secrets
from io import BytesIO
from typing import Any, NamedTuple

import structlog
from csp.middleware import CSPMiddleware
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.security import SecurityMiddleware

from matches.infra import rate_limits
from matches.infra.asgi import Gone, Headers, Receive, Send, TooLong, is_plain, read_again, read_body, respond, values
from matches.infra.db_threads import DatabaseThreads, Overloaded
from matches.web import signed_in
from matches.web.askers import asker_of
from matches.web.forecasts import forecast, too_fast

logger = structlog.get_logger(__name__)

_PATH = re.compile(r"/matches/([-\w]+)/preview/", re.ASCII)
_FORM = "application/x-www-form-urlencoded"
_LARGEST_BODY = 16 * 1024
_READ_SECONDS = 20.0
_THREADS = 2
_PATIENCE_SECONDS = 5.0


class PreviewDoor:
    """ASGI in front of Django: takes the forms that are asked about, and passes on everything else."""

    def __init__(self, django_app: Any) -> None:
        self._django = django_app
        self._threads = DatabaseThreads("previews", _THREADS, patience=_PATIENCE_SECONDS)

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        found = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if found is None or not _is_usual(scope):
            await self._django(scope, receive, send)
            return
        try:
            body = await read_body(receive, _LARGEST_BODY, _READ_SECONDS)
        except (Gone, TooLong):
            return  # the length was told before
        except TimeoutError:
            await respond(send, 408, (), b"")
            return
        answer = await self._answer(scope, body, found[1])
        if answer is None:
            await self._django(scope, read_again(body, receive), send)
        else:
            await respond(send, answer.status, answer.headers, answer.html.encode())

    async def _answer(self, scope: Any, body: bytes, public_id: str) -> _Answer | None:
        try:
            return await self._threads.run(_answer, scope, body, public_id)
        except Overloaded:
            return None
        except Exception as error:  # Django meets the same, and has an answer to each
            logger.warning("preview_left_to_django", error=type(error).__name__)
            return None


def _is_usual(scope: Any) -> bool:
    lengths, kinds = values(scope, b"content-length"), values(scope, b"content-type")
    return (
        is_plain(scope)
        and not scope["query_string"]
        and len(lengths) == 1
        and lengths[0].isdecimal()
        and int(lengths[0][:12]) <= _LARGEST_BODY
        and len(kinds) == 1
        and kinds[0].partition(";")[0].strip().lower() == _FORM
    )


class _Answer(NamedTuple):
    status: int
    headers: Headers
    html: str


def _answer(scope: Any, body: bytes, public_id: str) -> _Answer | None:
    """The answer, made in a thread with a database connection; None if Django is to answer."""
    request = ASGIRequest(scope, BytesIO(body))
    user_id = signed_in.user_id_of(request.COOKIES.get(settings.SESSION_COOKIE_NAME, ""))
    if user_id is None or not _has_token(request):
        return None
    asker = asker_of(public_id, user_id)
    if asker is None:
        return None
    if rate_limits.action_rates().take(user_id):
        return _Answer(429, _headers(request), too_fast())
    return _Answer(200, _headers(request), forecast(asker, request.POST))


# -- as Django's middlewares do it -----------------------------------------------------------------


def _nothing(_: HttpRequest) -> HttpResponse:
    return HttpResponse()


class _CsrfCheck(CsrfViewMiddleware):
    def _reject(self, request: HttpRequest, reason: str) -> Any:
        return reason  # Django says it to them, and logs it


_csrf = _CsrfCheck(_nothing)


def _has_token(request: HttpRequest) -> bool:
    """Whether it was the site's own page that made the browser send this."""
    _csrf.process_request(request)
    return _csrf.process_view(request, _nothing, (), {}) is None


_fixed: dict[bool, list[tuple[bytes, bytes]]] = {}


def _headers(request: HttpRequest) -> Headers:
    """What the site says with each page for somebody who is signed in."""
    fixed = _fixed.get(is_secure := request.is_secure())
    if fixed is None:
        response = HttpResponse(headers={"Cache-Control": "no-store, private", "Vary": "Cookie"})
        for middleware in (XFrameOptionsMiddleware, CSPMiddleware, SecurityMiddleware):
            middleware(_nothing).process_response(request, response)
        fixed = _fixed[is_secure] = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    return [*fixed, (b"x-request-id", secrets.token_hex(8).encode())]
