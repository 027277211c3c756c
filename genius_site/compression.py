"""Pages go over the network compressed; static files have been compressed when they were collected."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

_WORTH_IT = ("text/", "application/json", "application/xml", "application/atom+xml", "image/svg+xml")


class CompressedPagesMiddleware(GZipMiddleware):
    """Django's compression, for text alone: a picture is compressed already.

    Could somebody who makes a reader's browser ask for pages tell from their lengths what is in them (BREACH)? They
    would need many requests with the reader's cookies, which a foreign page cannot send (SameSite=Lax); a form's token
    is masked again in each page; and Django adds a random number of bytes.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not response.headers.get("Content-Type", "").startswith(_WORTH_IT):
            return response
        return super().process_response(request, response)
