"""Two hosts who save the same draft in the same instant."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from matches.admin import console as console_page
from matches.admin import sent_forms
from matches.models import Match, Player
from matches.services.joining import add_player
from tests.admin.conftest import Console, text_of
from tests.admin.test_two_consoles import typed_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

TOLD = "others have changed something"


@pytest.fixture
def forms(console: Console, draft: Match, other_host: Any) -> list[Callable[[], str]]:
    """The same table, as two hosts have it before them: one sends another name, the other garnets."""
    draft.roles.create(user=other_host, role="cohost")
    other = Console(other_host)
    other.match = draft
    add_player(draft, handle="ann", name="Ann")
    hosts = [(console, {"players-0-name": "Anna"}), (other, {"players-0-garnets": "7"})]
    typed = [typed_in(each.page(), 'action="#players"') | change for each, change in hosts]

    def sending(host: Console, form: dict[str, str]) -> Callable[[], str]:
        def send() -> str:
            try:
                return text_of(host.client.post(f"{host.address}/change/", form, follow=True))
            finally:
                connection.close()

        return send

    return [sending(host, form) for (host, _), form in zip(hosts, typed, strict=True)]


class Meeting:
    """The first to save waits before it writes, until the second has come as far as it can."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.checked, self.go, self.come = threading.Event(), threading.Event(), threading.Event()
        self._save, self._lock = console_page.change_players, sent_forms.undisturbed
        monkeypatch.setattr(console_page, "change_players", self._held)
        monkeypatch.setattr(sent_forms, "undisturbed", self._noted)

    def _held(self, *args: Any) -> None:
        if not self.checked.is_set():
            self.checked.set()
            assert self.go.wait(60)
        self._save(*args)

    @contextmanager
    def _noted(self, match_id: int) -> Iterator[None]:
        if self.checked.is_set():
            self.come.set()
        with self._lock(match_id):
            yield

    def pages(self, forms: list[Callable[[], str]]) -> list[str]:
        """What the two are shown."""
        with ThreadPoolExecutor(2) as threads:
            first = threads.submit(forms[0])
            assert self.checked.wait(60)
            second = threads.submit(forms[1])
            assert self.come.wait(60)
            self.go.set()
            return [first.result(60), second.result(60)]


def test_the_second_is_told_of_what_the_first_has_just_saved(
    forms: list[Callable[[], str]], draft: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = Meeting(monkeypatch).pages(forms)
    assert TOLD not in first
    assert TOLD in second
    ann = Player.objects.get(match=draft)
    assert (ann.name, ann.garnets) == ("Anna", 0)
