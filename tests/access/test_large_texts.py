"""Long texts of every kind, in every field: refused or taken in words, and never in more than about twice the time for
twice the text.

The time is the processor's, for this thread alone, and it is compared with itself: a slow machine is slow in both.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from itertools import product
from typing import NamedTuple

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from chat_commands.notation import NotRead, fields_of, read_action
from matches.engine.match_time import parse_duration, parse_typed
from matches.games.registry import all_games
from matches.services.errors import CommandRefused
from matches.services.pasted_names import read_names
from seasons.services.cast import read_cast
from tests.access.cast import START, Cast, cast_at
from tests.access.routes import address, all_routes
from tests.fixtures.chosen import one_in

KINDS = (" ", "7", "a", "[", ":", "\u0301\u0316", "\n", "a = ", "@a.", "a,", " -")
"""What a text is made of that is to be long. Accents of two kinds in turns must be put in order first."""

TYPES = ("text", "search", "number", "email", "password", "hidden", "url", "datetime-local")
SIZE = 240_000


class Form(NamedTuple):
    """A form of a page that is sent by POST. `texts` are the names of those of its `fields` that take any text."""

    action: str
    fields: dict[str, str]
    texts: list[str]


class Forms(HTMLParser):
    """The forms of a page."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._url = url
        self._within: Form | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        name = has.get("name")
        if tag == "form":
            action = has.get("action") or ""
            self._within = Form(action if action.startswith("/") else self._url, {}, [])
            if (has.get("method") or "").lower() == "post" and "logout" not in action:
                self.found.append(self._within)
        elif self._within and name and tag in ("input", "textarea", "select"):
            self._within.fields[name] = has.get("value") or ""
            if name != "csrfmiddlewaretoken" and (tag == "textarea" or has.get("type", "text") in TYPES):
                self._within.texts.append(name)


def forms_of(cast: Cast) -> Iterator[tuple[Client, Form]]:
    """Each form of the site once, with a browser that is shown it: in each run those of another tenth of its pages."""
    seen = set()
    pages = one_in(10, list(product(("draft", "open"), all_routes())))
    for role in ("boss", "host", "player", "stranger", "visitor"):
        browser, asked = cast.browser(role, raise_request_exception=False), set()
        for status, route in pages:
            url = address(route, cast, status)
            if route.startswith("api/") or url in asked:
                continue
            asked.add(url)
            page = browser.get(url)
            if page.status_code != 200 or "html" not in page.headers.get("Content-Type", ""):
                continue
            forms = Forms(url)
            forms.feed(page.content.decode())
            for form in forms.found:
                if form.texts and (which := (route, *form.texts)) not in seen:
                    seen.add(which)
                    yield browser, form


def spent(work: Callable[[], object]) -> float:
    """Seconds of this thread's processor."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def grows_faster(send: Callable[[int], object]) -> bool:
    """Whether twice the text takes much more than twice the time. What takes next to no time is not compared: what
    grew with the square of such texts took seconds at least."""
    whole = spent(lambda: send(SIZE))
    return whole > 0.5 and whole > 3 * spent(lambda: send(SIZE // 2)) + 0.5


def test_no_field_of_any_page_takes_long_for_a_long_text(db: None) -> None:
    wrong = []
    with cast_at(START) as cast:
        for browser, form in forms_of(cast):

            def send(size: int, browser: Client = browser, form: Form = form) -> None:
                cache.clear()
                each = size // len(form.texts) // len(KINDS)
                text = "x".join((kind * each)[:each] for kind in KINDS)
                with transaction.atomic():
                    answer = browser.post(form.action, form.fields | dict.fromkeys(form.texts, text))
                    if answer.status_code >= 500:
                        wrong.append(f"{form.action}: {answer.status_code}")
                    transaction.set_rollback(True)

            if grows_faster(send):
                wrong.append(f"{form.action} {form.texts}: slow")
    assert wrong == []


def test_whatever_encoding_a_form_names_it_is_read_as_utf_8(db: None) -> None:
    with cast_at(START) as cast:
        browser = cast.browser("stranger", raise_request_exception=False)
        answers = []

        def send(size: int, encoding: str = "punycode") -> None:
            head = '--x\r\nContent-Disposition: form-data; name="display_name"\r\n\r\n'
            body = f"{head}é-{'b' * size}\r\n--x--\r\n".encode()
            kind = f"multipart/form-data; boundary=x; charset={encoding}"
            answers.append(browser.generic("POST", "/profile/", body, content_type=kind))

        assert not grows_faster(send)
        for encoding in ("undefined", "zlib", "idna", "nonsense", "utf-16"):
            send(20, encoding)
            assert "é-bbb" in answers[-1].content.decode()
        assert {answer.status_code for answer in answers} == {200}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_read_of_a_long_text_takes_no_longer_than_its_length(db: None, kind: str) -> None:
    with cast_at(START) as cast:
        match, season = cast.matches["draft"], cast.seasons["draft"]

        def send(size: int) -> None:
            text = "a" + (kind * size)[:size] + "!"
            for read in (
                lambda: read_names(match, text),
                *[lambda: read_names(match, text[: size // 25])] * 5,  # as long as it may be
                lambda: read_cast(season, text),
                lambda: parse_duration(text),
                lambda: parse_typed(text),
            ):
                with contextlib.suppress(CommandRefused, ValueError):
                    read()
            for game in all_games().values():
                for action in game.actions.values():
                    with contextlib.suppress(NotRead):
                        read_action(action, {field.encode_name.lower(): text for field in fields_of(action)})

        assert not grows_faster(send)
