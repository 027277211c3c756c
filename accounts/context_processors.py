from typing import Any

from django.http import HttpRequest
from django.utils import timezone


def viewer(request: HttpRequest) -> dict[str, Any]:
    """What every page needs to suit its viewer: their theme, their zone, and the server's now.

    Error pages and tests may come without the session middleware, hence without a user.
    """
    user = getattr(request, "user", None)
    signed_in = user is not None and user.is_authenticated
    return {
        "viewer_theme": user.theme if signed_in else "auto",
        # Empty for visitors: their browser knows better (static/js/clock.js).
        "viewer_zone": user.time_zone if signed_in else "",
        "server_now": timezone.now(),
    }
