"""A passkey on a phone and without a mouse: it is added, used, signs in alone, is renamed, removed; no page has a
barrier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.looks import Camera, faults
from tests.browser.served import Server
from tests.fixtures.chromium import PHONE, Visitors

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def plug_in_a_key(page: Page) -> None:
    """A key that is touched at once, by somebody whose finger it knows, whenever it is asked."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    key = {"protocol": "ctap2", "transport": "internal", "automaticPresenceSimulation": True}
    finger = dict.fromkeys(("hasResidentKey", "hasUserVerification", "isUserVerified"), True)
    session.send("WebAuthn.addVirtualAuthenticator", {"options": key | finger})


def press(page: Page, role: Any, name: str) -> None:
    """Without a mouse: tab to it from the top of the page, then Enter."""
    wanted = page.get_by_role("main").get_by_role(role, name=name)
    expect(wanted).to_be_visible()
    for _ in range(60):
        if wanted.evaluate("(element) => element === document.activeElement"):
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"nobody gets to {name!r} by the keyboard")


def test_a_key_is_added_used_renamed_and_removed_without_a_mouse(
    visit: Visitors, server: Server, camera: Camera, person: Callable[..., Any]
) -> None:
    ann = person("ann")
    page = visit(viewport=PHONE, own=True)
    # Browsers take keys for names of sites only, not for numbers.
    site = server.url.replace("127.0.0.1", "localhost")
    page.context.add_cookies([{"name": name, "value": value, "url": site} for name, value in ann["cookies"].items()])
    plug_in_a_key(page)
    page.goto(f"{site}/accounts/2fa/webauthn/")
    press(page, "link", "Add a key")
    page.get_by_label("Name").fill("Blue key")
    page.get_by_label("Sign in with this key alone, as a passkey").check()
    assert faults(page, camera, "key-new") == []
    press(page, "button", "Add this key")
    # Recovery codes come after the first key; to get them one shows it again.
    expect(page.get_by_role("heading", name="Is this you?")).to_be_visible()
    expect(page.get_by_role("button", name="Use my key")).to_be_visible()
    press(page, "button", "Use my key")
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    expect(page.get_by_label("Your codes")).not_to_be_empty()
    page.context.clear_cookies()
    page.goto(f"{site}/accounts/login/")
    press(page, "button", "Sign in with a passkey")
    expect(page.get_by_role("link", name="Profile")).to_be_visible()
    page.goto(f"{site}/accounts/2fa/webauthn/")
    assert faults(page, camera, "keys-of-ones-own") == []
    press(page, "link", "Rename Blue key")
    press(page, "button", "Use my key")
    page.get_by_label("Name").fill("Red key")
    press(page, "button", "Save")
    press(page, "link", "Remove Red key")
    expect(page.get_by_role("heading", name="Remove “Red key”?")).to_be_visible()
    press(page, "button", "Remove the key")
    expect(page.get_by_text("You have none.")).to_be_visible()
