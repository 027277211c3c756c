"""Names and passwords that programs send in a header (HTTP Basic, RFC 7617)."""

from __future__ import annotations

import base64
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse

_LONGEST = 1000  # characters of the header


class Credentials(NamedTuple):
    """What a program has sent."""

    name: str
    password: str


def credentials_of(request: HttpRequest) -> Credentials | None:
    """None if the request has none, or none that can be read."""
    scheme, _, coded = request.headers.get("Authorization", "")[:_LONGEST].partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        name, colon, password = base64.b64decode(coded, validate=True).decode().partition(":")
    except ValueError:  # neither Base64 nor UTF-8
        return None
    return Credentials(name, password) if colon else None


def asked_for(realm: str, text: str) -> HttpResponse:
    """The answer that asks a program for a name and a password."""
    headers = {"WWW-Authenticate": f'Basic realm="{realm}", charset="UTF-8"', "Cache-Control": "no-store"}
    return HttpResponse(text, status=401, content_type="text/plain; charset=utf-8", headers=headers)
