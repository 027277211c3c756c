"""The browser tests' site, its people and its visitors, for the tests here and in the match types' own folders.

One server serves them all. Nothing is shared but the server: every test makes people and matches of its own, so each
can be run alone.
"""

import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.first_screen import shortcomings
from tests.browser.hosts_forms import HostsForms
from tests.browser.looks import Camera
from tests.browser.room import Room, note_frames
from tests.browser.served import Hands, Server, helping, serving
from tests.fixtures.chosen import one_in
from tests.fixtures.chromium import PHONE, SLOW, Profiles, Visitors

_numbers = itertools.count(1)
expect.set_options(timeout=SLOW)


@pytest.fixture(scope="session")
def server(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The embedded site, as `manage.py serve` runs it. It must end without having complained."""
    with serving(tmp_path_factory.mktemp("served")) as server:
        yield server
    assert "Traceback" not in server.logs, server.logs


@pytest.fixture(scope="session")
def hands(server: Server) -> Iterator[Hands]:
    with helping(server) as hands:
        yield hands


@pytest.fixture
def person(hands: Hands) -> Callable[..., dict[str, Any]]:
    """`person("ann")` makes an account with a name like that, and gives its sign-in and API token."""

    def make(name: str, **facts: Any) -> dict[str, Any]:
        found = hands.order("person", name=f"{name}{next(_numbers)}", display_name=name.title(), **facts)
        return {**found, "handle": name}

    return make


@pytest.fixture
def host(person: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    return person("hanna", staff=True)


@pytest.fixture
def table(hands: Hands, host: dict[str, Any]) -> Callable[..., dict[str, Any]]:
    """`table("Title", [ann, bob], …)` makes a match of these people; see `hands.table`."""

    def make(title: str, people: list[dict[str, Any]], **details: Any) -> dict[str, Any]:
        bring = details.pop("bring", {})
        places = [
            {
                "handle": each["handle"],
                "name": each["handle"].title(),
                "username": each["name"],
                "garnets": 5,
                "priority": 9 - number,
                **bring,
            }
            for number, each in enumerate(people)
        ]
        places += details.pop("free", [])
        return hands.order("table", title=title, host=host["name"], people=places, **details)  # type: ignore[no-any-return]

    return make


@pytest.fixture
def phases_fit(
    visit: Visitors, person: Callable[..., dict[str, Any]], table: Callable[..., dict[str, Any]]
) -> Callable[..., None]:
    """`phases_fit(slug, names, phases, idle)` looks as the first of these people at matches in half of the phases,
    which say how each is made: nothing is missing on the first screen. `idle`: phases in which there is nothing to
    do."""

    def check(game: str, names: Sequence[str], phases: Mapping[str, Any], idle: Sequence[str], **facts: Any) -> None:
        people = [person(name) for name in names]
        page = visit(people[0])
        for phase, details in one_in(2, list(phases.items())):
            page.goto(table(f"In the {phase}", people, game=game, **{**facts, **details})["url"])
            assert shortcomings(page, acts=phase not in idle) == [], phase

    return check


@pytest.fixture
def visit(profiles: Profiles, server: Server, request: pytest.FixtureRequest) -> Iterator[Visitors]:
    """`page = visit(ann)` opens a browser in which ann is signed in; `visit()` one of a stranger.

    The test fails when a page had an error on its console: scripts, policy, a server error.
    """
    visitors = Visitors(profiles, server, lambda person: list(person["cookies"].items()))
    failed = request.session.testsfailed
    yield visitors
    visitors.close(reuse=request.session.testsfailed == failed)
    assert visitors.problems == []


@pytest.fixture
def open_room(
    visit: Visitors,
    server: Server,
    camera: Camera,
    person: Callable[..., dict[str, Any]],
    host: dict[str, Any],
    table: Callable[..., dict[str, Any]],
) -> Callable[..., Room]:
    """`open_room("Title", ("ann", "bob", "cat"), phone="bob", game=…, config=…)`: the host has started the match, and
    everybody looks at its page."""

    def make(title: str, names: Sequence[str], *, phone: str, **details: Any) -> Room:
        people = {name: person(name) for name in names}
        match = table(title, list(people.values()), **details)
        on_phone = visit(people[phone], viewport=PHONE, color_scheme="dark", has_touch=True)
        forms = HostsForms(server, host, match)
        room = Room(match, people, visit(people["ann"]), on_phone, visit(), forms, camera)
        note_frames(room.watcher, room.frames)
        for page in room.everybody():
            page.goto(match["url"])
        room.host.do("start")
        return room

    return make


@pytest.fixture(scope="session")
def camera(artifacts: Path) -> Camera:
    """Keeps pictures of pages for people to look at."""
    return Camera(artifacts / "browser")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker tells the process that began it where its pictures are."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["pictures"] = [str(folder) for folder in Camera.folders]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    Camera.folders.update(map(Path, getattr(node, "workeroutput", {}).get("pictures", ())))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if Camera.folders:
        places = ", ".join(os.path.relpath(folder) for folder in sorted(Camera.folders))
        terminalreporter.write_line(f"Screenshots of the browser tests are in {places}/")
