"""What the templates of every page know of whoever looks at it."""

from typing import Any

from django.http import HttpRequest


def viewer(request: HttpRequest) -> dict[str, Any]:
    """What every page needs to know about its viewer: theme and time zone.

    Error pages and tests may come without the session middleware, so without a user.
    """
    user = getattr(request, "user", None)
    person = user if user is not None and user.is_authenticated else None
    return {
        "viewer_theme": person.theme if person else "auto",
        # Empty for visitors: their browser knows better (static/js/clock.js).
        "viewer_zone": person.time_zone if person else "",
    }
