"""How fast the replay of a long match opens and plays: `python -m benchmarks.replay [--bids 1000]`.

The match is an auction with that many accepted bids, played through the services and finished. The server's part is
measured in this process, through all middlewares and with nothing kept: the page of the first moment and of the last,
and all frames that a browser asks for while it plays. CPU time, so that a busy machine makes no difference; the floor
is the match's own page in the same run. With --browser, Chromium opens it with an empty cache, on a site that has shown
other pages and never this replay, and plays it at sixty moments a second; site and browser then share all processors.
The site has the settings of a real one, so its files are collected and compressed.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from datetime import timedelta
from time import process_time
from typing import Any

from benchmarks.client import Table
from benchmarks.inside import enter
from benchmarks.site import Site, embedded_server
from benchmarks.weight import REAL

PLAYS_SECONDS = 5


def play(made: dict[str, Any], board: dict[str, Any], bids: int) -> None:
    """Place that many bids, a minute apart at most, and let the match end."""
    from accounts.models import User
    from matches.models import Match, clock
    from matches.services import outages
    from matches.services.actions import submit_action
    from matches.services.deadlines import advance

    match = Match.objects.get(public_id=made["id"])
    users = {player["token"]: User.objects.get(username=player["username"]).pk for player in made["players"]}
    table = Table(made, board)
    # No sweep keeps up with days that pass in a second.
    with outages.ignored(), clock.fixed(clock.now()) as present:
        for _ in range(bids):
            token, action = table.bid()
            answer = submit_action(match.pk, users[token], action)
            if not answer.accepted:
                raise SystemExit(f"a bid was refused: {answer.message}")
            present.forward(timedelta(milliseconds=50))
        while (due := Match.objects.get(pk=match.pk).next_deadline_at) is not None:
            present.instant = max(present.instant, due)
            advance(match.pk)


def forget() -> None:
    """As in a process that has never shown this match."""
    from matches.pages import replays
    from matches.queries import film

    film._films.clear()
    replays._rolls.clear()


def timed(path: str) -> tuple[float, Any]:
    """Milliseconds of CPU time, and the answer."""
    from django.test import Client

    start = process_time()
    response = Client(SERVER_NAME="127.0.0.1").get(path)
    took = (process_time() - start) * 1000
    if response.status_code != 200:
        raise SystemExit(f"{path} answers {response.status_code}")
    return took, response


def measure(url: str) -> dict[str, Any]:
    """What the server needs for the first page and for all frames."""
    from django.db import connection

    for path in ("", "replay/"):  # templates are loaded
        timed(url + path)
    figures: dict[str, Any] = {}
    figures["match_page_ms"], _ = timed(url)
    for name, query in (("first_frame_ms", ""), ("last_frame_ms", f"?at={10**9 - 1}")):
        forget()
        figures[name], page = timed(f"{url}replay/{query}")
    count = int(page.content.decode().split('data-count="')[1].split('"')[0])
    roll = int(page.content.decode().split('data-roll="')[1].split('"')[0])
    forget()
    figures["first_roll_ms"], _ = timed(f"{url}replay/frames/?roll=0")
    took, size = 0.0, 0
    for number in range(1, -(-count // roll)):
        spent, answer = timed(f"{url}replay/frames/?roll={number}")
        took, size = took + spent, size + len(answer.content)
    connection.close()
    rest = max(count - roll, 1)
    return {
        "moments": count,
        **{name: round(value, 1) for name, value in figures.items()},
        "frames_per_second": round(rest / took * 1000) if took else None,
        "bytes_per_frame": round(size / rest),
    }


# The board is laid out in the frame that comes next, and at the one after it on the screen.
_WATCH = """window.firstMoment = new Promise((seen) => {
    const look = () => requestAnimationFrame(() => {
        if (!document.getElementById("part-board")?.offsetHeight) return look();
        requestAnimationFrame(() => requestAnimationFrame((now) => seen(now)));
    });
    look();
});"""


def play_in_browser(site: Site, url: str, other: str) -> dict[str, Any]:
    """How soon Chromium paints the first moment, and how many it shows a second when it plays at sixty. `other`: a page
    that is looked at before."""
    from playwright.sync_api import sync_playwright

    from tests.fixtures.chromium import FLAGS, find_chromium

    address = f"http://127.0.0.1:{site.port}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=[*FLAGS, "--no-sandbox"])
        before = browser.new_page()
        before.goto(address + other)
        before.close()
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.add_init_script(_WATCH)
        page.goto(f"{address}{url}replay/")
        opened = page.evaluate("firstMoment")
        answered = page.evaluate("performance.getEntriesByType('navigation')[0].responseStart")
        page.wait_for_selector("#replay-play:visible")
        page.select_option("#replay-speed", "60")
        shown = page.evaluate(
            """async (ms) => {
              const told = document.getElementById("replay-place");
              let changes = 0, longest = 0, last = performance.now();
              new MutationObserver(() => {
                changes += 1;
                longest = Math.max(longest, performance.now() - last);
                last = performance.now();
              }).observe(told, { childList: true });
              document.getElementById("replay-play").click();
              await new Promise((done) => setTimeout(done, ms));
              return { moments: Number(told.textContent.split(" ")[0]), changes, longest };
            }""",
            PLAYS_SECONDS * 1000,
        )
        browser.close()
    return {
        "browser_answered_ms": round(answered),
        "browser_first_frame_ms": round(opened),
        "browser_moments_per_second": round(shown["moments"] / PLAYS_SECONDS, 1),
        "browser_shown_per_second": round(shown["changes"] / PLAYS_SECONDS, 1),
        "browser_longest_wait_ms": round(shown["longest"]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bids", type=int, default=1000)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--browser", action="store_true")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="genius-replay-") as folder,
        embedded_server(
            pinned=not options.browser,
            **REAL,
            DATABASE_URL=f"sqlite:///{folder}/genius.sqlite3",
            SITE_URL="http://127.0.0.1",
        ) as site,
    ):
        enter(site)
        from benchmarks.games import auction_game

        made, other = site.make_matches(auction_game().slug, 2, options.players)
        play(made, site.get(f"/api/v1/matches/{made['id']}/"), options.bids)
        found = measure(made["url"])
        if options.browser:
            found |= play_in_browser(site, made["url"], other["url"])
        print(json.dumps(found))


if __name__ == "__main__":
    main()
