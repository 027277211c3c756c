"""The full set-up as docker-compose.yml describes it, with real processes in place of containers."""

import contextlib
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.fixtures.answering import status_of
from tests.fixtures.migrated import template_on
from tests.fixtures.processes import free_port, running, wait_until
from tests.ops import compose

PROGRAMS = {"python": [], "daphne": ["-m", "daphne"], "celery": ["-m", "celery"]}


@dataclass(frozen=True)
class Deployment:
    """Where the site answers, the environment of its servers, and where its database is for the owner."""

    url: str
    environment: dict[str, str]
    owner_url: str

    def manage(self, *arguments: str) -> str:
        """Runs one management command beside the servers; its output comes back."""
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(
            command, cwd=compose.ROOT, env=self.as_owner, check=True, capture_output=True, text=True, timeout=120
        ).stdout

    @property
    def as_owner(self) -> dict[str, str]:
        """The environment of `migrate` and `backup`."""
        is_site = self.environment["DATABASE_URL"] == self.owner_url
        return self.environment if is_site else self.environment | {"OWNER_DATABASE_URL": self.owner_url}


@contextlib.contextmanager
def deployed(folder: Path, database_url: str, redis_url: str, *, only_web: bool = False) -> Iterator[Deployment]:
    """Brings a new database up to date, starts web, worker and beat with their own commands, waits until all is well.

    `only_web`: neither worker nor beat, on a database that is up to date already, which takes half as long.
    """
    port = free_port()
    with _new_database(database_url) as (own_url, site_url):
        environment = {
            "PATH": os.environ["PATH"],
            "SECRET_KEY": uuid.uuid4().hex * 2,
            "SITE_URL": f"http://127.0.0.1:{port}",
            "EMAIL_URL": "dummy://",
            "DATABASE_URL": own_url if only_web else site_url,
            "REDIS_URL": redis_url,
            "DATA_DIR": str(folder),
            "LOG_FORMAT": "json",
        }
        site = Deployment(environment["SITE_URL"], environment, own_url)
        commands = _commands(folder, port)
        site.manage("collectstatic", "--no-input")  # as when the image is built
        migrate = commands.pop("migrate")
        if only_web:
            commands = {"web": commands["web"]}
        else:
            subprocess.run(migrate, cwd=compose.ROOT, env=site.as_owner, check=True, capture_output=True)
        with contextlib.ExitStack() as stack:
            logs = {name: folder / f"{name}.log" for name in commands}
            started = {
                name: stack.enter_context(running(command, log=logs[name], cwd=compose.ROOT, env=environment))
                for name, command in commands.items()
            }
            try:
                ready = answers if only_web else healthy
                wait_until(lambda: ready(site.url), started["web"], logs["web"], seconds=60)
            except RuntimeError as error:
                words = "\n".join(f"--- {name}\n{log.read_text()[-2000:]}" for name, log in logs.items())
                raise RuntimeError(f"{error}\n{words}") from None
            yield site


def healthy(url: str) -> bool:
    """Whether /healthz says that database, channel layer and the last sweep are well."""
    return status_of(f"{url}/healthz") == 200


def answers(url: str) -> bool:
    """Whether the web process serves pages."""
    return status_of(url) == 200


def _commands(folder: Path, port: int) -> dict[str, list[str | Path]]:
    """What compose runs in each container of ours, with this machine's Python, port and folder."""
    given = dict.fromkeys(compose.ASKED_FOR, "x")
    services = compose.load(given)["services"]
    here = {"0.0.0.0": "127.0.0.1", "8000": str(port)}  # noqa: S104
    commands: dict[str, list[str | Path]] = {}
    for name in ("migrate", "web", "worker", "beat"):
        program, *arguments = services[name]["command"]
        arguments = [here.get(word, word).replace("/data/", f"{folder}/") for word in arguments]
        commands[name] = [sys.executable, *PROGRAMS[program], *arguments]
    return commands


@contextlib.contextmanager
def _new_database(url: str) -> Iterator[tuple[str, str]]:
    """The addresses of a database on the server of `url` in which nothing has happened yet: for its owner, and for a
    role of the site, which `migrate` makes."""
    name, role = f"deployment_{uuid.uuid4().hex[:12]}", f"site_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name} TEMPLATE {template_on(url)}")
        try:
            of_owner = urlsplit(url)._replace(path=f"/{name}")
            address = of_owner.netloc.rpartition("@")[2]
            yield of_owner.geturl(), of_owner._replace(netloc=f"{role}:{role}@{address}").geturl()
        finally:
            server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            server.execute(f"DROP ROLE IF EXISTS {role}")
