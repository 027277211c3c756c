"""Names of cookies, and names of browsers.

Over https each cookie's name begins with `__Host-`. Browsers accept such a cookie only over TLS and from this very
host, so neither another subdomain nor anybody on the network can plant one.
"""

import re

from django.conf import settings

CSRF_FAILED = "The CSRF token is missing or wrong. Send the X-CSRFToken header, or use an API token."


def name_of(name: str) -> str:
    """Return the name of a cookie as browsers store it."""
    return f"__Host-{name}" if settings.SESSION_COOKIE_SECURE else name


# -- browser names, from the User-Agent header -----------------------------------------------------------


_BROWSERS = {  # the first match counts, since browsers also name those that they claim to be
    "Edg[A-Za-z]*": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox|FxiOS": "Firefox",
    "Chrome|CriOS": "Chrome",
    "Version": "Safari",
}
_SYSTEMS = {
    "Windows": "Windows",
    "Android": "Android",
    "iPhone": "iOS",
    "iPad": "iPadOS",
    "Mac OS X": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


def browser_name(user_agent: str) -> str:
    """Return a name such as `Firefox 133 on Windows`, or the first 60 characters of an unknown User-Agent."""
    system = next((f" on {name}" for mark, name in _SYSTEMS.items() if mark in user_agent), "")
    for mark, name in _BROWSERS.items():
        if version := re.search(rf"\b(?:{mark})/(\d+)", user_agent):
            return f"{name} {version[1]}{system}"
    return user_agent[:60] or "an unknown browser"
