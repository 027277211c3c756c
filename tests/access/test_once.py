"""A form that is sent twice, by a double click or by the browser, counts once."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from accounts.forms import MOST_LIVING_TOKENS
from accounts.models import ApiToken
from matches.models import clock
from tests.access.cast import START, Cast, cast_at

AT_ONCE = 20


@pytest.fixture
def cast(db: None) -> Iterator[Cast]:
    with cast_at(START) as cast:
        yield cast


# -- many at once, in threads with connections of their own ---------------------------------------------


@pytest.fixture
def crowd(transactional_db: Any) -> Iterator[Cast]:
    with clock.fixed(START):
        yield Cast()


def at_once(post: Any) -> list[Any]:
    """The answers to as many equal requests as fit into one moment. It is the present that everybody has, as for the
    thread that judges actions: times stand still for one thread alone."""
    barrier = Barrier(AT_ONCE)

    def one(_: int) -> Any:
        try:
            barrier.wait(20)
            return post()
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as threads:
        return list(threads.map(one, range(AT_ONCE)))


def twin_of(browser: Client) -> Client:
    twin = Client()
    twin.cookies = browser.cookies
    return twin


@pytest.mark.both
def test_nobody_gets_more_tokens_than_the_most_by_asking_at_once(crowd: Cast) -> None:
    browser = crowd.browser("player")
    for number in range(MOST_LIVING_TOKENS - 3):
        ApiToken.issue(crowd.people["player"], f"{number}")
    answers = at_once(
        lambda: twin_of(browser).post("/profile/tokens/", {"name": "one more", "scope": "act", "days": 90})
    )
    assert {answer.status_code for answer in answers} == {200}
    assert ApiToken.objects.filter(user=crowd.people["player"]).count() == MOST_LIVING_TOKENS
