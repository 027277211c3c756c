"""How a calendar is asked for: by its secret alone, again and again."""

import re
from typing import Any

from django.contrib.sessions.models import Session
from django.test import Client

from matches.infra.rate_limits import Buckets
from matches.services import hosting
from notices import feeds
from notices.calendars import make_address, revoke_address
from notices.models import CalendarAddress
from tests.feeds.conftest import Subscribed
from tests.web.conftest import Table

UNKNOWN = f"/calendar/{'0' * 48}.ics"


def test_it_is_private_text_that_needs_neither_session_nor_sign_in(table: Table, ann_s: Subscribed) -> None:
    response = ann_s.get()
    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    assert response["Cache-Control"] == "private, no-cache"
    assert not response.cookies
    assert not Session.objects.exists()


def test_who_has_it_already_is_told_so_until_something_changes(table: Table, ann_s: Subscribed) -> None:
    tag = ann_s.get()["ETag"]
    again = ann_s.get(headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    assert again["Cache-Control"] == "private, no-cache"
    hosting.pause(table.match, table.users["dora"])
    changed = ann_s.get(headers={"If-None-Match": tag})
    assert changed.status_code == 200
    assert changed["ETag"] != tag


def test_a_revoked_or_replaced_address_is_answered_like_one_that_never_was(table: Table, ann_s: Subscribed) -> None:
    def answer(url: str) -> tuple[int, str]:
        response = Client().get(url)
        plain = re.sub(r'(name="server-now" content=")[^"]+|("X-CSRFToken": ")[^"]+', "", response.content.decode())
        return response.status_code, plain.replace(url, "URL")

    unknown, old = answer(UNKNOWN), ann_s.url
    assert unknown[0] == 404
    ann_s.address = make_address(table.users["ann"])
    assert answer(old) == unknown
    assert answer(ann_s.url)[0] == 200
    revoke_address(table.users["ann"])
    assert answer(ann_s.url) == unknown


def test_the_secret_is_long_random_and_not_stored(table: Table) -> None:
    found = [make_address(table.users[name]).secret for name in ("ann", "bob", "cat")]
    found.append(make_address(table.users["ann"]).secret)
    assert len(set(found)) == 4
    assert all(re.fullmatch("[0-9a-f]{48}", secret) for secret in found)
    stored = str(list(CalendarAddress.objects.values()))
    assert not any(secret[:12] in stored for secret in found)


def test_one_calendar_is_read_so_often_and_no_more(table: Table, ann_s: Subscribed, monkeypatch: Any) -> None:
    monkeypatch.setattr(feeds, "READS", Buckets(0.5, 3, clock=lambda: 0.0))
    bob_s = Subscribed(table, "bob")
    assert [ann_s.get().status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = ann_s.get()
    assert refused["Retry-After"] == "2"
    assert bob_s.get().status_code == 200


def test_the_address_of_a_closed_account_opens_nothing(table: Table, ann_s: Subscribed) -> None:
    table.users["ann"].is_active = False
    table.users["ann"].save()
    assert ann_s.get().status_code == 404
