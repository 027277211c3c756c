"""Twin worlds of any match type: all pages, the API and the sockets of a match in which steps have been taken.

A match type's tests bring a table (a match at the site) and steps that differ in one secret, as in `Twins`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from django.db import transaction

from accounts.models import User
from matches.models import Match
from tests.live import watched
from tests.secrecy.masking import masked
from tests.web.conftest import browser

PAGES = ("", "parts/", "rules/", "history/", "news/", "result/", "log/", "log.json")
LISTS = ("/", "/matches/", "/me/")
API = ("", "feed/", "history/", "log/")

_VARYING = {"X-Request-ID", "Set-Cookie", "Content-Length", "Expires"}

Seen = dict[tuple[str, str], tuple[int, str]]
"""(viewer, page) -> status, headers and text, without what is random by itself."""


class Table(Protocol):
    """A match that has been published, with its people by their handles."""

    users: dict[str, User]

    @property
    def match(self) -> Match: ...

    @property
    def url(self) -> str: ...


T = TypeVar("T", bound=Table)
Make = Callable[[], T]
Steps = Sequence[Callable[[T], object]]


class Twins(NamedTuple, Generic[T]):
    """Two lists of steps, of the same length so that each has its moment, and who cannot tell which was taken."""

    viewers: tuple[str, ...]
    one: Steps[T]
    other: Steps[T]
    config: dict[str, Any] = {}
    other_config: dict[str, Any] | None = None

    @property
    def configs(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return self.config, self.config if self.other_config is None else self.other_config


def nothing(table: object) -> None:
    """In the other world something secret happens at this point."""


def pages(make: Make[T], steps: Steps[T], viewers: Sequence[str], *, more: Sequence[str] = (),
          typed: Sequence[dict[str, str]] = ()) -> Seen:  # fmt: skip
    """What each viewer (a handle, or one that nobody has for a visitor) gets after the steps, which then are undone.

    `more` are pages of the match, or of the site, beyond the usual ones; `typed` is what they try in its forms.
    """
    with transaction.atomic():
        table = make()
        for step in steps:
            step(table)
        seen = {(viewer, page): seen for viewer in viewers for page, seen in _seen_by(viewer, table, more, typed)}
        transaction.set_rollback(True)
    return seen


def _seen_by(viewer: str, table: Table, more: Sequence[str], typed: Sequence[dict[str, str]]) -> Any:
    client = browser(table.users.get(viewer))
    api = f"/api/v1/matches/{table.match.public_id}/"
    asked = [(page, page if page.startswith("/") else table.url + page) for page in (*PAGES, *more)]
    asked += [(page, page) for page in LISTS] + [(f"api {page}", api + page) for page in API]
    answers = [(page, client.get(url)) for page, url in asked]
    answers += [(f"typed {number}", client.post(f"{table.url}preview/", fields)) for number, fields in enumerate(typed)]
    for page, answer in answers:
        headers = {name: value for name, value in answer.headers.items() if name not in _VARYING}
        yield page, (answer.status_code, _plain(f"{sorted(headers.items())} {answer.content.decode()}", table))


def _plain(text: str, table: Table) -> str:
    """Hashes are cut short in the log's table; own receipts have tokens and row numbers of the database."""
    text = re.sub(r"<code title=\"[0-9a-f]{64}\">[0-9a-f]{10}", "HASH", text)
    text = re.sub(r'"user": ?\d+', "USER", text)
    text = re.sub(r'"token": ?"[\w-]{12}"', "TOKEN", text)
    return masked(text, table)


def unlike_pages(make: Callable[[dict[str, Any]], T], twins: Twins[T], **more: Any) -> list[tuple[str, str]]:
    """The places at which one of the viewers could tell the twins apart."""
    assert len(twins.one) == len(twins.other)
    configs = twins.configs
    one = pages(lambda: make(configs[0]), twins.one, twins.viewers, **more)
    other = pages(lambda: make(configs[1]), twins.other, twins.viewers, **more)
    return [place for place in one if one[place] != other[place]]


def unlike_frames(make: Callable[[dict[str, Any]], T], twins: Twins[T]) -> list[str]:
    """The viewers (a visitor and players) whose sockets got a different frame, or one at a different time. All are
    connected from the beginning."""
    assert len(twins.one) == len(twins.other)
    configs = twins.configs
    one = watched.frames(lambda: make(configs[0]), twins.viewers, twins.one)
    other = watched.frames(lambda: make(configs[1]), twins.viewers, twins.other)
    return watched.differing(one, other)
