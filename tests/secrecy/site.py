"""Twin worlds of any match type: all pages, the API, the sockets and all that is sent to people, of a match in which
steps have been taken.

A match type's tests bring a table (a match at the site) and steps that differ in one secret, as in `Twins`.
"""

import os
import re
import zlib
from collections.abc import Callable, Collection, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from django.db import transaction

from accounts.models import User
from matches.models import Match
from tests.live import watched
from tests.secrecy.mailbox import Mailbox
from tests.secrecy.masking import masked
from tests.web.conftest import browser

PAGES = ("", "parts/", "picture.png", "rules/", "history/", "news/", "recap/", "result/", "log/", "log.json", "replay/")
LISTS = ("/", "/matches/", "/me/")
API = ("", "feed/", "history/", "log/", "replay/")

MESSAGES = "messages"
"""Not a page: all that was sent to them elsewhere, after each step."""

_VARYING = {"X-Request-ID", "Set-Cookie", "Content-Length", "Expires"}

EVERYTHING = bool(os.environ.get("EVERY_PAGE"))
"""Whether each viewer asks for each page. Otherwise the first ones are asked for by everybody, and of the others a
third, in each run another third, by one of the viewers, in each pair of worlds by another: together they cover all."""

FIRST = ("", "api ")

Seen = dict[tuple[str, str], tuple[int, str]]
"""(viewer, page) -> status, headers and text, without what is random by itself."""


class Table(Protocol):
    """A match that has been published, with its people by their handles."""

    users: dict[str, User]

    @property
    def match(self) -> Match: ...


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
          typed: Sequence[dict[str, str]] = (), everything: bool = EVERYTHING,
          only: Collection[str] = ()) -> Seen:  # fmt: skip
    """What each viewer (a handle, or one that nobody has for a visitor) gets after the steps, which then are undone.

    What was sent to them is there as well, as if it were a page. `more` are pages of the match, or of the site, beyond
    the usual ones; `typed` is what they try in its forms. Only with `everything` each viewer asks for each of them.
    With `only` each asks for these pages, and for no others.
    """
    with transaction.atomic():
        table = make()
        mailbox = Mailbox(table, viewers)
        for number, step in enumerate(steps):
            step(table)
            mailbox.gather(number)
        every = _asked(table, more, typed)
        asked = _by_everybody(every, viewers, only) if only else _shared_out(every, viewers, everything)
        browsers = {viewer: browser(table.users.get(viewer)) for viewer in viewers}
        seen = {(viewer, page): _answer(table, browsers[viewer], *how) for viewer, (page, *how) in asked}
        seen |= {(viewer, MESSAGES): (0, mailbox.of(table.users.get(viewer))) for viewer in viewers}
        transaction.set_rollback(True)
    return seen


Asked = tuple[str, str, dict[str, str] | None]
"""The page's name, its address, and what is typed there."""


def _asked(table: Table, more: Sequence[str], typed: Sequence[dict[str, str]]) -> list[Asked]:
    """All there is to ask for."""
    url, api = table.match.get_absolute_url(), f"/api/v1/matches/{table.match.public_id}/"
    asked: list[Asked] = []
    asked += [(page, page if page.startswith("/") else url + page, None) for page in (*PAGES, *more)]
    asked += [(page, page, None) for page in LISTS]
    asked += [(f"api {page}", api + page, None) for page in (*API, *_replays(table))]
    asked += [(f"typed {number}", f"{url}preview/", fields) for number, fields in enumerate(typed)]
    return asked


def _by_everybody(asked: list[Asked], viewers: Sequence[str], names: Collection[str]) -> list[tuple[str, Asked]]:
    return [(viewer, how) for how in asked if how[0] in names for viewer in viewers]


def _shared_out(asked: list[Asked], viewers: Sequence[str], everything: bool) -> list[tuple[str, Asked]]:
    """Who asks for what in this run."""
    test = os.environ["PYTEST_CURRENT_TEST"]
    turn = zlib.crc32(test.encode())
    third = zlib.crc32(f"{os.environ['RANDOM_SEED']} {test}".encode())

    def asks(number: int, place: int) -> bool:
        return (number + third) % 3 == 0 and (turn + number // 3 + place) % len(viewers) == 0

    return [
        (viewer, how)
        for number, how in enumerate(asked)
        for place, viewer in enumerate(viewers)
        if everything or how[0] in FIRST or asks(number, place)
    ]


def _answer(table: Table, client: Any, address: str, fields: dict[str, str] | None) -> tuple[int, str]:
    answer = client.get(address) if fields is None else client.post(address, fields)
    headers = {name: value for name, value in answer.headers.items() if name not in _VARYING}
    text = answer.content.decode(errors="backslashreplace")  # pictures too
    return answer.status_code, _plain(f"{sorted(headers.items())} {text}", table.match)


def _replays(table: Table) -> list[str]:
    """After the end, the whole match through everybody's eyes."""
    over = table.match.status == Match.Status.FINISHED
    return [f"replay/?as={handle}" for handle in table.users] if over else []


def _plain(text: str, match: Match) -> str:
    """Hashes are cut short in the log's table; own receipts have tokens and row numbers of the database."""
    text = re.sub(r"<code title=\"[0-9a-f]{64}\">[0-9a-f]{10}", "HASH", text)
    text = re.sub(r'"user": ?\d+', "USER", text)
    text = re.sub(r'"token": ?"[\w-]{12}"', "TOKEN", text)
    return masked(text, match.public_id)


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
