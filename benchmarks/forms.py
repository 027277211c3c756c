"""What a browser's bid costs beside a program's, and a forecast: `python -m benchmarks.forms [--times 100]`.

Measured in this process, from request to response, so that it is the site and not the client: CPU time of the whole
process, in which the bids are written too. Four requests are repeated in turn: a bid by the API, a bid by a form of a
page that stays and shows the present board, and a forecast of a bid, as a server hands it to the site, and through
Django's middlewares as the bids go here.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Callable
from statistics import median
from time import process_time
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

from benchmarks.inside import enter
from benchmarks.site import embedded_server

TOKEN = "t" * 32


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
        self.loop = asyncio.new_event_loop()

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

    def forecast_by_django(self) -> Callable[[], Any]:
        bidder, bid = self.next_bid()
        self.number -= 1
        kind, body = "application/x-www-form-urlencoded", urlencode(bid)
        return lambda: self.browsers[bidder].post(f"{self.url}preview/", body, content_type=kind)

    def forecast(self) -> Callable[[], Any]:
        from genius_site.asgi import application

        bidder, bid = self.next_bid()
        self.number -= 1
        session = self.browsers[bidder].cookies["sessionid"].value
        body = urlencode({**bid, "csrfmiddlewaretoken": TOKEN}).encode()
        headers = {
            "host": "localhost",
            "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "accept": "*/*",
            "accept-language": "en",
            "accept-encoding": "gzip, deflate",
            "referer": f"http://localhost{self.url}",
            "origin": "http://localhost",
            "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
            "content-length": str(len(body)),
            "cookie": f"csrftoken={TOKEN}; sessionid={session}",
        }
        scope = {
            "type": "http",
            "method": "POST",
            "scheme": "http",
            "path": f"{self.url}preview/",
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        return lambda: self.loop.run_until_complete(answer_of(application, scope, body))


async def answer_of(application: Any, scope: dict[str, Any], body: bytes) -> Any:
    """What the site answers to a request of a server."""
    found = SimpleNamespace(status_code=0, content=b"")

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body}

    async def send(message: dict[str, Any]) -> None:
        found.status_code = message.get("status", found.status_code)
        found.content += message.get("body", b"")

    await application(scope, receive, send)
    return found


def measure(site: Site, times: int) -> dict[str, Any]:
    """Median milliseconds, queries of this thread in one request, and bytes of the answer."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    kinds = {
        "api": site.by_api,
        "form": site.by_form,
        "forecast": site.forecast,
        "forecast_by_django": site.forecast_by_django,
    }
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
