"""Several codes that are typed in the chat at the same moment."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.models.signals import post_delete, post_save

from chat_commands.models import ChatAccount
from chat_commands.services import linking
from matches.models import clock
from tests.fixtures.processes import ask_until
from tests.web.conftest import Table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


@pytest.fixture
def users() -> Any:
    return Table(clock.FixedTime(clock.now())).users


def someone_waits() -> bool:
    """Whether a statement of another connection waits for a lock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        return bool(cursor.fetchone()[0])


@contextmanager
def held_after(signal: Any, written: threading.Event, go: threading.Event) -> Iterator[None]:
    """Whoever is the first to change a chat account's row keeps the transaction open until it may go on."""
    first = threading.Lock()

    def hold(**_: Any) -> None:
        if first.acquire(blocking=False):
            written.set()
            assert go.wait(60)

    signal.connect(hold, sender=ChatAccount)
    try:
        yield
    finally:
        signal.disconnect(hold, sender=ChatAccount)


def typed_at_once(signal: Any, *links: tuple[str, str]) -> Counter[str]:
    """What came of two (chat account, code): the second is typed while the first is not yet committed."""
    written, go = threading.Event(), threading.Event()

    def type_in(chat_id: str, code: str) -> str:
        try:
            linking.link(chat_id, code, clock.now())
        except DatabaseError as error:
            return type(error).__name__
        finally:
            connection.close()
        return "linked"

    with held_after(signal, written, go), ThreadPoolExecutor(2) as threads:
        first = threads.submit(type_in, *links[0])
        assert written.wait(60)
        second = threads.submit(type_in, *links[1])
        ask_until(someone_waits)
        go.set()
        return Counter([first.result(60), second.result(60)])


def two_codes(users: Any) -> Counter[str]:
    """One chat account, linked with nobody, types ann's code and bob's."""
    codes = [linking.new_code(users[name], clock.now()) for name in ("ann", "bob")]
    return typed_at_once(post_save, ("7", codes[0]), ("7", codes[1]))


def swapped(users: Any) -> Counter[str]:
    """ann has the chat account 7 and bob 8; each types the other's code."""
    for name, chat_id in (("ann", "7"), ("bob", "8")):
        ChatAccount.objects.create(user=users[name], chat_id=chat_id, linked_at=clock.now())
    codes = [linking.new_code(users[name], clock.now()) for name in ("bob", "ann")]
    return typed_at_once(post_delete, ("7", codes[0]), ("8", codes[1]))


def links() -> dict[str, str]:
    return dict(ChatAccount.objects.values_list("chat_id", "user__username"))


def test_of_two_good_codes_of_one_chat_account_the_last_one_holds(users: Any) -> None:
    assert two_codes(users) == {"linked": 2}
    assert links() == {"7": users["bob"].username}


def test_two_who_swap_their_chat_accounts_do_not_wait_for_each_other(users: Any) -> None:
    assert swapped(users) == {"linked": 2}
    assert links() == {"7": users["bob"].username, "8": users["ann"].username}


@pytest.mark.parametrize(("race", "breaks"), [(two_codes, "IntegrityError"), (swapped, "OperationalError")])
def test_control_without_the_turns_one_of_them_breaks(
    users: Any, monkeypatch: pytest.MonkeyPatch, race: Any, breaks: str
) -> None:
    monkeypatch.setattr(linking, "_take_turns", lambda now: None)
    assert race(users) == {"linked": 1, breaks: 1}
