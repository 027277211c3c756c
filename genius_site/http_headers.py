"""What each answer says by the standard of HTTP, whatever server sends it: its date, and no length where no body is.

Of requests, Content-Types with encodings of their own (RFC 8187) are left out: nothing here needs them, and Django
fails on those that Python does not know."""

from __future__ import annotations

from email.utils import formatdate
from typing import Any

WITHOUT_BODY = (204, 304)


class StandardHeaders:
    """An ASGI application around another one."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                left_out = b"content-length" if message["status"] in WITHOUT_BODY else b""
                headers = [each for each in message.get("headers", ()) if each[0].lower() not in (left_out, b"date")]
                message = {**message, "headers": [*headers, (b"Date", formatdate(usegmt=True).encode())]}
            await send(message)

        kept = [each for each in scope["headers"] if each[0] != b"content-type" or b"*" not in each[1]]
        await self._app({**scope, "headers": kept}, receive, with_headers)
