"""A host's impatient finger, or a network that sends again: the same request does a thing once."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from matches.models import Match, Submission
from matches.services.replay import verify
from tests.admin.conftest import Console
from tests.admin.test_all_is_logged import BEFORE_IT_BEGINS, COMMANDED, PAGES, Deed, Fields

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tiny", "other_host", "players")]

TIMES = 2
AGAIN_EACH_TIME = {
    "peek": "each look at private data is told of",
}


def _rows() -> list[tuple[int, int, str]]:
    return list(Submission.objects.order_by("pk").values_list("pk", "number", "hash"))


def _repeat(monkeypatch: pytest.MonkeyPatch, client: Client) -> list[str]:
    """From now on each POST of this client is sent `TIMES` times. Addresses where it did more than the first one."""
    post: Callable[..., Any] = client.post
    more: list[str] = []

    def often(address: str, data: Fields, **how: Any) -> Any:
        first, once = post(address, data, **how), _rows()
        for _ in range(TIMES - 1):
            assert post(address, data, **how).status_code < 500
        if _rows() != once:
            more.append(address)
        return first

    monkeypatch.setattr(client, "post", often)
    return more


def does_it_once(
    monkeypatch: pytest.MonkeyPatch, console: Console, host: Any, deed: Deed, do: Callable[[Fields], object]
) -> list[str]:
    """Addresses that did more than once what they were asked."""
    deed.before(console, host)
    match = console.match
    assert match is not None
    match.refresh_from_db()
    fields, before = deed.fields(match), _rows()
    more = _repeat(monkeypatch, console.client)
    do(fields)
    match.refresh_from_db()
    assert _rows() != before
    assert verify(match) == []
    return more


@pytest.mark.parametrize("name", sorted(BEFORE_IT_BEGINS))
def test_a_command_before_the_match_begins(
    monkeypatch: pytest.MonkeyPatch, console: Console, draft: Match, host: Any, name: str
) -> None:
    assert not does_it_once(monkeypatch, console, host, COMMANDED[name], lambda fields: console.do(name, **fields))


@pytest.mark.parametrize("name", sorted(set(COMMANDED) - BEFORE_IT_BEGINS))
def test_a_command_of_a_match_that_has_begun(
    monkeypatch: pytest.MonkeyPatch, console: Console, running: Match, host: Any, name: str
) -> None:
    more = does_it_once(monkeypatch, console, host, COMMANDED[name], lambda fields: console.do(name, **fields))
    assert bool(more) == (name in AGAIN_EACH_TIME)


@pytest.mark.parametrize("name", PAGES)
def test_a_page(monkeypatch: pytest.MonkeyPatch, console: Console, draft: Match, host: Any, name: str) -> None:
    deed, send = PAGES[name]
    more = does_it_once(monkeypatch, console, host, deed, lambda fields: send(console, fields))
    assert bool(more) == (name in AGAIN_EACH_TIME)
