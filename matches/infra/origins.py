"""Who may open a WebSocket: the site's own pages, and programs that send a token instead of cookies.

Browsers let any page open a socket to any site, with that site's cookies. Pages cannot forge the Origin header, so the
site checks it. The validator of Channels compares only host names; this one compares the whole origin.
"""

from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host


class SameOriginOnly:
    """Middleware that refuses handshakes from foreign origins (403) before anything else sees them."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        app = self.app if may_connect(scope["headers"]) else WebsocketDenier()
        return await app(scope, receive, send)


def may_connect(headers: Any) -> bool:
    """Whether the headers have this site's origin, or no Origin but a bearer token instead of cookies."""
    fields: dict[str, list[str]] = {}
    for name, value in headers:
        fields.setdefault(name.decode("latin1").lower(), []).append(value.decode("latin1"))
    origins = fields.get("origin", [])
    if not origins:
        return fields.get("authorization", [""])[0].lower().startswith("bearer ")
    if len(origins) != 1:
        return False
    origin = origins[0]
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    host = fields.get("host", [""])[0].lower()
    # On an https site, a plain-http page with the same host name may come from an attacker on the network.
    schemes = ("https",) if settings.SESSION_COOKIE_SECURE else ("http", "https")
    return (
        parts.scheme in schemes
        and origin.lower() == f"{parts.scheme}://{host}"
        and validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS)
    )
