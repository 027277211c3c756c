"""The description of the API, for tools."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest

from matches.api import openapi
from matches.api.described import About, described
from matches.api.replies import Reply, encode
from matches.api.requests import endpoint, etag_of, unless_known


@described(GET=About("This description (OpenAPI 3.1)", dict[str, Any], has_etag=True))
@endpoint("GET")
def openapi_json(request: HttpRequest) -> Reply:
    """What can be asked, what is answered, and what is refused with which code."""
    body, etag = _encoded()
    return unless_known(request, etag, body)


@cache
def _encoded() -> tuple[bytes, str]:
    body = encode(openapi.document())
    return body, etag_of(body)
