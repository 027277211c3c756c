"""The headers of answers that are given in front of Django's middlewares. Such an answer holds data for programs or a
single sentence, and loads nothing."""

from __future__ import annotations

from django.conf import settings

_STRICT = (
    (("Strict-Transport-Security", f"max-age={settings.SECURE_HSTS_SECONDS}; includeSubDomains; preload"),)
    if settings.SECURE_HSTS_SECONDS
    else ()
)
PROTECTING: tuple[tuple[str, str], ...] = (
    ("X-Content-Type-Options", "nosniff"),
    ("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    ("Referrer-Policy", "same-origin"),
    *_STRICT,
)
"""Headers of every such answer, on an https site with HSTS."""
