"""The replay of a finished match in a browser: by keys, by the slider, played, by link, and with one's own eyes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import lot
from tests.browser.looks import Camera, faults
from tests.fixtures.chromium import Visitors

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

MOVES = [
    ("1h", "ann", {"type": "bid", "seat": "V", "amount": 3}),
    ("2h", "bob", {"type": "bid", "seat": "R", "amount": 1}),
    ("25h", "cat", {"type": "bid", "seat": "R", "amount": 2}),
    ("26h", "bob", {"type": "bid", "seat": "Z", "amount": 1}),
]


@pytest.fixture
def match(person: Callable[..., Any], table: Callable[..., Any]) -> dict[str, Any]:
    people = [person(name) for name in ("ann", "bob", "cat")]
    return {**table("Over", people, at="30d", moves=MOVES), "ann": people[0]}


@pytest.fixture
def replay(visit: Visitors, match: dict[str, Any]) -> Page:
    """The replay, at its first moment."""
    page = visit()
    page.goto(f"{match['url']}replay/")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    return page


def number(page: Page) -> int:
    """The moment that is shown, from 1 on."""
    return int(page.locator("#replay-place").inner_text().split()[0])


def test_keys_and_the_slider_lead_to_any_moment(replay: Page, camera: Camera) -> None:
    replay.keyboard.press("ArrowRight")
    expect(replay.locator("#replay-told")).to_contain_text("seals")
    expect(replay.locator("#part-sealed")).to_contain_text("V")
    assert number(replay) == 2
    assert faults(replay, camera, "replay-axe") == []
    replay.keyboard.press("End")
    expect(replay.locator("#part-status")).to_contain_text("Finished")
    last = number(replay)
    replay.keyboard.press("Home")
    expect(replay.locator("#replay-place")).to_have_text(f"1 of {last}")
    replay.get_by_role("slider", name="Moment").fill(str(last))
    expect(replay.locator("#replay-place")).to_have_text(f"{last} of {last}")
    expect(lot(replay, "R")).to_have_attribute("data-amount", "2")


_LOOK = """(parts) => parts.flatMap((part) => [...part.querySelectorAll("*")].map((element) => [
    element.localName,
    ...[...element.attributes].map(({name, value}) => `${name}=${value}`).sort(),
    ...[...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data.trim()),
].join(" ")))"""


def _table(page: Page) -> list[str]:
    """Every element of the board as it is now."""
    return list(page.locator("#part-status, #part-board").evaluate_all(_LOOK))


def test_a_moment_looks_the_same_whether_one_steps_to_it_or_comes_by_its_link(replay: Page, visit: Visitors) -> None:
    """What is sent of it are the differences from the moment before."""
    other = visit()
    for _ in range(4):
        before = replay.url
        replay.keyboard.press("ArrowRight")
        replay.wait_for_url(lambda url, before=before: url != before)
        other.goto(replay.url)
        expect(other.get_by_role("button", name="Play")).to_be_visible()
        assert _table(replay) == _table(other)


def test_the_clock_of_a_moment_stands_still(visit: Visitors, match: dict[str, Any]) -> None:
    page = visit(own=True)
    page.clock.install()
    page.goto(f"{match['url']}replay/")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#replay-place")).to_contain_text("2 of")
    left = page.locator("#part-status [data-deadline-left]").all_inner_texts()
    assert left
    page.clock.fast_forward("20:00")
    page.clock.run_for(2000)
    assert page.locator("#part-status [data-deadline-left]").all_inner_texts() == left


def test_it_plays_by_itself_to_the_end_and_pauses(replay: Page) -> None:
    replay.get_by_label("Speed").select_option("60")
    replay.keyboard.press("Escape")
    replay.get_by_role("button", name="Play").click()
    expect(replay.locator("#part-status")).to_contain_text("Finished")
    expect(replay.get_by_role("button", name="Play")).to_be_visible()


def test_what_was_out_of_sight_while_it_played_is_right_when_it_stands_still(replay: Page, visit: Visitors) -> None:
    """It follows when one scrolls to it, and in the end."""
    replay.set_viewport_size({"width": 390, "height": 400})
    replay.get_by_label("Speed").select_option("60")
    replay.get_by_role("button", name="Play").click()
    expect(replay.locator("#part-status")).to_contain_text("Finished")
    expect(replay.get_by_role("button", name="Play")).to_be_visible()
    replay.wait_for_url(re.compile(r"[?&]at=\d+"))
    other = visit()
    other.goto(replay.url)
    expect(other.get_by_role("button", name="Play")).to_be_visible()
    for part in ("board", "more", "decisions", "players"):
        shown, wanted = (page.locator(f"#part-{part}").evaluate_all(_LOOK) for page in (replay, other))
        assert shown == wanted


_FRAMES_BY_HAND = """(() => {
    const waiting = [];
    let time = 0;
    performance.now = () => time;
    window.requestAnimationFrame = (step) => waiting.push(step);
    const place = () => Number(document.getElementById("replay-place").textContent.split(" of ")[0]);
    const fetched = () => new Promise((done) => setTimeout(done));
    window.placesAfterFrames = async (count) => {
        const places = [];
        for (let frame = 1; frame <= count; frame += 1) {
            time = frame * 1000 / 60;
            waiting.splice(0).forEach((step) => step(time));
            await fetched();
            places.push(place());
        }
        return places;
    };
})()"""


def test_it_plays_as_many_moments_a_second_as_it_says(visit: Visitors, match: dict[str, Any]) -> None:
    """At fifty, a moment is longer than a frame of sixty: what is over of a frame belongs to the next moment."""
    page = visit(own=True)
    page.add_init_script(_FRAMES_BY_HAND)
    with page.expect_response(lambda answer: "/replay/frames/" in answer.url):
        page.goto(f"{match['url']}replay/")
    page.locator("#replay-speed").evaluate("(speed) => { speed.selectedOptions[0].value = 50; }")
    page.get_by_role("button", name="Play").click()
    last = int(page.locator("#replay-place").inner_text().split(" of ")[1])
    places = page.evaluate("placesAfterFrames(30)")
    assert last > 6
    assert places == [min(1 + frame * 50 // 60, last) for frame in range(1, 31)]


def test_a_link_leads_to_a_moment_and_through_a_players_eyes(replay: Page, visit: Visitors) -> None:
    for _ in range(3):
        replay.keyboard.press("ArrowRight")
    expect(replay.locator("#replay-place")).to_have_text(re.compile("^4 of"))
    told = str(replay.locator("#replay-told").text_content())
    replay.wait_for_url(re.compile(r"[?&]at=\d+"))
    link = replay.get_by_role("link", name="Link to this moment").get_attribute("href")
    other = visit()
    other.goto(str(link))
    expect(other.locator("#replay-told")).to_have_text(told)
    other.get_by_label("Seen by").select_option("ann")
    other.get_by_role("button", name="Show").click()
    expect(other.locator("#part-panel")).to_contain_text("V")
    expect(other.locator("#replay-told")).to_have_text(told)


def test_what_was_sealed_may_wait_until_it_was_opened(replay: Page) -> None:
    replay.get_by_label("Sealed things appear").select_option("opened")
    replay.get_by_role("button", name="Show").click()
    replay.keyboard.press("ArrowRight")
    expect(replay.locator("#replay-told")).not_to_contain_text("seals")
    expect(replay.locator("#part-sealed")).to_be_empty()
