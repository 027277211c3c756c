"""What attackers do to the web process with connections: `python -m lab.attack`.

On one server of its own without a proxy in front, one after another: half-sent headers, half-sent bodies, and many
quiet live pages; how large the process becomes, and how long somebody else waits for an answer meanwhile.
"""

from __future__ import annotations

import argparse
import json
import resource
import selectors
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.request import urlopen

from lab.games import auction_game
from lab.site import Site, embedded_server

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


def slow(site: Site, number: int, words: bytes, seconds: float) -> dict[str, Any]:
    """So many who send one byte every second and never come to an end."""
    with crowd(site) as attackers:
        attackers.come(number, words)
        begun, most, waited = time.monotonic(), 0, 0.0
        ended = None
        while time.monotonic() - begun < seconds:
            attackers.listen(1)
            attackers.drip()
            most = max(most, site.resident_kib())
            asked = time.monotonic()
            urlopen(f"http://127.0.0.1:{site.port}/api/v1/", timeout=20).close()
            waited = max(waited, time.monotonic() - asked)
            if ended is None and not attackers.open:
                ended = round(time.monotonic() - begun)
        return {
            "came": len(attackers.lines),
            "open_at_the_end": attackers.open,
            "all_cut_after_s": ended,
            "others_waited_ms": round(waited * 1000),
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


def main() -> None:
    """Attack, and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slow", type=int, default=600, help="half-sent requests")
    parser.add_argument("--sockets", type=int, default=2000)
    parser.add_argument("--only", choices=["headers", "bodies", "sockets"], default="")
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    attacks: dict[str, Callable[[Site], dict[str, Any]]] = {
        "headers": lambda site: slow(site, options.slow, HEAD, 25),
        "bodies": lambda site: slow(site, options.slow, BODY, 40),
        "sockets": lambda site: quiet(site, options.sockets),
    }
    with embedded_server(SECURE_PROXY="1", SOCKETS_PER_ADDRESS="5000") as site:
        for name, attack in attacks.items():
            if options.only in ("", name):
                print(json.dumps({"attack": name, **attack(site)}), flush=True)


if __name__ == "__main__":
    main()
