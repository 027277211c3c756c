"""The browsers in which a match of some game is played to its end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.browser.hosts_forms import HostsForms
from tests.browser.looks import Camera

if TYPE_CHECKING:
    from playwright.sync_api import Page


@dataclass
class Room:
    """A match with everybody's browsers: ann plays at a desk and somebody on a phone, and one watches; its host."""

    match: dict[str, Any]
    people: dict[str, dict[str, Any]]
    ann: Page
    phone: Page
    watcher: Page
    host: HostsForms
    camera: Camera
    frames: list[str] = field(default_factory=list)

    @property
    def pushed(self) -> list[str]:
        """What the site has sent to viewers, besides answers to pings."""
        return [text for text in self.frames if "parts" in text]

    def everybody(self) -> tuple[Page, Page, Page]:
        return self.ann, self.phone, self.watcher


def note_frames(page: Page, frames: list[str]) -> None:
    """From now on `frames` gets what the site sends to a page, without the answers to the page's own pings."""

    def note(text: str) -> None:
        if text != '{"type":"pong"}':
            frames.append(text)

    page.on("websocket", lambda ws: ws.on("framereceived", lambda text: note(str(text))))
