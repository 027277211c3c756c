"""The descriptions of the API and of the sockets, for tools."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

from django.http import HttpRequest

from matches.api import asyncapi, openapi
from matches.api.described import About, described
from matches.api.replies import Reply, encode
from matches.api.requests import endpoint


@described(GET=About("This description (OpenAPI 3.1)", dict[str, Any], has_etag=True))
@endpoint("GET")
def openapi_json(request: HttpRequest) -> Reply:
    """What can be asked, what is answered, and what is refused with which code."""
    return _document(request, "openapi")


@described(GET=About("The sockets (AsyncAPI 3)", dict[str, Any], has_etag=True))
@endpoint("GET")
def asyncapi_json(request: HttpRequest) -> Reply:
    """What sockets send, what they hear, and with which codes they are closed."""
    return _document(request, "asyncapi")


def _document(request: HttpRequest, name: str) -> Reply:
    body, etag = _encoded(name)
    headers = (("ETag", etag), ("Cache-Control", "no-cache"))
    if etag in request.headers.get("If-None-Match", "").split(", "):
        return Reply(304, b"", headers)
    return Reply(200, body, headers)


@cache
def _encoded(name: str) -> tuple[bytes, str]:
    body = encode({"openapi": openapi.document, "asyncapi": asyncapi.document}[name]())
    return body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'
