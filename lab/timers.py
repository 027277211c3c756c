"""Measures how late deadlines pass with a sweep every second, and whether any is early: `python -m lab.timers`."""

import argparse
import json
import random
import time
from datetime import timedelta
from typing import Any

from lab.client import percentile
from lab.site import auction_game, embedded_server, enter


def schedule(count: int, within: float) -> list[Any]:
    """Make matches of bots that open, and end their pregame, at random times within `within` seconds."""
    from matches.demo.people import make_people
    from matches.models import clock
    from matches.services.creation import create_match
    from matches.services.hosting import publish
    from matches.services.joining import add_player

    game, host, made = auction_game(), make_people().host, []
    for number in range(count):
        config = {"pregame": round(random.uniform(1, within / 2), 3)}
        match = create_match(game.slug, f"Timer {number}", hosts=(host,), config=config)
        for _ in range(game.sizes.least):
            add_player(match, is_bot=True)
        publish(match, host, clock.now() + timedelta(seconds=2 + random.uniform(1, within / 2)))
        made.append(match)
    return made


def lateness(matches: list[Any]) -> list[float]:
    """Return the delay in seconds of each thing that the clock did."""
    from matches.models import Submission

    found = []
    for row in Submission.objects.filter(match__in=matches, actor="clock").select_related("match"):
        if row.match.opened_at is None:
            raise SystemExit("a match was acted on before it opened")
        found.append((row.received_at - row.match.opened_at - row.match_time).total_seconds())
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=30)
    options = parser.parse_args()
    with embedded_server() as site:
        enter(site.env)
        made = schedule(options.matches, options.seconds)
        time.sleep(options.seconds + 5)
        found = lateness(made)
        if len(found) != 2 * len(made):
            raise SystemExit(f"{2 * len(made)} things were due, {len(found)} were done")
        late = {"p50": percentile(found, 0.5), "p99": percentile(found, 0.99), "max": max(found)}
        figures = {f"late_{name}_ms": round(value * 1000) for name, value in late.items()}
        print(json.dumps({"timers": len(found), "early": sum(each < 0 for each in found), **figures}))


if __name__ == "__main__":
    main()
