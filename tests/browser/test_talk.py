"""People talk while their pages are open: at once, announced once, and without scripts too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import WebSocket, expect

from tests.browser.looks import Camera, faults
from tests.fixtures.chromium import PHONE, Visitors
from tests.fixtures.processes import ask_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.served import Hands

pytestmark = pytest.mark.browser

LONG = "\n".join(["line"] * 39)


@pytest.fixture
def ann(person: Callable[..., Any]) -> Any:
    return person("ann")


@pytest.fixture
def bob(person: Callable[..., Any]) -> Any:
    return person("bob")


@pytest.fixture
def match(table: Callable[..., Any], person: Callable[..., Any], ann: Any, bob: Any) -> Any:
    return table("Talking table", [ann, bob, person("cat")], at="1h")


def write(page: Page, text: str) -> None:
    page.get_by_label("Write to").fill(text)
    page.get_by_role("button", name="Send").click()


def message(page: Page, text: str) -> Any:
    return page.get_by_role("listitem").filter(has_text=text)


def connected(page: Page, url: str, *, by: str = "format=hints") -> None:
    """The page is there, and so is its connection."""
    heard: list[Any] = []

    def listen(socket: WebSocket) -> None:
        if by in socket.url:
            socket.on("framereceived", lambda frame: heard.append(frame))

    page.on("websocket", listen)
    page.goto(url)
    ask_until(lambda: page.evaluate("true") and bool(heard))


def test_what_one_writes_comes_to_the_others_by_itself(
    visit: Visitors, camera: Camera, match: Any, ann: Any, bob: Any
) -> None:
    one, other, stranger = visit(ann), visit(bob, viewport=PHONE, has_touch=True), visit()
    for page in (one, other, stranger):
        connected(page, f"{match['url']}talk/")
    write(one, "hello @bob")
    expect(message(one, "hello @bob")).to_be_visible()
    expect(one.get_by_label("Write to")).to_have_value("")
    expect(one.get_by_label("Write to")).to_be_focused()
    for page in (other, stranger):
        expect(message(page, "hello @bob")).to_have_count(1)
    expect(other.locator("#live-region")).to_contain_text("Ann writes: hello @bob")  # a mention may come with it
    expect(message(other, "hello @bob")).to_contain_text("mentions you")
    assert faults(other, camera, "talk") == []


def test_a_room_is_read_to_its_foot_and_follows_whoever_is_there(
    visit: Visitors, camera: Camera, match: Any, ann: Any, bob: Any
) -> None:
    one, other = visit(ann), visit(bob, viewport=PHONE, has_touch=True)
    connected(one, f"{match['url']}talk/")
    for text in ("the first", LONG, "the third"):
        write(one, text)
        expect(message(one, text)).to_be_visible()
    connected(other, f"{match['url']}talk/")
    expect(other.get_by_text("New since you were here")).to_be_in_viewport()
    expect(message(other, "the third")).not_to_be_in_viewport()
    connected(other, f"{match['url']}talk/")  # all has been read
    expect(message(other, "the third")).to_be_in_viewport(ratio=1)
    expect(message(other, "the first")).not_to_be_in_viewport()
    write(one, "> Cat: the third\nthe fourth, @bob")
    expect(message(other, "the fourth")).to_be_in_viewport(ratio=1)
    other.evaluate("scrollTo(0, 0)")
    write(one, "the fifth")
    expect(message(other, "the fifth")).to_have_count(1)
    expect(message(other, "the fifth")).not_to_be_in_viewport()
    below = other.get_by_role("button", name="1 new message ↓")
    expect(below).to_be_in_viewport(ratio=1)
    assert faults(other, camera, "talk with a message below") == []
    below.focus()
    other.keyboard.press("Enter")
    expect(message(other, "the fifth")).to_be_in_viewport(ratio=1)
    expect(below).to_be_hidden()
    other.keyboard.press("Tab")
    expect(other.get_by_label("Write to")).to_be_focused()
    other.evaluate("scrollTo(0, 0)")
    expect(other.get_by_label("Write to")).to_be_in_viewport(ratio=1)  # the field goes with the reader
    said = other.locator("#talk-lines li").all_inner_texts()
    assert [text.split("\n")[-1] for text in said] == [
        "the first",
        "line",
        "the third",
        "the fourth, @bob",
        "the fifth",
    ]
    assert faults(other, camera, "talk at its head") == []
    message(other, "the fourth").get_by_label("Quote or report").click()
    message(other, "the fourth").get_by_role("button", name="Quote").click()
    expect(other.get_by_label("Write to")).to_have_value("> Ann: the fourth, @bob\n")
    one.get_by_label("Write to").fill("a draft")
    one.reload()
    expect(one.get_by_label("Write to")).to_have_value("a draft")
    one.get_by_label("Write to").fill("")
    one.reload()
    one.keyboard.press("Tab")
    one.keyboard.press("Tab")
    one.keyboard.press("Enter")
    one.keyboard.type("by keys")
    one.keyboard.press("Shift+Enter")
    one.keyboard.type("in two lines")
    one.keyboard.press("Enter")
    expect(message(other, "by keys")).to_have_text(re.compile("by keys\\s+in two lines"))
    other.goto(f"{match['url']}talk/search/?q=first")
    message(other, "the first").get_by_role("link", name="Public").click()
    expect(other).to_have_url(re.compile("#message-"))
    expect(message(other, "the first")).to_be_in_viewport(ratio=1)


def test_a_room_that_hosts_close_takes_nothing_and_keeps_the_draft(
    visit: Visitors, camera: Camera, hands: Hands, host: Any, ann: Any, bob: Any
) -> None:
    season = hands.order("season", title="Closing", host=host["name"], people=[ann["name"], bob["name"]])
    page, desk = visit(ann, viewport=PHONE, has_touch=True), visit(host)
    connected(page, f"{season['url']}talk/in/lounge/", by="/ws/me/")
    page.get_by_label("Write here").fill("a draft")
    desk.goto(f"{season['url']}talk/quiet/")
    desk.get_by_label("Lounge", exact=True).check()
    desk.get_by_label("Number of hours").fill("2")
    desk.get_by_role("button", name="Close these").click()
    expect(page.get_by_role("button", name="Send")).to_be_disabled()
    expect(page.get_by_text("The hosts have closed this room")).to_be_visible()
    expect(page.get_by_role("link", name="Lounge closed")).to_be_visible()
    assert faults(page, camera, "talk in a closed room") == []
    page.reload()
    expect(page.get_by_label("Write here")).to_have_value("a draft")
    connected(page, page.url, by="/ws/me/")
    desk.get_by_role("button", name="Open these").click()
    expect(page.get_by_role("button", name="Send")).to_be_enabled()
    page.get_by_role("button", name="Send").click()
    expect(message(page, "a draft")).to_be_visible()


def test_without_scripts_talk_is_forms_and_pages(visit: Visitors, match: Any, ann: Any) -> None:
    page = visit(ann, java_script_enabled=False)
    page.goto(f"{match['url']}talk/")
    write(page, "no scripts here")
    expect(message(page, "no scripts here")).to_be_visible()
    expect(page).to_have_url(re.compile("#newest$"))
    for number in range(3):
        write(page, f"{LONG}\n{number}")
        expect(message(page, f"line\n{number}")).to_be_in_viewport()
    expect(page.get_by_label("Write to")).to_be_in_viewport(ratio=1)
