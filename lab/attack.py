"""What attackers do to the web process with connections: `python -m lab.attack`.

On one server of its own, one after another: half-sent headers, half-sent bodies, many quiet live pages, and more
connections than the system allows the process files for, while deadlines of matches pass. All connections come from
one address, as if a proxy stood in front (`SECURE_PROXY`), so that the limit for one address does not hide the others.
"""

from __future__ import annotations

import argparse
import json
import resource
import selectors
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any
from urllib.request import Request, urlopen

from lab.client import percentile
from lab.games import auction_game
from lab.inside import enter
from lab.site import Site, embedded_server
from lab.timers import lateness, schedule

HEAD = b"POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
BODY = HEAD + b"Content-Type: text/plain\r\nContent-Length: 1000\r\n\r\nhalf"
UPGRADE = (
    "GET /ws/matches/{match}/?format=html HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
    "Upgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
    "X-Forwarded-Proto: http\r\n\r\n"
)


class Crowd:
    """Connections to the site; which of them it has closed, and what it said."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._selector = selectors.DefaultSelector()
        self.lines: dict[socket.socket, bytes] = {}
        self.refused = 0

    def come(self, number: int, words: bytes) -> None:
        """So many more, each of which says this."""
        for _ in range(number):
            line = socket.socket()
            line.settimeout(5)
            try:
                line.connect(("127.0.0.1", self._port))
                line.sendall(words)
            except OSError:
                self.refused += 1
                line.close()
                continue
            line.setblocking(False)
            self.lines[line] = b""
            self._selector.register(line, selectors.EVENT_READ)

    def drip(self) -> None:
        """One more byte from each."""
        for line in list(self.lines):
            with suppress(OSError):
                line.send(b"a")

    def listen(self, seconds: float) -> None:
        """Take what comes for so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            for key, _ in self._selector.select(min(left, 0.2)):
                self._hear(key.fileobj)

    def _hear(self, line: Any) -> None:
        try:
            data = line.recv(65536)
        except OSError:
            data = b""
        self.lines[line] += data
        if not data:
            self._selector.unregister(line)
            line.close()

    @property
    def open(self) -> int:
        return sum(line.fileno() >= 0 for line in self.lines)

    @property
    def let_in(self) -> int:
        """How many are there and were not turned away."""
        return sum(line.fileno() >= 0 and not said.startswith(b"HTTP/1.1 503") for line, said in self.lines.items())

    def answered(self, status: int) -> int:
        """How many heard this status."""
        return sum(said.startswith(b"HTTP/1.1 %d" % status) for said in self.lines.values())

    def leave(self) -> None:
        for line in self.lines:
            line.close()
        self._selector.close()


@contextmanager
def crowd(site: Site) -> Iterator[Crowd]:
    found = Crowd(site.port)
    try:
        yield found
    finally:
        found.leave()


def health(site: Site) -> dict[str, Any]:
    """What the site says of itself, while it is under attack: `sweep` among it. Empty if it does not answer."""
    try:
        with urlopen(Request(f"http://127.0.0.1:{site.port}/healthz"), timeout=10) as answer:
            found: dict[str, Any] = json.load(answer)
    except OSError:
        return {}
    return found


def slow(site: Site, number: int, words: bytes, seconds: float) -> dict[str, Any]:
    """So many who send one byte every second and never come to an end."""
    with crowd(site) as attackers:
        attackers.come(number, words)
        begun, most = time.monotonic(), 0
        ended = None
        while time.monotonic() - begun < seconds:
            attackers.listen(1)
            attackers.drip()
            most = max(most, site.resident_kib())
            if ended is None and not attackers.open:
                ended = round(time.monotonic() - begun)
        return {
            "came": len(attackers.lines),
            "open_at_the_end": attackers.open,
            "all_cut_after_s": ended,
            "answered_408": attackers.answered(408),
            "site_mib": most // 1024,
        }


def quiet(site: Site, number: int) -> dict[str, Any]:
    """So many live pages that are only open."""
    match = site.make_matches(auction_game().slug, 1, 8)[0]["id"]
    words = UPGRADE.format(port=site.port, match=match).encode()
    with crowd(site) as first:
        first.come(20, words)  # what the first ones cost is paid once
        first.listen(3)
    before = site.resident_kib()
    with crowd(site) as pages:
        for _ in range(0, number, 100):
            pages.come(100, words)
            pages.listen(1)
        for _ in range(30):
            if pages.answered(101) >= len(pages.lines):
                break
            pages.listen(1)
        more = site.resident_kib() - before
        opened = pages.answered(101)
        return {
            "opened": opened,
            "open": pages.open,
            "kib_each": round(more / max(opened, 1), 1),
            "site_mib": site.resident_kib() // 1024,
        }


def crowded(site: Site, number: int, seconds: float = 14) -> dict[str, Any]:
    """More connections than there are files for, and whoever is turned away comes again each second; whether the site
    still answers some, still sweeps, and how late the deadlines are that pass meanwhile."""
    enter(site)
    matches = schedule(20, seconds - 4)
    with crowd(site) as visitors:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            visitors.come(number - visitors.let_in, b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            visitors.listen(1)
        late = lateness(matches)
        found = {
            "came": len(visitors.lines),
            "answered_503": visitors.answered(503),
            "hung_up_on": sum(not said for line, said in visitors.lines.items() if line.fileno() < 0),
            "waiting": sum(not said for line, said in visitors.lines.items() if line.fileno() >= 0),
            "site_mib": site.resident_kib() // 1024,
            "deadlines": f"{len(late)} of {2 * len(matches)}",
            "early": sum(each < 0 for each in late),
            "late_p50_ms": round(percentile(late, 0.5) * 1000),
            "late_max_ms": round(max(late) * 1000),
        }
    time.sleep(3)
    return found | {"health_afterwards": health(site)}


@contextmanager
def few_files(number: int) -> Iterator[None]:
    """A process that is started inside may open no more files than this."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (number, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def main() -> None:
    """Attack, and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", choices=["daphne", "uvicorn"], default="daphne")
    parser.add_argument("--slow", type=int, default=600, help="half-sent requests")
    parser.add_argument("--sockets", type=int, default=2000)
    parser.add_argument("--files", type=int, default=256, help="the limit of open files in the last attack")
    parser.add_argument("--only", choices=["headers", "bodies", "sockets", "files"], default="")
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    variables = {"SERVER": options.server, "SECURE_PROXY": "1", "SOCKETS_PER_ADDRESS": "5000"}

    def tell(name: str, found: dict[str, Any]) -> None:
        print(json.dumps({"server": options.server, "attack": name, **found}), flush=True)

    def wanted(*names: str) -> bool:
        return options.only in ("", *names)

    if wanted("headers", "bodies", "sockets"):
        with embedded_server(MOST_CONNECTIONS="2500", **variables) as site:
            if wanted("headers"):
                tell("headers", slow(site, options.slow, HEAD, 25))
            if wanted("bodies"):
                tell("bodies", slow(site, options.slow, BODY, 40))
            if wanted("sockets"):
                tell("sockets", quiet(site, options.sockets))
    if wanted("files"):
        with ExitStack() as stack:
            with few_files(options.files):
                site = stack.enter_context(embedded_server(**variables))
            tell("files", crowded(site, 2 * options.files))


if __name__ == "__main__":
    main()
