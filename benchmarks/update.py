"""An update while people play: `python -m benchmarks.update COMMIT`, from the program of that commit to this one, or,
with `--back`, from this one to that.

The full set-up (PostgreSQL, Redis), as docs/running.md says: migrations, worker and beat, then a new web process beside
the old one, which is told to stop. Pages are open all the time, and players bid; whoever gets no answer asks the other
process with the same key. All that was answered must be in the log and on every page, and `verify` must find nothing.
Back it is the same without migrations: the older program goes on with the newer database.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.client import Connection, Table
from benchmarks.crowd import Crowd, Endpoint, run
from benchmarks.games import auction_game
from benchmarks.site import ROOT, Site, full_set_up, wait_for
from benchmarks.storm import Page, all_show
from tests.fixtures.processes import free_port

_SECONDS = 8.0
"""How long each part lasts, at least."""


class Players:
    """Bid one after the other, at one process and then at the other; nobody gives up."""

    def __init__(self, table: Table) -> None:
        self.table, self.ports = table, list[int]()
        self.receipts = list[str]()
        self.version, self.longest = 0, 0.0
        self.answers: Counter[str] = Counter()
        self._lines = dict[int, Connection]()
        self._number = 0

    async def play(self) -> None:
        while True:
            token, action = self.table.bid()
            begun, number = perf_counter(), self._number
            while not await self._is_answered(token, action, f"bid-{number}"):
                await asyncio.sleep(0.1)
            self.longest = max(self.longest, perf_counter() - begun)
            await asyncio.sleep(0.05)

    async def _is_answered(self, token: str, action: dict[str, Any], key: str) -> bool:
        self._number += 1
        port = self.ports[self._number % len(self.ports)]
        line = self._lines.setdefault(port, Connection(port))
        try:
            status, answer = await line.post(self.table.path, token, action, key)
        except (OSError, EOFError):
            line.abandon()
            self.answers["none"] += 1
            return False
        self.answers[str(status)] += 1
        if status in (429, 503):
            return False
        if status != 200:
            raise SystemExit(f"refused: {status} {answer}")
        self.receipts.append(answer["receipt"]["hash"])
        self.version = max(self.version, int(answer["versions"]["public"]))
        return True


class Update:
    """The parts of an update, with what was seen in each."""

    def __init__(
        self, site: Site, root: Path, made: dict[str, Any], stack: ExitStack, options: argparse.Namespace
    ) -> None:
        self._site, self._root, self._stack = site, root, stack
        self._table = Table(made, site.get(f"/api/v1/matches/{made['id']}/"))
        self._players, crowd, self._new = Players(self._table), Crowd(), free_port()
        path = f"/ws/matches/{self._table.id}/?format={options.format}"
        old, new = Endpoint(site.port, path), Endpoint(self._new, path)
        self._pages = [Page(crowd, old, new) for _ in range(options.pages)]
        self._new_pages = [Page(crowd, new) for _ in range(options.pages // 10)]
        self._tasks = list[asyncio.Task[None]]()
        self.found = dict[str, Any]()

    async def run(self, *, migrates: bool) -> None:
        """All parts, one after the other."""
        players = self._players
        players.ports = [self._site.port]
        await self._open(self._pages)
        playing = asyncio.create_task(players.play())
        try:
            await self._part("before", asyncio.sleep(0))
            if migrates:
                await self._part("migrations", self._migrate())
            await self._part("worker_and_beat", self._replace_tasks())
            await self._part("beside", self._beside())
            await self._part("alone", self._end_old())
        finally:
            playing.cancel()
            for task in self._tasks:
                task.cancel()
        if playing.done() and not playing.cancelled():
            playing.result()

    async def _open(self, pages: list[Page]) -> None:
        self._tasks += [asyncio.create_task(page.stay()) for page in pages]
        await all_show(pages, 0)

    async def _part(self, name: str, work: Any) -> None:
        """Do it while people play on; then all pages have to have what was answered by then."""
        players = self._players
        players.answers, players.longest, begun = Counter(), 0.0, perf_counter()
        await work
        await asyncio.sleep(max(0.0, _SECONDS - (perf_counter() - begun)))
        version, asked = players.version, perf_counter()
        await all_show([*self._pages, *(page for page in self._new_pages if page.tab)], version)
        self.found[name] = {
            "answers": dict(players.answers),
            "longest_s": round(players.longest, 2),
            "pages_whole_after_s": round(perf_counter() - asked, 2),
        }
        print(json.dumps({name: self.found[name]}), flush=True)

    async def _migrate(self) -> None:
        command = [sys.executable, "manage.py", "migrate"]
        await asyncio.to_thread(
            subprocess.run, command, cwd=self._root, env=self._site.env, check=True, stdout=subprocess.DEVNULL
        )

    async def _replace_tasks(self) -> None:
        for pid in self._site.tasks:
            os.kill(pid, signal.SIGTERM)
        celery, folder = ("-m", "celery", "-A", "genius_site"), self._site.env["DATA_DIR"]
        self._start(*celery, "worker", "--pool", "threads", "--concurrency", "4", "--loglevel", "ERROR")
        self._start(*celery, "beat", "--schedule", f"{folder}/new-beat", "--pidfile=", "--loglevel", "ERROR")

    async def _beside(self) -> None:
        self._start("-m", "genius_site.web", "--port", str(self._new))
        await asyncio.to_thread(wait_for, self._new)
        await self._open(self._new_pages)
        self._players.ports = [self._site.port, self._new]

    async def _end_old(self) -> None:
        os.kill(self._site.pid, signal.SIGTERM)
        begun = perf_counter()
        await asyncio.to_thread(os.waitid, os.P_PID, self._site.pid, os.WEXITED | os.WNOWAIT)
        self._players.ports = [self._new]
        await all_show(self._pages, self._players.version)
        self.found["all_pages_back_after_s"] = round(perf_counter() - begun, 1)
        self.found["tries_failed"] = sum(page.failed for page in self._pages)

    def _start(self, *command: str) -> None:
        process = subprocess.Popen([sys.executable, *command], cwd=self._root, env=self._site.env)
        self._stack.callback(process.wait, 20)
        self._stack.callback(process.terminate)

    def judge(self) -> dict[str, Any]:
        """Whether all that was answered is in the log, by this program."""
        script = "import json; from matches.models import Submission; print(json.dumps(list("
        script += "Submission.objects.filter(accepted=True).values_list('receipt_hash', flat=True))))"
        stored = json.loads(self._manage("shell", "--no-imports", "-c", script))
        lost = [each for each in self._players.receipts if each not in set(stored)]
        verified = self._manage("verify").strip().splitlines()
        return {"answered": len(self._players.receipts), "lost": len(lost), "verify": verified}

    def _manage(self, *arguments: str) -> str:
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(command, cwd=ROOT, env=self._site.env, capture_output=True, text=True, check=True).stdout


def program_of(commit: str, folder: Path) -> Path:
    """The files of that commit, in this folder."""
    packed = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed, check=True)
    return folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", help="the program before, such as HEAD~60")
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--format", choices=("json", "html"), default="html")
    parser.add_argument("--back", action="store_true", help="from this program to that one")
    options = parser.parse_args()
    variables = {"SOCKETS_PER_ADDRESS": "100000", "MOST_CONNECTIONS": "100000"}
    with tempfile.TemporaryDirectory(prefix="genius-before-") as folder:
        older = program_of(options.commit, Path(folder))
        before, after = (ROOT, older) if options.back else (older, ROOT)
        with full_set_up(1, before, **variables) as site, ExitStack() as stack:
            (match,) = site.make_matches(auction_game().slug, 1, 8)

            async def go() -> dict[str, Any]:
                update = Update(site, after, match, stack, options)
                await update.run(migrates=not options.back)
                return {**update.found, **update.judge()}

            print(json.dumps({"commit": options.commit, "back": options.back, "pages": options.pages, **run(go())}))


if __name__ == "__main__":
    main()
