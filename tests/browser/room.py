"""The browsers in which a match of some game is played to its end."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.browser.desk import CLOSE, HostsDesk
from tests.browser.looks import Camera
from tests.browser.shifts import moved

if TYPE_CHECKING:
    from playwright.sync_api import Page

_VERSION = "document.getElementById('match').dataset.version"


@dataclass
class Room:
    """Everybody's browsers at one match: ann plays at a desk and somebody on a phone, one watches and one hosts."""

    match: dict[str, Any]
    people: dict[str, dict[str, Any]]
    ann: Page
    phone: Page
    watcher: Page
    host: HostsDesk
    camera: Camera
    frames: list[str] = field(default_factory=list)

    @property
    def pushed(self) -> list[str]:
        """What the site has sent to viewers, besides answers to pings."""
        return [text for text in self.frames if "parts" in text]

    def everybody(self) -> tuple[Page, Page, Page]:
        return self.ann, self.phone, self.watcher

    @contextlib.contextmanager
    def unmoved(self) -> Iterator[None]:
        """What the block brings about elsewhere is pushed to everybody's page, and moves nothing there."""
        with nothing_moves(ann=self.ann, phone=self.phone, watcher=self.watcher):
            yield

    def close(self) -> None:
        """The host closes the deadline, which moves nothing on anybody's page."""
        with self.unmoved():
            self.host.do(CLOSE)


@contextlib.contextmanager
def nothing_moves(**pages: Page) -> Iterator[None]:
    """A push comes to these pages in this block, and nothing that is in sight there moves."""
    before = {name: page.evaluate(_VERSION) for name, page in pages.items()}
    for page in pages.values():
        page.evaluate("scrollTo(0, 0)")
        moved(page)
    yield
    for name, page in pages.items():
        page.wait_for_function(f"before => {_VERSION} !== before", arg=before[name])
    found = {name: shifts for name, page in pages.items() if (shifts := moved(page))}
    assert found == {}, "a push has moved what it does not change"


def note_frames(page: Page, frames: list[str]) -> None:
    """From now on `frames` gets what the site sends to a page, without the answers to the page's own pings."""

    def note(text: str) -> None:
        if text != '{"type":"pong"}':
            frames.append(text)

    page.on("websocket", lambda ws: ws.on("framereceived", lambda text: note(str(text))))
