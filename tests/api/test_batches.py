"""One thread that does together what waits, for coroutines and for threads."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from matches.infra.batches import Again, Batches
from matches.infra.db_threads import Overloaded

pytestmark = [pytest.mark.django_db(transaction=True)]


class Work:
    """Stands still at the first job until it may go on; what waits meanwhile comes together."""

    def __init__(self) -> None:
        self.batches: list[list[Any]] = []
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.answer: Callable[[Any], Any] = lambda asked: asked

    def __call__(self, asks: Sequence[Any]) -> list[Any]:
        self.batches.append(list(asks))
        self.begun.set()
        assert self.go_on.wait(10)
        return [self.answer(asked) for asked in asks]


@pytest.fixture
def work() -> Work:
    return Work()


def test_a_thread_that_waits_too_long_is_told_unless_it_has_been_begun(work) -> None:
    line = Batches("test", work, patience=0.05)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(line.ask_in_thread, "a", 1)
        assert work.begun.wait(10)
        with pytest.raises(Overloaded):
            line.ask_in_thread("b", 2)
        work.go_on.set()
        assert first.result(60) == 1
    line.close()
    assert work.batches == [[1]]


def test_a_thread_asks_again_no_longer_than_it_says(work) -> None:
    work.answer, line = lambda asked: Again(), Batches("test", work)
    work.go_on.set()
    with pytest.raises(Again):
        line.ask_in_thread("a", 1, insist=0)
    line.close()
    assert work.batches == [[1]]
