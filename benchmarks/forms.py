"""What a browser's bid costs beside a program's, and a forecast: `python -m benchmarks.forms [--times 100]`.

Measured in this process, from request to response through all middlewares, so that it is the site and not the client:
CPU time of the whole process, in which the bids are written too. Three requests are repeated in turn: a bid by the API,
a bid by a form of a page that stays and shows the present board, and a forecast of a bid.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

from benchmarks.inside import enter
from benchmarks.site import embedded_server


class Site:
    """A match, its players' browsers, and a program for each of them."""

    def __init__(self, made: dict[str, Any]) -> None:
        from django.test import Client

        from accounts.models import User
        from matches.models import Match
        from matches.queries.matches import Position

        match = Match.objects.get(public_id=made["id"])
        public: Any = Position(match).public
        self.seats = [seat.seat for row in public.board for seat in row]
        self.url, self.made, self.match_id = made["url"], made, match.pk
        self.program = Client(SERVER_NAME="localhost")
        self.browsers = []
        for player in made["players"]:
            browser = Client(SERVER_NAME="localhost")
            browser.force_login(User.objects.get(username=player["username"]))
            self.browsers.append(browser)
        self.number = 0

    def next_bid(self) -> tuple[int, dict[str, Any]]:
        """The next bidder's place in the list, and a bid that is taken."""
        lap, place = divmod(self.number, len(self.seats))
        self.number += 1
        bidder = (place + lap) % len(self.browsers)
        return bidder, {"type": "bid", "seat": self.seats[place], "amount": self.number}

    def by_api(self) -> Callable[[], Any]:
        bidder, bid = self.next_bid()
        headers = {"Authorization": f"Bearer {self.made['players'][bidder]['token']}"}
        path = f"/api/v1/matches/{self.made['id']}/actions/"
        return lambda: self.program.post(path, json.dumps(bid), content_type="application/json", headers=headers)

    def by_form(self) -> Callable[[], Any]:
        bidder, bid = self.next_bid()
        seen = self.browsers[bidder].get(f"{self.url}parts/").json()  # as the last push has left the page
        headers = {"HX-Request": "true", "X-Match-Seen": f"{seen['version']} {seen['private_version']}"}
        return lambda: self.browsers[bidder].post(f"{self.url}act/", {**bid, "key": ""}, headers=headers)

    def forecast(self) -> Callable[[], Any]:
        bidder, bid = self.next_bid()
        self.number -= 1
        return lambda: self.browsers[bidder].post(f"{self.url}preview/", bid, headers={"HX-Request": "true"})


def measure(site: Site, times: int) -> dict[str, Any]:
    """Median milliseconds, queries of this thread in one request, and bytes of the answer."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    kinds = {"api": site.by_api, "form": site.by_form, "forecast": site.forecast}
    took: dict[str, list[float]] = {name: [] for name in kinds}
    figures: dict[str, Any] = {}
    for turn in range(times + 2):
        for name, prepare in kinds.items():
            send = prepare()
            start = process_time()
            response = send()
            took[name].append(process_time() - start)
            if response.status_code not in (200, 201):
                raise SystemExit(f"{name} answers {response.status_code}: {response.content[:300]!r}")
            if turn == 1:
                send = prepare()
                with CaptureQueriesContext(
                    connection,
                ) as queries:
                    size = len(send().content)
                figures[name] = {"queries": len(queries), "bytes": size}
    for name, seconds in took.items():
        figures[name]["cpu_ms"] = round(median(seconds[2:]) * 1000, 2)
    figures["form_over_api"] = round(figures["form"]["cpu_ms"] / figures["api"]["cpu_ms"], 1)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--times", type=int, default=100)
    options = parser.parse_args()
    with embedded_server() as server:
        enter(server)
        from benchmarks.games import auction_game

        (made,) = server.make_matches(auction_game().slug, 1, options.players)
        print(json.dumps(measure(Site(made), options.times)))


if __name__ == "__main__":
    main()
