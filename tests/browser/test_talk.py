"""People talk while their pages are open: at once, announced once, and without scripts too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import WebSocket, expect

from tests.browser.looks import Camera, faults
from tests.fixtures.chromium import DESKTOP, PHONE, Visitors
from tests.fixtures.processes import ask_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

EDGES = "all => all.map((one) => one.getBoundingClientRect().toJSON())"


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


def connected(page: Page, url: str) -> None:
    """The page is there, and so is its connection."""
    heard: list[Any] = []

    def listen(socket: WebSocket) -> None:
        if "format=hints" in socket.url:
            socket.on("framereceived", lambda frame: heard.append(frame))

    page.on("websocket", listen)
    page.goto(url)
    ask_until(lambda: page.evaluate("true") and bool(heard))


def test_the_channels_stand_below_the_head_and_beside_each_other(
    visit: Visitors, match: Any, ann: Any, bob: Any
) -> None:
    page = visit(ann)
    page.goto(f"{match['url']}talk/new/")
    page.get_by_role("checkbox", name="Bob").check()
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".talk__channel")).to_have_count(2)
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        head, *channels = page.locator(".match-line, .talk__channel").evaluate_all(EDGES)
        for before, after in zip([head, *channels], channels, strict=False):
            assert after["top"] >= before["bottom"] or after["left"] >= before["right"], size


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
    expect(message(other, "hello @bob")).to_contain_text("names you")
    assert faults(other, camera, "talk") == []


WHERE_IT_BEGINS = """(element) => {
    const letter = document.createRange();
    letter.setStart(element.firstChild, 0);
    letter.setEnd(element.firstChild, 1);
    const [at, all] = [letter.getBoundingClientRect(), element.getBoundingClientRect()];
    return at.left - all.left < all.right - at.right ? "left" : "right";
}"""


@pytest.mark.parametrize(("text", "side"), [("hello, ann 🎲", "left"), ("שלום, ann! 🎲", "right")])
def test_a_text_begins_on_the_side_from_which_it_is_read(
    visit: Visitors, match: Any, ann: Any, text: str, side: str
) -> None:
    page = visit(ann, viewport=PHONE)
    connected(page, f"{match['url']}talk/")
    write(page, text)
    expect(message(page, text)).to_be_visible()
    assert message(page, text).locator(".talk__text").evaluate(WHERE_IT_BEGINS) == side


def test_a_private_word_is_counted_on_the_board_of_whom_it_is_for(
    visit: Visitors, match: Any, ann: Any, bob: Any
) -> None:
    one, other = visit(ann), visit(bob)
    other.goto(match["url"])
    expect(other.locator(".tabs__unread")).to_have_count(0)
    one.goto(f"{match['url']}talk/new/")
    one.get_by_label("Bob").check()
    one.get_by_role("button", name="Go on").click()
    expect(one.get_by_text("Only you and Bob can read this. The hosts of this match cannot")).to_be_visible()
    write(one, "psst")
    expect(other.get_by_role("link", name="Talk 1 unread")).to_be_visible()
    other.get_by_role("link", name="Talk 1 unread").click()
    other.get_by_role("link", name="Ann 1 unread").click()
    expect(message(other, "psst")).to_be_visible()
    expect(other.locator(".tabs__unread")).to_have_count(0)


def test_a_conversation_that_somebody_else_begins_comes_into_the_list_by_itself(
    visit: Visitors, match: Any, person: Callable[..., Any], ann: Any, bob: Any
) -> None:
    one, other, third = visit(ann), visit(bob), visit(person("cat"))
    for page in (other, third):
        connected(page, f"{match['url']}talk/")
    one.goto(f"{match['url']}talk/new/?to=bob")
    one.get_by_role("button", name="Go on").click()
    notice = one.get_by_text("get no notice of this conversation before the first message")
    expect(notice).to_be_visible()
    write(one, "psst")
    expect(message(one, "psst")).to_be_visible()
    expect(notice).to_have_count(0)
    expect(other.get_by_role("link", name="Ann 1 unread")).to_be_visible()
    expect(other.get_by_role("link", name="Public")).to_have_attribute("aria-current", "page")
    expect(third.locator(".talk__channel")).to_have_count(1)


def test_a_refused_text_stays_with_the_reason(visit: Visitors, match: Any, ann: Any) -> None:
    page = visit(ann)
    connected(page, f"{match['url']}talk/")
    write(page, "x" * 2001)
    expect(page.get_by_role("alert")).to_contain_text("2001 characters long")
    expect(page.get_by_label("Write to")).to_have_value("x" * 2001)
    visit.forgive("422")


def test_a_text_is_not_lost_with_the_connection_or_the_session(visit: Visitors, match: Any, ann: Any) -> None:
    page = visit(ann)
    connected(page, f"{match['url']}talk/")
    page.context.set_offline(True)
    write(page, "still here")
    expect(page.get_by_role("alert")).to_contain_text("try again")
    page.context.set_offline(False)
    page.get_by_role("button", name="Send").click()
    expect(message(page, "still here")).to_have_count(1)
    page.context.clear_cookies(name="sessionid")
    write(page, "and this")
    expect(page.get_by_role("alert")).to_contain_text("It was not sent")
    expect(page.get_by_label("Write to")).to_have_value("and this")
    visit.forgive("ERR_INTERNET_DISCONNECTED")
    visit.forgive("WebSocket connection to")
    visit.forgive("403")


def test_ctrl_and_enter_send(visit: Visitors, match: Any, ann: Any) -> None:
    page = visit(ann)
    connected(page, f"{match['url']}talk/")
    field = page.get_by_label("Write to")
    field.press_sequentially("one")
    field.press("Enter")
    field.press_sequentially("two")
    field.press("Control+Enter")
    expect(message(page, "one")).to_contain_text("two")


def test_without_scripts_talk_is_forms_and_pages(visit: Visitors, match: Any, ann: Any) -> None:
    page = visit(ann, java_script_enabled=False)
    page.goto(f"{match['url']}talk/")
    write(page, "no scripts here")
    expect(message(page, "no scripts here")).to_be_visible()
