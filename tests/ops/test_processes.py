"""Web, worker and beat as three processes on PostgreSQL and Redis, started by the commands of docker-compose.yml."""

import json
import os
import subprocess
import sys
import urllib.request
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.errors import InsufficientPrivilege
from redis import Redis
from redis.exceptions import NoPermissionError
from websockets import Origin
from websockets.sync.client import ClientConnection, connect

from genius_site import database
from tests.fixtures.any_game import SLUG
from tests.fixtures.redis import own_redis
from tests.ops import compose
from tests.ops.deployment import Deployment, deployed

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def deployment(tmp_path_factory):
    folder = tmp_path_factory.mktemp("deployment")
    command = compose.load(dict.fromkeys(compose.ASKED_FOR, "x"))["services"]["redis"]["command"]
    with own_redis(*command[1:]) as (redis_url, _), deployed(folder, os.environ["DATABASE_URL"], redis_url) as site:
        yield site


def test_the_sweep_of_beat_and_worker_is_seen_by_the_web_process(deployment: Deployment) -> None:
    """/healthz is green only when the worker has run what beat ordered; `deployed` has waited for that."""
    with urllib.request.urlopen(f"{deployment.url}/healthz") as answer:  # noqa: S310
        assert answer.status == 200


def test_pages_come_with_the_static_files_they_name(deployment: Deployment) -> None:
    with urllib.request.urlopen(f"{deployment.url}/accounts/login/") as answer:  # noqa: S310
        page = answer.read().decode()
    sources = [part.split('"')[0] for part in page.split('src="')[1:] if part.startswith("/static/")]
    assert sources
    for source in sources:
        with urllib.request.urlopen(deployment.url + source) as answer:  # noqa: S310
            assert "immutable" in answer.headers["Cache-Control"]


def ask(url: str, token: str, body: dict[str, Any] | None = None, key: str = "") -> dict[str, Any]:
    """One request of the API with a personal token; a body makes it a post."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    if key:
        headers["Idempotency-Key"] = key
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers)) as answer:  # noqa: S310
        return json.load(answer)  # type: ignore[no-any-return]


def next_frame(socket: ClientConnection, newer_than: int) -> dict[str, Any]:
    """The next frame with a public board of a later version than the one that is known."""
    while True:
        frame: dict[str, Any] = json.loads(socket.recv(timeout=20))
        if frame.get("version", -1) > newer_than and "public" in frame:
            return frame


def test_a_bid_goes_through_all_of_it(deployment: Deployment) -> None:
    """A player's bid by HTTP is stored in PostgreSQL and reaches a stranger's socket through Redis."""
    made = json.loads(deployment.manage(*("demo", "--game", SLUG, "--matches", "1", "--players", "3", "--yes-really")))
    match = made["matches"][0]
    player = match["players"][0]
    address = f"{deployment.url}/api/v1/matches/{match['id']}/"
    before = ask(address, player["token"])
    seat = before["public"]["board"][0][0]
    bid = {"type": "bid", "seat": seat["seat"], "amount": seat["lowest_bid"]}

    watched = f"{deployment.url.replace('http', 'ws')}/ws/matches/{match['id']}/?format=json"
    with connect(watched, origin=Origin(deployment.url), proxy=None) as socket:
        known = next_frame(socket, -1)["version"]
        first = ask(f"{address}actions/", player["token"], bid, key="one-click")
        again = ask(f"{address}actions/", player["token"], bid, key="one-click")
        frame = next_frame(socket, known)

    assert first["accepted"]
    assert again == first
    assert player["handle"] in json.dumps(frame["public"]["board"][0][0])
    after = ask(address, player["token"])
    assert after["public"]["board"][0][0] == frame["public"]["board"][0][0]
    assert after["versions"] != before["versions"]


REFUSED = (
    "CREATE TABLE mine (id int)",
    "CREATE ROLE mine SUPERUSER",
    "UPDATE django_migrations SET name = 'mine'",
)
REFUSED_OF_LOGS = (
    "UPDATE {} SET id = id",
    "DELETE FROM {}",
    "TRUNCATE {} CASCADE",
    "ALTER TABLE {} ADD COLUMN mine int",
    "DROP TABLE {} CASCADE",
)


def test_what_serves_the_site_can_neither_change_tables_nor_a_log(deployment: Deployment) -> None:
    """By the very address with which web, worker and beat have just played a match in the test before."""
    logs = [sql.Identifier(table) for table in database.ONLY_ADDED]
    tried = [sql.SQL(each).format() for each in REFUSED]
    tried += [sql.SQL(each).format(table) for each in REFUSED_OF_LOGS for table in logs]
    with psycopg.connect(deployment.environment["DATABASE_URL"], autocommit=True) as server:
        for statement in tried:
            with pytest.raises(InsufficientPrivilege):
                server.execute(statement)
        for table in logs:
            server.execute(sql.SQL("SELECT count(*) FROM {}").format(table))


@pytest.mark.parametrize(
    "command",
    ["CONFIG GET *", "FLUSHALL", "FLUSHDB", "KEYS *", "SHUTDOWN", "MONITOR", "REPLICAOF 127.0.0.1 1", "ACL LIST"],
)
def test_what_serves_the_site_can_only_use_redis(deployment: Deployment, command: str) -> None:
    with Redis.from_url(deployment.environment["REDIS_URL"]) as server, pytest.raises(NoPermissionError):
        server.execute_command(*command.split())


def test_a_command_that_only_the_owner_may_run_says_so(deployment: Deployment) -> None:
    back = [sys.executable, "manage.py", "migrate", "talk", "zero", "--no-input"]
    options: dict[str, Any] = {"cwd": compose.ROOT, "capture_output": True, "text": True, "check": False}
    done = subprocess.run(back, env=deployment.environment, **options)
    assert done.returncode == 1
    assert "OWNER_DATABASE_URL" in done.stderr
