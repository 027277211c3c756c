"""Calendars at addresses without a secret: the program sends a name and the calendar's own password (HTTP Basic)."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from icalendar import Calendar

from accounts.models import Tries, User
from accounts.sign_in import checks
from feeds.calendars.addresses import make_address, revoke_address
from feeds.views import calendar_text
from matches.infra.buckets import Buckets
from matches.models import Match
from tests.feeds.conftest import Subscribed
from tests.web.conftest import Table

PASSWORD = "a long password"  # of the accounts at the table
MINE = "/calendar/matches.ics"


def basic(name: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()


def ask(url: str, name: str, password: str, **how: Any) -> Any:
    return Client().get(url, headers={"Authorization": basic(name, password)}, **how)


def of_match(match: Match) -> str:
    return f"/matches/{match.public_id}/calendar.ics"


def test_the_calendar_s_password_opens_it_without_a_session(table: Table, ann_s: Subscribed) -> None:
    response = ask(MINE, "ann", ann_s.address.secret)
    assert response.status_code == 200
    assert Calendar.from_ical(response.content).walk("VEVENT")
    assert response.content == ann_s.get().content
    assert response["Cache-Control"] == "private, no-cache"
    assert not response.cookies
    assert not Session.objects.exists()
    tag = response["ETag"]
    again = Client().get(MINE, headers={"Authorization": basic("Ann", ann_s.address.secret), "If-None-Match": tag})
    assert again.status_code == 304


def test_a_program_that_sends_nothing_is_asked_for_it(table: Table, ann_s: Subscribed) -> None:
    for url in (MINE, of_match(table.match), "/matches/nothing/calendar.ics"):
        response = Client().get(url)
        assert response.status_code == 401
        assert response["WWW-Authenticate"] == 'Basic realm="Genius calendar", charset="UTF-8"'
        assert response["Cache-Control"] == "no-store"
        assert not response.cookies
    assert not Tries.objects.exists(), "programs ask so before they send it"


def test_each_password_opens_its_own_calendar_alone(table: Table, ann_s: Subscribed) -> None:
    bob_s, of_one = Subscribed(table, "bob"), Subscribed(table, "ann", table.match)
    assert ask(of_match(table.match), "ann", of_one.address.secret).status_code == 200
    for url, name, password in (
        (MINE, "ann", bob_s.address.secret),
        (MINE, "bob", ann_s.address.secret),
        (MINE, "", ann_s.address.secret),
        (MINE, "ann", of_one.address.secret),
        (of_match(table.match), "ann", ann_s.address.secret),
        ("/matches/nothing/calendar.ics", "ann", of_one.address.secret),
    ):
        assert ask(url, name, password).status_code == 401, (url, name)


def test_the_account_s_password_opens_no_calendar(table: Table, ann_s: Subscribed) -> None:
    refused = ask(MINE, "ann", PASSWORD)
    assert refused.status_code == 401
    assert "not that of your account" in refused.content.decode()


def test_what_is_wrong_is_answered_alike_whether_or_not_there_is_such_a_person(table: Table, ann_s: Subscribed) -> None:
    old = ann_s.address.secret
    ann_s.address = make_address(table.users["ann"], None)
    wrong = [ask(MINE, name, secret) for name, secret in (("ann", "0" * 48), ("nobody", "0" * 48), ("ann", old))]
    revoke_address(table.users["ann"], None)
    wrong.append(ask(MINE, "ann", ann_s.address.secret))
    assert len({(each.status_code, each.content, each["WWW-Authenticate"]) for each in wrong}) == 1
    assert wrong[0].status_code == 401


@pytest.mark.parametrize(
    "sent", ["", "Basic", "Basic !!!", "Basic YW5u", "Basic /w==", "Bearer x", "Basic " + "YQ" * 5000, "basic OjpA"]
)
def test_odd_headers_are_asked_again(db: None, sent: str) -> None:
    assert Client().get(MINE, headers={"Authorization": sent}).status_code == 401


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_nothing_else_can_be_done_there(table: Table, ann_s: Subscribed, method: str) -> None:
    send = getattr(Client(enforce_csrf_checks=False), method)
    assert send(MINE, headers={"Authorization": basic("ann", ann_s.address.secret)}).status_code == 405


def test_wrong_ones_are_counted_by_where_they_come_from(
    table: Table, ann_s: Subscribed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "OF_AN_ADDRESS", 3)
    statuses = [ask(MINE, name, "0" * 48).status_code for name in ("ann", "bob", "nobody", "ann")]
    assert statuses == [401, 401, 401, 429]
    assert 0 < int(ask(MINE, "ann", "wrong")["Retry-After"]) <= 3600
    assert ask(MINE, "ann", ann_s.address.secret).status_code == 200, "who knows a password is not kept out"
    assert ask(MINE, "ann", "0" * 48, REMOTE_ADDR="192.0.2.7").status_code == 401


def test_they_use_up_nobody_s_tries_to_sign_in(
    table: Table, ann_s: Subscribed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program whose password was taken back asks on and on, from where its owner signs in."""
    for limit in ("OF_A_NAME", "OF_AN_ACCOUNT", "OF_AN_ADDRESS"):
        monkeypatch.setattr(checks, limit, 2)
    for _ in range(4):
        ask(MINE, "ann", "0" * 48)
    assert Client().post("/accounts/login/", {"login": "ann", "password": PASSWORD}).status_code == 302


def test_one_calendar_is_read_so_often_and_no_more(table: Table, ann_s: Subscribed, monkeypatch: Any) -> None:
    monkeypatch.setattr(calendar_text, "READS", Buckets(0.5, 2, clock=lambda: 0.0))
    assert [ask(MINE, "ann", ann_s.address.secret).status_code for _ in range(2)] == [200, 200]
    assert ask(MINE, "ann", ann_s.address.secret).status_code == 429


def test_a_closed_account_has_no_calendar(table: Table, ann_s: Subscribed) -> None:
    User.objects.filter(username="ann").update(is_active=False)
    assert ask(MINE, "ann", ann_s.address.secret).status_code == 401


def test_a_site_can_do_without_secrets_in_addresses(table: Table, ann_s: Subscribed, settings: Any) -> None:
    unknown = Client().get(f"/calendar/{'0' * 48}.ics").status_code
    settings.CALENDAR_ADDRESSES = "no-secrets"
    assert ann_s.get().status_code == unknown == 404
    assert ask(MINE, "ann", ann_s.address.secret).status_code == 200


def test_a_second_factor_that_is_owed_stops_no_calendar(table: Table, ann_s: Subscribed, settings: Any) -> None:
    """It can show nothing else, to programs that can show no factor."""
    settings.SECOND_FACTOR = "everybody"
    assert ask(MINE, "ann", ann_s.address.secret).status_code == 200
