"""How soon a bid is seen in browsers: `python -m benchmarks.seen [--bids 40]`.

Two pages of one Chromium look at the same match: one player's, who fills in the form and presses its button, and
another player's. Both note when they have painted the bid, by the same clock.
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

# Two frames: in the first the change is laid out and painted, at the second it is on the screen.
_WATCH = """lot => {
    const board = document.getElementById("part-board");
    const find = () => board.querySelector(`[data-lot="${lot}"]`).dataset.amount;
    const before = find();
    window.seen = new Promise((done) => {
        const watch = new MutationObserver(() => {
            if (find() === before) return;
            watch.disconnect();
            requestAnimationFrame(() => requestAnimationFrame(() => done(performance.timeOrigin + performance.now())));
        });
        watch.observe(board, {subtree: true, childList: true, attributes: true});
    });
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
_WENT_THROUGH = "() => window.seen"


def players_of(made: dict[str, Any]) -> list[Any]:
    from django.contrib.auth import get_user_model

    return [get_user_model().objects.get(username=player["username"]) for player in made["players"]]


def open_page(browser: Browser, site: Site, url: str, session: dict[str, str]) -> Page:
    address = f"http://127.0.0.1:{site.port}"
    context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 900})
    context.add_cookies([{"name": name, "value": value, "url": address} for name, value in session.items()])
    page = context.new_page()
    page.goto(url)
    return page


def bid(bidder: Page, other: Page, lot: str, amount: int, rest: int) -> tuple[float, float]:
    """Milliseconds from the press of the button until the bidder's own page shows the bid, and until the other's."""
    bidder.evaluate(_FILL_IN, [lot, amount])
    bidder.wait_for_timeout(rest)  # its forecast has come, and nothing is under way
    for page in (bidder, other):
        page.evaluate(_WATCH, lot)
    pressed = bidder.evaluate(_PRESS)
    return bidder.evaluate(_WENT_THROUGH) - pressed, other.evaluate(_WENT_THROUGH) - pressed


def measure(site: Site, options: argparse.Namespace) -> dict[str, Any]:
    from playwright.sync_api import sync_playwright

    from tests.fixtures.chromium import FLAGS, find_chromium

    (made,) = site.make_matches(auction_game().slug, 1, options.players)
    board = site.get(f"/api/v1/matches/{made['id']}/")["public"]["board"]
    lots = [seat["seat"] for row in board for seat in row]
    sessions = [session_of(user) for user in players_of(made)[:2]]
    own, others = [], []
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=[*FLAGS, "--no-sandbox"])
        pages = [open_page(browser, site, made["url"], session) for session in sessions]
        for number in range(options.bids):
            bidder, other = pages[number // len(lots) % 2], pages[1 - number // len(lots) % 2]
            mine, theirs = bid(bidder, other, lots[number % len(lots)], number + 1, options.rest)
            own.append(mine)
            others.append(theirs)
        browser.close()
    figures = {"own": own, "other": others}
    return {"bids": options.bids} | {
        f"{name}_p{share:.0%}_ms".replace("%", ""): round(percentile(values, share))
        for name, values in figures.items()
        for share in (0.5, 0.95)
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bids", type=int, default=40)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--rest", type=int, default=600, help="milliseconds between filling the form in and pressing")
    options = parser.parse_args()
    with embedded_server() as site:
        enter(site)
        print(json.dumps(measure(site, options) | {"load": os.getloadavg()[0]}))


if __name__ == "__main__":
    main()
