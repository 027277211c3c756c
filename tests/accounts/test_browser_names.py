"""What a browser is called in the lists of sign-ins and of browsers that get pushes."""

import pytest

from accounts.cookies import browser_name

_WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"
NAMES = {
    f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {_WEBKIT} Chrome/131.0.0.0 Safari/537.36": "Chrome 131 on Windows",
    f"Mozilla/5.0 (Windows NT 10.0) {_WEBKIT} Chrome/131.0.0.0 Safari/537.36 Edg/131.0": "Edge 131 on Windows",
    f"Mozilla/5.0 (X11; Linux x86_64) {_WEBKIT} Chrome/130.0 Safari/537.36 OPR/115.0": "Opera 115 on Linux",
    f"Mozilla/5.0 (Linux; Android 10; K) {_WEBKIT} Chrome/131.0 Mobile Safari/537.36": "Chrome 131 on Android",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0": "Firefox 133 on macOS",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) (KHTML) Version/18.1 Safari/604.1": "Safari 18 on iOS",
    "python-requests/2.32": "python-requests/2.32",
    "": "an unknown browser",
}


@pytest.mark.parametrize("agent", NAMES)
def test_a_browser_is_called_as_people_say_it(agent: str) -> None:
    assert browser_name(agent) == NAMES[agent]
