"""The descriptions of the API and of the sockets, for tools."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest

from matches.api import asyncapi, openapi
from matches.api.described import About, described
from matches.api.replies import Reply, encode
from matches.api.requests import endpoint, etag_of, unless_known


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
    return unless_known(request, etag, body)


@cache
def _encoded(name: str) -> tuple[bytes, str]:
    body = encode({"openapi": openapi.document, "asyncapi": asyncapi.document}[name]())
    return body, etag_of(body)
