"""What counting costs: `python -m benchmarks.metrics`. It counts for one bid what the site does, many times.

A bid is counted as a request, as an action, and with its share of a commit; with a page open, as a push.
"""

from __future__ import annotations

import asyncio
import json
import os
import timeit
from time import process_time

os.environ.setdefault("LOCAL", "1")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "genius_site.settings")

import django

django.setup()

from genius_site.probes.requests import Counted  # noqa: E402
from matches.infra import metrics  # noqa: E402

_SCOPE = {"type": "http", "path": "/api/v1/matches/abcdefgh/actions/"}
_MESSAGES = ({"type": "http.response.start", "status": 200}, {"type": "http.response.body", "body": b""})


async def _site(scope: object, receive: object, send: object) -> None:
    for message in _MESSAGES:
        await send(message)  # type: ignore[operator]


async def _send(message: object) -> None:
    pass


def _counted() -> None:
    with metrics.COMMITS_TOGETHER.time():
        pass
    metrics.judged(True, way="together")
    metrics.PUSHES.observe(0.01)


async def _seconds(times: int) -> tuple[float, float]:
    counted = Counted(_site)
    found = []
    for app in (_site, counted):
        start = process_time()
        for _ in range(times):
            await app(_SCOPE, None, _send)
        found.append(process_time() - start)
    return found[0], found[1]


def main() -> None:
    times = 50_000
    plain, counted = min(asyncio.run(_seconds(times)) for _ in range(3))
    inside = min(timeit.repeat(_counted, timer=process_time, number=times, repeat=3))
    figures = {"request_us": (counted - plain) / times * 1e6, "action_commit_push_us": inside / times * 1e6}
    print(json.dumps({name: round(value, 1) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
