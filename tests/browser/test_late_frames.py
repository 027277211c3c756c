"""A player's own parts may come before or after what everybody sees of the same moment."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.fixtures.chromium import Visitors

pytestmark = pytest.mark.browser

NOW = "2026-03-02T12:00:00+00:00"
KEEP_IN_MIND = "window.before = document.querySelector('#part-act input, #part-act select')"
IS_THE_SAME = "window.before.isConnected"


class Wire:
    """The socket of a match page, without the server."""

    def __init__(self, page: Page) -> None:
        self._socket: WebSocketRoute | None = None
        page.route_web_socket("**/ws/matches/**", self._take)

    def _take(self, socket: WebSocketRoute) -> None:
        self._socket = socket

    def push(self, page: Page, **frame: Any) -> None:
        """Send a frame, and wait until it is on the page: its purse says so."""
        assert self._socket
        number = str(frame["private_version"])
        frame["private_parts"] = {"purse": f"<p>frame {number}</p>", **frame.get("private_parts", {})}
        self._socket.send(json.dumps({"version": 10**6, "now": NOW, **frame}))
        expect(page.locator("#part-purse")).to_have_text(f"frame {number}")


@pytest.fixture
def page(visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]) -> Page:
    ann = person("ann")
    match = table("Late frames", [ann, person("bob"), person("cat")], at="25h")
    page = visit(ann, own=True)  # its sockets stay ours
    page.wire = Wire(page)  # type: ignore[attr-defined]
    page.goto(match["url"])
    return page


def test_forms_of_another_part_are_made_anew_also_after_a_late_frame_of_the_part_before(page: Page) -> None:
    wire: Wire = page.wire  # type: ignore[attr-defined]
    own_part, act = page.evaluate("""() => [
        document.getElementById("match").dataset.ownPart, document.getElementById("part-act").innerHTML
    ]""")
    wire.push(page, private_version=1001, parts={}, private_parts={"own_part": own_part})
    page.evaluate(KEEP_IN_MIND)
    status = '<div class="deadline-bar" id="phase-next" data-part="The next" data-phase="running">The next</div>'
    late = {"act": f"{act}<p>late</p>"}
    wire.push(page, private_version=1002, parts={"status": status}, private_parts={})
    wire.push(page, private_version=1003, private_parts=late)
    assert page.evaluate(IS_THE_SAME), "the same part: the form that somebody types in stays"
    wire.push(page, private_version=1004, private_parts={"act": act, "own_part": "another"})
    assert not page.evaluate(IS_THE_SAME)
    page.evaluate(KEEP_IN_MIND)
    wire.push(page, private_version=1005, private_parts=late)
    assert page.evaluate(IS_THE_SAME)
