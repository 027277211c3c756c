"""The same form or call of a program, sent by several threads in one moment, does a thing once.

Actions, commands, joining and talk have tests of their own (tests/services/test_races.py); one after the other, every
address is in test_equal_requests.py.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import connection
from django.test import Client

from matches.models import clock
from tests.access.cast import START, cast_at
from tests.access.test_equal_requests import SENT, send, stored

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

AT_ONCE = 6
MADE = {
    "profile/tokens/": "accounts.ApiToken",
    "profile/notices/": "notices.Address",
    "matches/<slug:public_id>/hosts/ask/": "matches.Question",
    "matches/<slug:public_id>/place/": "matches.Absence",
    "matches/<slug:public_id>/webhooks/": "notices.MatchWebhook",
    "seasons/<slug:public_id>/webhooks/": "seasons.SeasonWebhook",
    "api/v1/matches/<slug:public_id>/questions/": "matches.Question",
    "api/v1/matches/<slug:public_id>/place/": "matches.Absence",
}
"""What each address makes one of."""


def at_once(browsers: list[Client], url: str, says: dict[str, Any]) -> list[Any]:
    """The answers to what all of them send at the same moment."""
    barrier = Barrier(len(browsers))

    def run(browser: Client) -> Any:
        barrier.wait()
        try:
            with clock.fixed(START):  # of each thread alone
                return send(browser, url, says)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(browsers)) as pool:
        return list(pool.map(run, browsers))


@pytest.mark.parametrize("route", MADE)
def test_what_several_send_at_once_is_done_once(route: str) -> None:
    sent, model = SENT[route], apps.get_model(MADE[route])
    with cast_at(START) as cast:
        says, url = sent.says(cast), sent.address(route, cast)
        browsers = [cast.browser(sent.role) for _ in range(AT_ONCE)]
        before = model._default_manager.count()
        answers = at_once(browsers, url, says)
        assert [answer.status_code for answer in answers if answer.status_code >= 500] == []
        assert any(answer.status_code in (200, 302) for answer in answers)
        assert model._default_manager.count() == before + 1
        done = stored()
        cache.clear()
        send(browsers[0], url, says)
        assert [name for name, rows in stored().items() if rows != done[name]] == []
