"""What a page costs a browser: `python -m lab.weight [--network 1600] [--latency 150] [--slower 4]`.

The site runs as on a real server (collected, compressed and hashed files) with the demo's season, and a Chromium visits
one page of each kind with an empty cache, again with a full one, and once more with a slow processor and network.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from lab.inside import enter
from lab.site import ROOT, Site, embedded_server

REAL = {
    "LOCAL": "0",
    "SECRET_KEY": "only-for-this-benchmark-" + "x" * 32,
    "EMAIL_URL": "dummy://",
    "SECOND_FACTOR": "optional",  # else hosts are led to where they set one up
}
"""The settings of a real site."""
_WATCH = """window.tasks = []; window.shifts = 0;
new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => Math.round(entry.duration))))
    .observe({type: 'longtask', buffered: true});
new PerformanceObserver((list) => list.getEntries().forEach((entry) => { shifts += entry.value; }))
    .observe({type: 'layout-shift', buffered: true});"""
_SEEN = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"


@contextlib.contextmanager
def served() -> Iterator[Site]:
    """The demo's season on a site with the settings of a real one."""
    from tests.fixtures.processes import free_port

    port = free_port()
    with tempfile.TemporaryDirectory(prefix="genius-weight-") as folder:
        local = {**os.environ, "DATA_DIR": folder, "LOCAL": "1", "LOG_LEVEL": "ERROR"}
        for command in (["migrate", "-v0"], ["demo", "--seed"]):
            subprocess.run(
                [sys.executable, "manage.py", *command], cwd=ROOT, env=local, check=True, capture_output=True
            )
        address = f"http://127.0.0.1:{port}"
        # A browser has more than one processor: that which makes it slower takes one for itself.
        database = f"sqlite:///{folder}/genius.sqlite3"
        with embedded_server(pinned=False, **REAL, DATABASE_URL=database, SITE_URL=address) as site:
            yield site


def pages() -> dict[str, tuple[str, Any]]:
    """One page of each kind: its address, and the person who looks at it."""
    from django.contrib.auth import get_user_model

    from matches.models import Match, Player

    found: dict[str, tuple[str, Any]] = {"front": ("/", None), "sign in": ("/accounts/login/", None)}
    for game in sorted(set(Match.objects.values_list("game", flat=True))):
        running = Match.objects.filter(game=game, status="open").order_by("pk").first()
        if running is None:
            continue
        url = running.get_absolute_url()
        player = Player.objects.filter(match=running, user__isnull=False).select_related("user").order_by("pk").first()
        found |= {f"{game}: visitor": (url, None), f"{game}: rules": (f"{url}rules/", None)}
        found[f"{game}: about"] = (f"/games/{game}/", None)
        if player:
            found |= {f"{game}: player": (url, player.user)}
            found |= {"talk": (f"{url}talk/", player.user), "history": (f"{url}history/", player.user)}
            found |= {"mine": ("/me/", player.user), "profile": ("/profile/", player.user)}
    if host := Match.objects.filter(status="open", hosts__isnull=False).values_list("pk", "hosts").first():
        user = get_user_model().objects.get(pk=host[1])
        found |= {"desk": ("/admin/matches/match/overview/", user)}
        found |= {"console": (f"/admin/matches/match/{host[0]}/change/", user)}
    if over := Match.objects.filter(status="finished").order_by("pk").first():
        found |= {"finished": (over.get_absolute_url(), None), "result": (f"{over.get_absolute_url()}result/", None)}
    return found


def session_of(user: Any) -> dict[str, str]:
    """The cookies with which somebody is signed in."""
    from django.test import Client

    client = Client()
    client.force_login(user)
    return {key: morsel.value for key, morsel in client.cookies.items()}


class Tally:
    """What goes over the network of a page, by Chromium's own count."""

    def __init__(self, line: Any) -> None:
        self.html = self.rest = self.requests = 0
        self.sheets = self.scripts = 0
        self._kinds: dict[str, str] = {}
        line.on("Network.responseReceived", self._answered)
        line.on("Network.loadingFinished", self._finished)
        line.on("Network.webSocketCreated", lambda _: self._count())

    def _count(self) -> None:
        self.requests += 1

    def _answered(self, event: dict[str, Any]) -> None:
        if not event["response"]["url"].startswith("data:"):
            self._kinds[event["requestId"]] = event["type"]

    def _finished(self, event: dict[str, Any]) -> None:
        kind, size = self._kinds.pop(event["requestId"], ""), int(event["encodedDataLength"])
        if not kind or not size:  # from the cache
            return
        self._count()
        if kind == "Document":
            self.html += size
        else:
            self.rest += size
        self.sheets += kind == "Stylesheet"
        self.scripts += kind == "Script"


def weigh(browser: Any, site: Site, path: str, user: Any, options: argparse.Namespace) -> dict[str, Any]:
    """A first visit, a second one, and a first one on a slow machine with a slow network."""
    figures: dict[str, Any] = {}
    for visit in ("first", "slow"):
        context = browser.new_context(base_url=f"http://127.0.0.1:{site.port}")
        context.add_cookies(
            [
                {"name": name, "value": value, "url": f"http://127.0.0.1:{site.port}"}
                for name, value in (session_of(user) if user else {}).items()
            ]
        )
        page = context.new_page()
        line = context.new_cdp_session(page)
        line.send("Network.enable")
        if visit == "first":
            for name in ("first", "second"):
                tally = Tally(line)
                answer = page.goto(path)
                if urlsplit(answer.url).path != path:
                    raise SystemExit(f"{path} led to {answer.url}")
                page.wait_for_timeout(options.wait)
                figures |= {f"{name}_html": tally.html, f"{name}_rest": tally.rest, f"{name}_requests": tally.requests}
                if name == "first":
                    figures |= {"status": answer.status, "sheets": tally.sheets, "scripts": tally.scripts}
                    figures["html_plain"] = len(answer.body())
                line = context.new_cdp_session(page)
                line.send("Network.enable")
        else:
            page.add_init_script(_WATCH)
            speed = options.network * 1000 / 8
            line.send(
                "Network.emulateNetworkConditions",
                {"offline": False, "latency": options.latency, "downloadThroughput": speed, "uploadThroughput": speed},
            )
            line.send("Emulation.setCPUThrottlingRate", {"rate": options.slower})
            page.goto(path)
            page.wait_for_timeout(options.wait)
            figures["fcp_ms"] = round(page.evaluate(_SEEN) or 0)
            figures |= {"long_tasks_ms": page.evaluate("tasks"), "shift": round(page.evaluate("shifts"), 4)}
        context.close()
    return figures


def main() -> None:
    from playwright.sync_api import sync_playwright

    from tests.fixtures.chromium import FLAGS, find_chromium

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", type=int, default=1600, help="kbit/s of the slow visit")
    parser.add_argument("--latency", type=int, default=150, help="milliseconds of each of its answers")
    parser.add_argument("--slower", type=float, default=4, help="how many times slower its processor is")
    parser.add_argument("--wait", type=int, default=1500, help="milliseconds that a page is watched after it is loaded")
    parser.add_argument("--only", default="", help="pages whose name contains this")
    options = parser.parse_args()
    with served() as site:
        enter(site)
        wanted = {name: page for name, page in pages().items() if options.only in name}
        sessions = {name: (path, user) for name, (path, user) in wanted.items()}
        with sync_playwright() as playwright:
            os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # sessions are made beside Playwright's loop
            flags = [*FLAGS, "--no-sandbox"]
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=flags)
            for name, (path, user) in sessions.items():
                print(json.dumps({"page": name, **weigh(browser, site, path, user, options)}), flush=True)
            browser.close()


if __name__ == "__main__":
    main()
