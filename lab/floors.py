"""The least that the same work can cost, measured in the same run: a plain broadcaster, and a plain transaction.

The broadcaster knows no match and stores nothing: it answers each POST with the next version and writes one ready-made
frame to every socket. The transaction writes the very rows that the site stored for its last bids, without rules,
models or HTTP.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import hashlib
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
from psycopg.types.string import TextLoader

from lab.site import ROOT, Process

_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


# -- the broadcaster -------------------------------------------------------------------------------


class _Connection(asyncio.Protocol):
    sockets: set[_Connection] = set()
    version = 0
    size = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._is_socket = False

    def connection_lost(self, _: Exception | None) -> None:
        self.sockets.discard(self)

    def data_received(self, data: bytes) -> None:
        if self._is_socket:
            return
        if data.startswith(b"POST"):
            type(self).version += 1
            body = b'{"versions":{"public":%d}}' % self.version
            self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            frame = self._frame()
            for socket in self.sockets:
                socket.transport.write(frame)
            return
        key = next(line[19:].strip() for line in data.split(b"\r\n") if line.startswith(b"Sec-WebSocket-Key: "))
        accept = base64.b64encode(hashlib.sha1(key + _GUID).digest())
        self.transport.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n" + self._frame()
        )
        self._is_socket = True
        self.sockets.add(self)

    def _frame(self) -> bytes:
        text = b'{"version":%d,"pad":"' % self.version
        text += b"x" * max(self.size - len(text) - 2, 0) + b'"}'
        return b"\x81\x7e" + len(text).to_bytes(2, "big") + text


async def _broadcast(size: int) -> None:
    _Connection.size = min(max(size, 126), 65_000)
    server = await asyncio.get_running_loop().create_server(_Connection, "127.0.0.1", 0, backlog=2000)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextlib.contextmanager
def broadcaster(size: int) -> Iterator[Process]:
    """The broadcaster in a process of its own, with frames of `size` bytes."""
    command = [sys.executable, "-m", "lab.floors", str(size)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        floor = Process(int(process.stdout.readline()), process.pid)
        floor.pin()
        try:
            yield floor
        finally:
            process.terminate()


# -- the transaction -------------------------------------------------------------------------------

_TABLES = {
    "matches_bid": "placed_by_id",
    "matches_ledgerentry": "submission_id",
    "matches_announcement": "submission_id",
}
"""Tables of what an action makes, and the column that says which action."""

_UPDATES = (
    "UPDATE matches_match SET state = state, log_count = log_count, log_head = log_head, public_version = "
    "public_version, next_deadline_at = next_deadline_at WHERE id = ?",
    "UPDATE matches_player SET version = version + 1, action_count = action_count + 1 WHERE id = ?",
)


def sqlite_transactions(database: Path, together: int, most: int = 4000) -> float:
    """How many bids a second SQLite takes if their rows are only written, `together` in each transaction.

    Works on a copy of a site's `database`: takes the last accepted actions' rows out, and puts them back.
    """
    copy = database.with_suffix(".floor")
    with contextlib.closing(sqlite3.connect(database)) as source, contextlib.closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = OFF")
        return _rate(connection, "?", "BEGIN IMMEDIATE", together, most)


def postgresql_transactions(url: str, together: int, most: int = 4000) -> float:
    """The same of PostgreSQL, over one connection, on copies of the tables in a schema of their own. Without foreign
    keys, which nobody has to check here."""
    with psycopg.connect(url.replace("postgres://", "postgresql://", 1), autocommit=True) as connection:
        connection.adapters.register_loader("jsonb", TextLoader)
        connection.execute("DROP SCHEMA IF EXISTS floor CASCADE")
        connection.execute("CREATE SCHEMA floor")
        for table in ("matches_submission", *_TABLES, "matches_match", "matches_player"):
            connection.execute(f"CREATE TABLE floor.{table} (LIKE {table} INCLUDING ALL)")
            names = [column for column, *_ in connection.execute(_WRITABLE, (table,))]
            columns = ", ".join(names)
            connection.execute(
                f"INSERT INTO floor.{table} ({columns}) OVERRIDING SYSTEM VALUE SELECT {columns} FROM {table}"
            )
        connection.execute("SET search_path TO floor")
        return _rate(connection, "%s", "BEGIN", together, most)


_WRITABLE = "SELECT column_name FROM information_schema.columns WHERE table_name = %s AND table_schema = 'public'"

Bid = dict[str, list[tuple[Any, ...]]]


def _rate(connection: Any, mark: str, begin: str, together: int, most: int) -> float:
    """Bids a second, whose rows are taken out and put back."""
    names: dict[str, list[str]] = {}
    bids = _taken_out(connection, mark, most, names)
    start = time.perf_counter()
    for first in range(0, len(bids), together):
        connection.execute(begin)
        _write(connection, mark, bids[first : first + together], names)
        connection.execute("COMMIT")
    return len(bids) / (time.perf_counter() - start)


def _taken_out(connection: Any, mark: str, most: int, names: dict[str, list[str]]) -> list[Bid]:
    """Table -> rows, for each of the last accepted actions, which are deleted; and the tables' columns in `names`."""

    def rows(table: str, where: str, value: object) -> list[tuple[Any, ...]]:
        cursor = connection.execute(f"SELECT * FROM {table} WHERE {where} {mark}", (value,))
        names[table] = [column[0] for column in cursor.description]
        return list(cursor.fetchall())

    found = []
    for row in rows("matches_submission", "accepted AND kind = 'action' ORDER BY id DESC LIMIT", most):
        known = dict(zip(names["matches_submission"], row, strict=True))
        bid: Bid = {"matches_submission": [row], "match": [(known["match_id"],)], "player": [(known["player_id"],)]}
        for table, cause in _TABLES.items():
            bid[table] = rows(table, f"{cause} =", known["id"])
            connection.execute(f"DELETE FROM {table} WHERE {cause} = {mark}", (known["id"],))
        connection.execute(f"DELETE FROM matches_submission WHERE id = {mark}", (known["id"],))
        found.append(bid)
    return found


def _write(connection: Any, mark: str, bids: list[Bid], names: dict[str, list[str]]) -> None:
    cursor = connection.cursor()
    overriding = "" if mark == "?" else "OVERRIDING SYSTEM VALUE "
    for table in ("matches_submission", *_TABLES):
        rows = [row for bid in bids for row in bid[table]]
        if rows:
            columns, marks = ", ".join(names[table]), ", ".join([mark] * len(rows[0]))
            cursor.executemany(f"INSERT INTO {table} ({columns}) {overriding}VALUES ({marks})", rows)
    for statement, name in zip(_UPDATES, ("match", "player"), strict=True):
        cursor.executemany(statement.replace("?", mark), [row for bid in bids for row in bid[name]])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", type=int)
    asyncio.run(_broadcast(parser.parse_args().size))
