"""How soon a bid is seen in browsers: `python -m benchmarks.seen [--bids 40]`.

Two players' pages of one Chromium look at the same match, each in a window of its own. They bid in turn, by the button
of the form, and both pages note when they have painted the bid, by the same clock. A bid that is not seen within five
seconds is counted and passed over. Site and browser share all processors: at home each page would have its own.
"""

from __future__ import annotations

import argparse
import json
import os
from typing import TYPE_CHECKING, Any

from benchmarks.client import percentile
from benchmarks.games import auction_game
from benchmarks.inside import enter
from benchmarks.site import Site, embedded_server
from benchmarks.weight import session_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_AT_MOST = 5_000
# Two frames: in the first the change is laid out and painted, at the second it is on the screen.
_WATCH = """() => {
    const board = document.getElementById("part-board");
    window.seen = new Map();
    const paint = () => requestAnimationFrame(() => requestAnimationFrame(() => {
        for (const {dataset} of board.querySelectorAll("[data-lot][data-amount]")) {
            const bid = `${dataset.lot} ${dataset.amount}`;
            if (!seen.has(bid)) seen.set(bid, performance.timeOrigin + performance.now());
        }
    }));
    new MutationObserver(paint).observe(board, {subtree: true, childList: true, attributes: true});
}"""
_FILL_IN = """([lot, amount]) => {
    const lots = document.querySelector("[data-lot-field]"), chips = document.querySelector("[data-amount-field]");
    for (const [field, value] of [[lots, lot], [chips, String(amount)]]) {
        field.value = value;
        field.dispatchEvent(new Event("input", {bubbles: true}));
        field.dispatchEvent(new Event("change", {bubbles: true}));
    }
}"""
_PRESS = """() => {
    const pressed = performance.timeOrigin + performance.now();
    document.querySelector('button[form="act-bid"][type="submit"]').click();
    return pressed;
}"""


def open_page(browser: Browser, site: Site, url: str, session: dict[str, str]) -> Page:
    address = f"http://127.0.0.1:{site.port}"
    context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 900})
    context.add_cookies([{"name": name, "value": value, "url": address} for name, value in session.items()])
    page = context.new_page()
    with page.expect_websocket(lambda socket: "/matches/" in socket.url):
        page.goto(url)
    page.wait_for_timeout(500)
    page.evaluate(_WATCH)
    return page


def bid(bidder: Page, other: Page, lot: str, amount: int, rest: int) -> tuple[float, float] | None:
    """Milliseconds from the press of the button until the bidder's own page shows the bid, and until the other's; None
    if one of them does not."""
    from playwright.sync_api import TimeoutError as NotSeen

    bidder.evaluate(_FILL_IN, [lot, amount])
    bidder.wait_for_timeout(rest)  # its forecast has come, and nothing is under way
    pressed, wanted = bidder.evaluate(_PRESS), f"{lot} {amount}"
    try:
        for page in (bidder, other):
            page.wait_for_function("(wanted) => window.seen.has(wanted)", arg=wanted, timeout=_AT_MOST)
    except NotSeen:
        return None
    own, others = (page.evaluate("(wanted) => window.seen.get(wanted)", wanted) - pressed for page in (bidder, other))
    return own, others


def measure(site: Site, options: argparse.Namespace) -> dict[str, Any]:
    from django.contrib.auth import get_user_model
    from playwright.sync_api import sync_playwright

    from tests.fixtures.chromium import FLAGS, find_chromium

    (made,) = site.make_matches(auction_game().slug, 1, options.players)
    board = site.get(f"/api/v1/matches/{made['id']}/")["public"]["board"]
    lots = [seat["seat"] for row in board for seat in row]
    names = [player["username"] for player in made["players"][:2]]
    sessions = [session_of(get_user_model().objects.get(username=name)) for name in names]
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=[*FLAGS, "--no-sandbox"])
        pages = [open_page(browser, site, made["url"], session) for session in sessions]
        times = []
        for number in range(options.bids):
            turn, place = divmod(number, len(lots))  # nobody outbids themselves
            bidder, other = pages[turn % 2], pages[1 - turn % 2]
            times.append(bid(bidder, other, lots[place], number + 1, options.rest))
        browser.close()
    seen = [each for each in times if each]
    if not seen:
        raise SystemExit("no bid was seen")
    figures = {"own": [own for own, _ in seen], "other": [others for _, others in seen]}
    return {"bids": options.bids, "not_seen": options.bids - len(seen)} | {
        f"{name}_p{percent}_ms": round(percentile(values, percent / 100))
        for name, values in figures.items()
        for percent in (50, 95)
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bids", type=int, default=40)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--rest", type=int, default=600, help="milliseconds between filling the form in and pressing")
    options = parser.parse_args()
    with embedded_server(pinned=False) as site:
        enter(site)
        print(json.dumps(measure(site, options) | {"load": os.getloadavg()[0]}))


if __name__ == "__main__":
    main()
