"""The site as it runs in production, as child processes: the full set-up, with proxies to cut, or the embedded one."""

import asyncio
import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import urllib.request
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from redis import Redis
from redis.exceptions import RedisError

from lab.crash.programs import Program, Proxy
from lab.site import ROOT
from tests.fixtures.postgres import new_cluster
from tests.fixtures.processes import free_port
from tests.fixtures.redis import command as redis_command

DATABASE = "postgres"
LONGEST_SWEEP = 90.0
"""The most seconds after a fault until deadlines are swept again."""
_SWEPT = "SELECT at FROM matches_heartbeat WHERE name = 'sweep'"


class Site:
    """What the harness needs of either set-up. `env`: for commands beside the servers, which no fault touches."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.webs: dict[str, int] = {}
        self.programs: dict[str, Program] = {}
        self.proxies: dict[str, Proxy] = {}
        self.env = {
            "PATH": os.environ["PATH"],
            "LOCAL": "1",
            "ACTION_RATE": "0",
            "LOG_LEVEL": "WARNING",
            "SECRET_KEY": "only-for-faults-" + "x" * 32,
            "DATA_DIR": str(folder / "data"),
        }

    async def start(self) -> None:
        """Start everything, and wait until it answers."""
        for proxy in self.proxies.values():
            await proxy.start()
        for program in self.programs.values():
            program.start()
            await program.until_ready(300)  # the embedded form migrates first

    async def keep_up(self) -> None:
        """Restart whatever ends by itself, until this is cancelled."""
        while True:
            for program in self.programs.values():
                program.start_if_dead()
            await asyncio.sleep(0.5)

    async def end(self) -> None:
        """Stop everything, in reverse order."""
        for program in reversed(self.programs.values()):
            await program.end()
        for proxy in self.proxies.values():
            await proxy.close()

    async def swept_after(self, since: float) -> float:
        """Wait for the next sweep of deadlines to end; return the seconds from `since` (Unix time of this machine)
        until then. Raises `TimeoutError`."""
        async with asyncio.timeout(LONGEST_SWEEP):
            while (swept := await asyncio.to_thread(self._swept)) < since:
                await asyncio.sleep(0.2)
        return swept - since

    def _swept(self) -> float:
        """When the last sweep ended; 0 if that cannot be read."""
        raise NotImplementedError

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run one of the site's commands, whatever its exit status."""
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(command, cwd=ROOT, env=self.env, capture_output=True, text=True, check=False)

    def _program(self, name: str, command: list[str | Path], **options: Any) -> Program:
        program = Program(name, command, self.folder / f"{name}.log", **options)
        self.programs[name] = program
        return program


class EmbeddedSite(Site):
    """`manage.py serve` on SQLite."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        (folder / "data").mkdir()
        port = free_port()
        self.webs = {"site": port}
        command: list[str | Path] = [sys.executable, "manage.py", "serve", "--port", str(port)]
        self._program("site", command, ready=lambda: _answers(port), cwd=ROOT, env=self.env)

    @property
    def database(self) -> Path:
        return self.folder / "data" / "genius.sqlite3"

    def _swept(self) -> float:
        with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(self.database)) as connection:
            found = connection.execute(_SWEPT).fetchone()
            return datetime.fromisoformat(found[0]).replace(tzinfo=UTC).timestamp() if found else 0.0
        return 0.0


class FullSite(Site):
    """Two webs, a worker and beat, each with its own proxies to PostgreSQL and Redis."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        (folder / "data").mkdir()
        (folder / "postgres").mkdir()
        (folder / "redis").mkdir()
        folder.chmod(0o711)
        self._postgres, self._redis = free_port(), free_port()
        options = {"listen_addresses": "127.0.0.1", "port": str(self._postgres)}
        options |= {"fsync": "on", "full_page_writes": "on"}
        cluster = new_cluster(folder / "postgres", **options, max_wal_size="64MB")
        self.url = f"postgres://genius@127.0.0.1:{self._postgres}/{DATABASE}"
        # Commands own the tables; the programs have only a real site's rights.
        self.env["OWNER_DATABASE_URL"] = self.url
        self.env["DATABASE_URL"] = self._address_for_the_site(self._postgres)
        self._program(
            "postgres", cluster.command, ready=lambda: self._ask("SELECT 1") == 1, stop=signal.SIGINT, **cluster.user
        )
        self._program("redis", redis_command(self._redis, folder / "redis"), ready=self._has_redis)

    @staticmethod
    def _address_for_the_site(port: int) -> str:
        return f"postgres://genius_site@127.0.0.1:{port}/{DATABASE}"

    async def start(self) -> None:
        await super().start()
        if (done := self.manage("migrate")).returncode:
            raise SystemExit(done.stderr)
        celery: list[str | Path] = [sys.executable, "-m", "celery", "-A", "genius_site"]
        for web in ("web1", "web2"):
            port = self.webs[web] = free_port()
            daphne = ["daphne", "-v", "0", "-p", str(port), "genius_site.asgi:application"]
            await self._with_lines(web, [sys.executable, "-m", *daphne], lambda port=port: _answers(port))
        threads = [
            "worker",
            "--purge",
            "--without-gossip",
            "--without-mingle",
            "--pool",
            "threads",
            "--concurrency",
            "20",
            "--loglevel",
            "WARNING",
        ]
        await self._with_lines("worker", [*celery, *threads], lambda: True)
        schedule: list[str | Path] = ["beat", "--schedule", self.folder / "beat", "--pidfile=", "--loglevel", "WARNING"]
        await self._with_lines("beat", [*celery, *schedule], lambda: True)

    async def _with_lines(self, name: str, command: list[str | Path], ready: Any) -> None:
        """Start a program behind proxies to PostgreSQL and Redis; PostgreSQL knows its connections by its name."""
        ports = {}
        for server, target in (("postgres", self._postgres), ("redis", self._redis)):
            proxy = Proxy(free_port(), target)
            await proxy.start()
            self.proxies[f"{name}-{server}"] = proxy
            ports[server] = proxy.port
        env = {name: value for name, value in self.env.items() if name != "OWNER_DATABASE_URL"} | {
            "DATABASE_URL": self._address_for_the_site(ports["postgres"]),
            "REDIS_URL": f"redis://127.0.0.1:{ports['redis']}/0",
            "PGAPPNAME": name,
        }
        program = self._program(name, command, ready=ready, cwd=ROOT, env=env)
        program.start()
        await program.until_ready()

    def _ask(self, sql: str, *values: Any) -> Any:
        """The first column of the first row; None without a row, or if PostgreSQL does not answer."""
        with contextlib.suppress(psycopg.Error), psycopg.connect(self.url, connect_timeout=2) as connection:
            return next(iter(connection.execute(sql, values).fetchone() or ()), None)
        return None

    def _has_redis(self) -> bool:
        with contextlib.suppress(RedisError):
            return bool(Redis(port=self._redis, socket_timeout=1).ping())
        return False

    def _swept(self) -> float:
        found = self._ask(_SWEPT)
        return float(found.timestamp()) if found else 0.0

    def holds_a_lock(self, name: str) -> bool:
        """Whether a connection of that program is idle in a transaction and holds locks."""
        ask = """
            SELECT count(*) FROM pg_stat_activity
            WHERE application_name = %s AND state LIKE 'idle in transaction%%' AND backend_xid IS NOT NULL
        """
        return bool(self._ask(ask, name))


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/", timeout=2):
        return True
    return False
