"""What the answers to calendar programs and feed readers share: they ask again and again, mostly for nothing new."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from math import ceil

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response

from matches.infra.buckets import Buckets
from matches.infra.rate_limits import counted_address


def address_of(request: HttpRequest) -> str:
    """The address from which a request comes."""
    return counted_address(request.META.get("HTTP_X_FORWARDED_FOR", ""), request.META.get("REMOTE_ADDR", ""))


def too_many(rates: Buckets, key: Hashable) -> HttpResponse | None:
    """Count a request; the refusal of one too many."""
    wait = rates.take(key)
    if not wait:
        return None
    headers = {"Retry-After": str(ceil(wait)), "Cache-Control": "no-store"}
    text = "Too many requests. Please ask again later, and then at most once in a few minutes.\n"
    return HttpResponse(text, status=429, content_type="text/plain; charset=utf-8", headers=headers)


def conditional(request: HttpRequest, body: bytes, content_type: str, cache_control: str) -> HttpResponseBase:
    """The text with its tag, or 304 for a reader who has it already. There is no `Last-Modified`: two changes in one
    second would look like one."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    response = HttpResponse(body, content_type=content_type, headers={"Cache-Control": cache_control, "ETag": tag})
    return get_conditional_response(request, etag=tag, response=response) or response
