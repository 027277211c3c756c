"""What the outbox costs a bid, and what passing it on costs: `python -m benchmarks.outbox [--rounds 60]`.

Bids are written by the group writer in this thread, 16 matches in one transaction, in turn with the outbox and without
it (its statement left out), so that both have the same machine. Every second bid outbids somebody.
"""

from __future__ import annotations

import argparse
import json
import time
from statistics import median
from typing import Any
from unittest.mock import patch

from benchmarks.games import auction_game
from benchmarks.inside import enter
from benchmarks.site import embedded_server

_TOGETHER = 16


def measure(made: list[dict[str, Any]], rounds: int) -> dict[str, Any]:
    """Microseconds for a bid of CPU and of time, with and without the outbox, and those for passing a row on."""
    from accounts.models import User
    from matches.models import Match, OutboxRow
    from matches.queries.matches import Position
    from matches.services.group.asks import Ask
    from matches.services.group.batch import together
    from matches.services.group.memory import Memory
    from matches.services.storage import many
    from notices.services.passing_on import pass_on

    public: Any = Position(Match.objects.get(public_id=made[0]["id"])).public
    seats = [seat.seat for row in public.board for seat in row]
    ids = dict(Match.objects.values_list("public_id", "pk"))
    users = dict(User.objects.values_list("username", "pk"))
    memory, upsert = Memory(), many.upsert

    def without_outbox(model: Any, rows: Any, by: Any) -> None:
        if model is not OutboxRow:
            upsert(model, rows, by)

    def write(number: int) -> None:
        place, bidder = number // 2 % len(seats), number % len(made[0]["players"])
        bid = {"type": "bid", "seat": seats[place], "amount": number + 1}
        asks = [Ask(ids[match["id"]], users[match["players"][bidder]["username"]], bid) for match in made]
        for outcome in together(asks, memory):
            assert getattr(outcome, "accepted", False), outcome

    pass_on()
    cpu: dict[str, list[float]] = {"with": [], "without": []}
    wall: dict[str, list[float]] = {"with": [], "without": []}
    for number in range(2 * rounds):
        # Two rounds each, so that both have as many bids that outbid somebody.
        kind = "with" if number // 2 % 2 else "without"
        with patch.object(many, "upsert", upsert if kind == "with" else without_outbox):
            begun, used = time.perf_counter(), time.thread_time()
            write(number)
            cpu[kind].append((time.thread_time() - used) / _TOGETHER * 1e6)
            wall[kind].append((time.perf_counter() - begun) / _TOGETHER * 1e6)
    begun = time.thread_time()
    passed = pass_on()
    return {
        "cpu_us_per_bid": {kind: round(median(values)) for kind, values in cpu.items()},
        "us_per_bid": {kind: round(median(values)) for kind, values in wall.items()},
        "outbox_rows": passed,
        "cpu_us_per_row_passed_on": round((time.thread_time() - begun) / max(passed, 1) * 1e6),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=60)
    options = parser.parse_args()
    # Its own tasks would empty the outbox meanwhile: the server is stopped as soon as there are matches.
    with embedded_server() as site:
        made = site.make_matches(auction_game().slug, _TOGETHER, 8)
        enter(site)
        import os
        import signal

        os.kill(site.pid, signal.SIGSTOP)
        try:
            print(json.dumps(measure(made, options.rounds)))
        finally:
            os.kill(site.pid, signal.SIGCONT)


if __name__ == "__main__":
    main()
