"""Limits on the size of requests.

A body that is too large is refused before anything reads it. Slow requests and the number of connections are the
business of the proxy in front (docs/running.md).
"""

from typing import Any

from django.conf import settings

from matches.api.endpoint import HEADERS
from matches.api.replies import reply_to, too_large
from matches.infra.asgi import Receive, Send, raw_headers, respond, values

API_BYTES = 16 * 1024
FORM_BYTES = settings.DATA_UPLOAD_MAX_MEMORY_SIZE


class TooMuch(Exception):
    """A body was longer than its Content-Length, or than is allowed without one."""


class BodyLimit:
    """ASGI middleware that answers 413 to bodies that are too large: with JSON below /api/, with a page elsewhere."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        is_api = scope["path"].startswith("/api/")
        most, read, begun = API_BYTES if is_api else FORM_BYTES, 0, False

        async def counted() -> Any:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise TooMuch
            return message

        async def noted(message: Any) -> None:
            nonlocal begun
            begun = True
            await send(message)

        lengths = values(scope, b"content-length")
        if lengths and lengths[0].isdigit() and int(lengths[0][:12]) > most:
            await _refuse(send, most, is_api=is_api)
            return
        try:
            await self._app(scope, counted, noted)
        except TooMuch:
            if not begun:
                await _refuse(send, most, is_api=is_api)


async def _refuse(send: Send, most: int, *, is_api: bool) -> None:
    answer = reply_to(error := too_large(most))
    content_type, body = answer.content_type, answer.body
    if not is_api:
        content_type, body = "text/html; charset=utf-8", _PAGE.format(sentence=error.message).encode()
    headers = raw_headers((("Content-Type", content_type), *HEADERS, ("Connection", "close")))
    await respond(send, error.status, headers, body)


_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>That is too much at once</title>
<h1>That is too much at once</h1>
<p>{sentence} Nothing was done. Go back in your browser: what you typed is still there.
Shorten it, or choose a smaller file, and send it again.</p>
<p><a href="/">Back to the front page</a></p>
"""
