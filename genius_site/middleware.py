"""The site's own middleware: NUL characters, https, private pages, compression, static files, standard headers."""

from collections.abc import Callable
from contextlib import closing
from email.utils import formatdate
from secrets import token_hex
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from structlog.contextvars import bind_contextvars
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]

from matches.api.replies import refusal
from matches.api.requests import respond
from matches.infra.text import NUL, without_nul

# -- NUL characters (see `matches.infra.text`), and encodings --------------------------------------------


class NoNulMiddleware:
    """Refuses URLs that contain a NUL (400), and ignores such cookies.

    Form fields refuse it themselves, and JSON escapes it. Whatever encoding a request names, it is read as UTF-8, as
    browsers send it: some of Python's encodings take time that grows with the square of the text, and some are no text
    encodings.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if NUL in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            raise BadRequest("There is a NUL in the address.")
        request.encoding = None  # type: ignore[assignment]
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if value == without_nul(value)}
        return self.get_response(request)


# -- https -----------------------------------------------------------------------------------------------
# Over plain http, pages redirect to https (Django's `SecurityMiddleware`), but the API refuses programs.
# A program that follows redirects would go on working, and send its token in the clear each time.

_MESSAGE = "Use https to reach the API. Change the address and make a new token: others could have read this one."


class HttpsOnlyApiMiddleware:
    """Belongs before SecurityMiddleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SECURE_SSL_REDIRECT and request.path.startswith("/api/") and not request.is_secure():
            return respond(refusal(403, "https_only", _MESSAGE))
        return self.get_response(request)


# -- personal pages stay out of all caches, of proxies and browsers --------------------------------------


class PrivatePagesMiddleware:
    """Marks every response for a signed-in person `no-store, private`.

    A response that did not use the session (static files, the health check) is not personal and stays as it is.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        session = getattr(request, "session", None)
        if session is not None and session.accessed and request.user.is_authenticated:
            response["Cache-Control"] = "no-store, private"
        return response


# -- compression of pages; static files are compressed when they are collected ---------------------------

_WORTH_IT = ("text/", "application/json", "application/xml", "application/atom+xml", "image/svg+xml")


class CompressedPagesMiddleware(GZipMiddleware):
    """Django's compression, only for text: pictures are compressed already.

    Could an attacker who makes a reader's browser load pages learn their content from their lengths (BREACH)? They
    would need many requests with the reader's cookies, which a foreign page cannot send (SameSite=Lax); a form's token
    is masked anew in each page; and Django adds a random number of bytes.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not response.headers.get("Content-Type", "").startswith(_WORTH_IT):
            return response
        return super().process_response(request, response)


# -- static files ----------------------------------------------------------------------------------------


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise that closes each file at once: a client that disconnects early would leave it open."""

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        with closing(WhiteNoiseMiddleware.serve(static_file, request)) as found:
            return HttpResponse(found.getvalue(), status=found.status_code, headers=dict(found.items()))


# -- standard headers ------------------------------------------------------------------------------------
# Each answer gets a date, as HTTP demands, no length if it has no body, and an id of its request, which people can
# quote: all lines of the log about it have that, also one that Django writes when all middleware has returned.
# Of requests, Content-Types with encodings of their own (RFC 8187) are dropped: nothing here needs them, and Django
# fails on those that Python does not know.

WITHOUT_BODY = (204, 304)


class StandardHeaders:
    """ASGI middleware that sets these headers, whatever server runs the site."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        request_id = token_hex(8)
        bind_contextvars(request_id=request_id)

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                left_out = {b"date", b"x-request-id", b"content-length" if message["status"] in WITHOUT_BODY else b""}
                headers = [each for each in message.get("headers", ()) if each[0].lower() not in left_out]
                headers += [(b"Date", formatdate(usegmt=True).encode()), (b"X-Request-ID", request_id.encode())]
                message = {**message, "headers": headers}
            await send(message)

        kept = [each for each in scope["headers"] if each[0] != b"content-type" or b"*" not in each[1]]
        await self._app({**scope, "headers": kept}, receive, with_headers)
