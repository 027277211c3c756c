"""Measures what half-sent requests do to the web process: `python -m lab.attack`.

Many connections to a server without a proxy in front send a byte a second and never end. Reports how large the process
becomes, and how long somebody else waits for an answer meanwhile. Live pages: `lab.sockets`.
"""

import argparse
import asyncio
import json
import resource
import time
from typing import Any

from lab.site import Site, embedded_server

HEAD = b"POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
BODY = HEAD + b"Content-Type: text/plain\r\nContent-Length: 1000\r\n\r\nhalf"


async def attacker(port: int, words: bytes, seconds: float) -> bool:
    """Send one request slowly; return whether the site kept the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        end = time.monotonic() + seconds
        while time.monotonic() < end and not reader.at_eof():
            writer.write(words)
            words = b"a"
            await asyncio.sleep(1)
        return not reader.at_eof()
    finally:
        writer.transport.abort()


async def attack(site: Site, number: int, words: bytes, seconds: float) -> dict[str, Any]:
    """Run this many attackers for this long."""
    tasks = [asyncio.create_task(attacker(site.port, words, seconds)) for _ in range(number)]
    largest, waited = 0, 0.0
    while not all(task.done() for task in tasks):
        largest, asked = max(largest, site.resident_kib()), time.monotonic()
        await asyncio.to_thread(site.get, "/api/v1/")
        waited = max(waited, time.monotonic() - asked)
        await asyncio.sleep(1)
    stayed = await asyncio.gather(*tasks, return_exceptions=True)
    return {
        "open_at_the_end": sum(each is True for each in stayed),
        "others_waited_ms": round(waited * 1000),
        "site_mib": largest // 1024,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slow", type=int, default=600, help="half-sent requests")
    parser.add_argument("--seconds", type=float, default=30)
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    with embedded_server() as site:
        for name, words in (("headers", HEAD), ("bodies", BODY)):
            found = asyncio.run(attack(site, options.slow, words, options.seconds))
            print(json.dumps({"attack": name, **found}), flush=True)


if __name__ == "__main__":
    main()
