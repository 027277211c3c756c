"""Backups during writes, restored and verified: `python -m benchmarks.restores` (`make restore-test`).

A program bids all the time and writes down every receipt that it gets. Each round makes a backup with `manage.py
backup`, restores it into an empty place with `manage.py restore` (which plays every log again), and looks for each
receipt that was there when the backup began. Exit status 1 if one is missing.

On SQLite it also copies the file as it lies there, without the file beside it, and tells how many answered bids such a
copy lacks: that is why there is a command.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.client import Connection, Table
from benchmarks.games import auction_game
from benchmarks.site import ROOT, Site, running_site

_RECEIPTS = "SELECT receipt_hash FROM matches_submission"


class Bidder(threading.Thread):
    """Bids so many times a second, and keeps the hash of every receipt."""

    def __init__(self, port: int, tables: list[Table], rate: float) -> None:
        super().__init__(daemon=True)
        self._port, self._tables, self._pause = port, tables, 1 / rate
        self.receipts: list[str] = []
        self.refused = 0
        self.stop = threading.Event()

    def run(self) -> None:
        asyncio.run(self._bid())

    async def _bid(self) -> None:
        connection = Connection(self._port)
        while not self.stop.is_set():
            for table in self._tables:
                token, action = table.bid()
                status, answer = await connection.post(table.path, token, action)
                if status == 200:
                    self.receipts.append(answer["receipt"]["hash"])
                else:
                    self.refused += 1
                await asyncio.sleep(self._pause)
        await connection.close()


def manage(env: dict[str, str], *arguments: str) -> str:
    """One management command; its output."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"manage.py {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def restored(site: Site, file: str, number: int) -> tuple[set[str], float]:
    """The receipts in a backup, read where it was restored to, and how many seconds that took."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="genius-restored-") as folder:
        if url := site.env.get("DATABASE_URL"):
            import psycopg

            url = urlsplit(url)._replace(path=f"/restored_{number}").geturl()
            manage({**site.env, "DATABASE_URL": url}, "restore", file)
            took = time.perf_counter() - start
            with psycopg.connect(url) as server:
                return {row[0] for row in server.execute(_RECEIPTS)}, took
        manage({**site.env, "DATA_DIR": folder}, "restore", file)
        took = time.perf_counter() - start
        return _in_file(Path(folder) / "genius.sqlite3"), took


def plain_copy(site: Site, folder: Path) -> set[str] | None:
    """The receipts in a plain copy of the database file; None on PostgreSQL."""
    if "DATABASE_URL" in site.env:
        return None
    copy = folder / "plain.sqlite3"
    shutil.copyfile(Path(site.env["DATA_DIR"]) / "genius.sqlite3", copy)
    return _in_file(copy)


def _in_file(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as database:
        return {row[0] for row in database.execute(_RECEIPTS)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--rate", type=float, default=50, help="bids a second")
    options = parser.parse_args()
    lost, lost_by_copy, made, seconds = 0, [], [], []
    with running_site(options.database) as site, tempfile.TemporaryDirectory(prefix="genius-backups-") as name:
        tables = [
            Table(match, site.get(f"/api/v1/matches/{match['id']}/"))
            for match in site.make_matches(auction_game().slug, 4, 6)
        ]
        bidder = Bidder(site.port, tables, options.rate)
        bidder.start()
        for number in range(options.rounds):
            before = len(bidder.receipts)
            copied = plain_copy(site, Path(name))
            start = time.perf_counter()
            file = manage(site.env, "backup", name, "--keep", "3").split("  ")[0]
            made.append(time.perf_counter() - start)
            answered = bidder.receipts[:before]
            found, took = restored(site, file, number)
            seconds.append(took)
            lost += len(set(answered) - found)
            if copied is not None:
                lost_by_copy.append(len(set(answered) - copied))
            print(f"round {number + 1}: {len(answered)} answered before, {lost} lost", file=sys.stderr)
        bidder.stop.set()
        bidder.join(10)
    result = {
        "rounds": options.rounds,
        "answered": len(bidder.receipts),
        "refused": bidder.refused,
        "lost": lost,
        "lost_by_plain_copy": lost_by_copy,
        "backup_seconds": round(max(made), 1),
        "restore_seconds": round(max(seconds), 1),
    }
    print(json.dumps(result))
    if lost or not bidder.receipts:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
