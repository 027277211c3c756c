"""Processes whose own clocks are wrong must close nothing early: `python -m benchmarks.skew GAME`.

Some processes on one PostgreSQL, each with its own clock wrong by as much as `--ahead` says, bring matches up to now in
every way there is, over and over: pages, single actions, groups of actions, and the sweep. A trigger of the database
notes when each row of a log was really written; a deadline is early if its row was written before it. With `--steps 5`
each of these clocks is set every five seconds, from ahead to behind and back, while its process runs. With
`--own-clock` the processes go by their own clocks, which must show early ones: so the figure can fail.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
AHEADS = (120.0, -120.0, 0.0)

TRIGGER = """
CREATE TABLE really (submission bigint PRIMARY KEY, at timestamptz NOT NULL);
CREATE FUNCTION note_time() RETURNS trigger AS $$
BEGIN INSERT INTO really VALUES (NEW.id, clock_timestamp()); RETURN NEW; END $$ LANGUAGE plpgsql;
CREATE TRIGGER note_time AFTER INSERT ON matches_submission FOR EACH ROW EXECUTE FUNCTION note_time();
"""
EARLY = """
SELECT count(*), count(*) FILTER (WHERE really.at < begun.opened_at + row.match_time) FROM matches_submission row
JOIN really ON really.submission = row.id JOIN matches_match begun ON begun.id = row.match_id
WHERE row.kind = 'deadline'
"""


def enter() -> None:
    """Make this process one of the site."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "genius_site.settings")
    import django

    django.setup()


def prepare(slug: str, count: int, config: Any) -> None:
    """Drafts, and what notes the time."""
    from django.db import connection

    from matches.demo.people import make_people
    from matches.games import registry
    from matches.services.creation import create_match
    from matches.services.joining import add_player

    host, least = make_people().host, registry.all_games()[slug].sizes.least
    with connection.cursor() as cursor:
        cursor.execute(TRIGGER)
    for number in range(count):
        match = create_match(slug, f"Skew {number}", hosts=(host,), config=config)
        for _ in range(least):
            add_player(match, is_bot=True)


def publish_all() -> None:
    """Let all begin, one after the other."""
    from matches.models import Match
    from matches.services.hosting import publish

    for match in Match.objects.order_by("pk"):
        publish(match, match.hosts.get())


def work(ahead: float, stop: Path, *, own_clock: bool, steps: float) -> None:
    """What a process with a wrong clock does until there is a file `stop`. The clock is set to the other side of the
    right time every `steps` seconds; 0: never."""
    from matches.infra import database_time
    from matches.models import Match, clock
    from matches.services.deadlines import advance, advance_if_due, sweep
    from matches.services.errors import Refused

    def own() -> datetime:
        turned = steps and int(time.monotonic() / steps) % 2
        return datetime.now(UTC) + timedelta(seconds=-ahead if turned else ahead)

    database_time.own = own
    if own_clock:
        clock.now_from = lambda instant: database_time.own()
        clock.now = clock.ask = lambda **_: database_time.own()
        clock.is_skewed = lambda: False
    ids = list(Match.objects.values_list("pk", flat=True))
    ways: list[Any] = [lambda pk: advance_if_due(Match.objects.get(pk=pk)), advance, lambda pk: sweep()]
    while not stop.exists():
        with contextlib.suppress(Refused):
            random.choices(ways, (6, 3, 1))[0](random.choice(ids))


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Deadlines that passed, and how many of them early."""
    from tests.fixtures.postgres import postgres

    with tempfile.TemporaryDirectory(prefix="genius-skew-") as folder, postgres() as database:
        env = {**os.environ, "DATA_DIR": folder, "LOCAL": "1", "LOG_LEVEL": "ERROR", "DATABASE_URL": database}
        subprocess.run(
            [sys.executable, "manage.py", "migrate"], cwd=ROOT, env=env, check=True, stdout=subprocess.DEVNULL
        )

        def step(name: str, *arguments: str) -> list[str]:
            return [sys.executable, "-m", "benchmarks.skew", options.game, "--step", name, *arguments]

        subprocess.run(
            step("prepare", f"--matches={options.matches}", f"--config={options.config}"), env=env, check=True
        )
        how = [*(["--own-clock"] if options.own_clock else []), f"--steps={options.steps}"]
        stop = Path(folder) / "stop"
        workers = [
            subprocess.Popen(step("work", f"--ahead={ahead}", f"--stop={stop}", *how), env=env)
            for ahead in options.ahead or AHEADS
        ]
        try:
            subprocess.run(step("publish"), env=env, check=True)
            time.sleep(options.seconds)
        finally:
            stop.touch()
            ended = [worker.wait() for worker in workers]
        if any(ended):
            raise SystemExit("a process failed")
        told = subprocess.run(step("count"), env=env, check=True, capture_output=True, text=True)
        found: dict[str, Any] = json.loads(told.stdout)
        return found


def count() -> dict[str, int]:
    """What the trigger noted."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(EARLY)
        passed, early = cursor.fetchone()
    return {"passed": passed, "early": early}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", help="a match type")
    parser.add_argument("--config", default="{}", help="its settings as JSON, with rounds of seconds")
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--ahead", type=float, action="append", help="seconds; once for each process")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long the matches take")
    parser.add_argument("--steps", type=float, default=0.0, help="seconds after which each clock is set; 0: never")
    parser.add_argument("--stop", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--own-clock", action="store_true")
    parser.add_argument("--step", choices=["prepare", "publish", "work", "count"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step is None:
        print(json.dumps(run(options)))
        return
    enter()
    if options.step == "prepare":
        prepare(options.game, options.matches, json.loads(options.config))
    elif options.step == "publish":
        publish_all()
    elif options.step == "work":
        work(options.ahead[0], options.stop, own_clock=options.own_clock, steps=options.steps)
    else:
        print(json.dumps(count()))


if __name__ == "__main__":
    main()
