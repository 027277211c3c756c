"""A host's commands in tests of what others see of them: by the forms of the console, without a browser around them.

A command takes four pages in a browser, which is ten times the work. Where the desk itself is looked at, `HostsDesk`
clicks through them.
"""

import http.client
import re
from typing import Any
from urllib.parse import urlencode

from tests.browser.served import Server

CSRF = "c" * 32
_HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')


class HostsForms:
    """What the host of a match sends from its pages."""

    def __init__(self, server: Server, host: dict[str, Any], match: dict[str, Any]) -> None:
        self._port, self._match = server.port, match
        cookies = {**host["cookies"], "csrftoken": CSRF}
        self._cookies = "; ".join(f"{name}={value}" for name, value in cookies.items())

    def do(self, command: str, **fields: str) -> None:
        """Gives a command, with what is typed for it: asks for it, and says yes to what will happen."""
        status, page = self._post(command, **fields)
        assert status == 200, page
        assert "What will happen" in page, page
        status, page = self._post(command, **dict(_HIDDEN.findall(page)), _confirm="1")
        assert status == 302, page  # back to the match: it was carried out

    def _post(self, command: str, **fields: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            body = urlencode({**fields, "csrfmiddlewaretoken": CSRF})
            headers = {"Cookie": self._cookies, "Content-Type": "application/x-www-form-urlencoded"}
            connection.request("POST", f"/admin/matches/match/{self._match['pk']}/do/{command}/", body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()
