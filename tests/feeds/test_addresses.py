"""The page on which people make and revoke calendars, and take new passwords for them."""

from __future__ import annotations

from typing import Any

import pytest

from feeds.calendars import addresses
from feeds.models import CalendarAddress
from tests.web.conftest import Table, browser

PAGE = "/profile/calendar/"


def test_one_makes_a_calendar_sees_it_takes_a_new_password_and_revokes_it(table: Table) -> None:
    ann = browser(table.users["ann"])
    assert "Make a calendar" in ann.look(PAGE)
    ann.post(f"{PAGE}new/")
    first = CalendarAddress.objects.get().secret
    page = ann.look(PAGE)
    assert 'value="http://127.0.0.1:8000/calendar/matches.ics"' in page
    assert 'href="webcal://127.0.0.1:8000/calendar/matches.ics"' in page
    assert f'value="{first}"' in page
    assert "with the name “ann”" in page
    assert f'value="http://127.0.0.1:8000/calendar/{first}.ics"' in page, "for programs that send no password"
    ann.post(f"{PAGE}new/")
    second = CalendarAddress.objects.get().secret
    assert second != first
    assert first not in ann.look(PAGE)
    ann.post(f"{PAGE}revoke/")
    assert second not in ann.look(PAGE)
    assert not CalendarAddress.objects.exists()


def test_the_match_page_leads_to_a_calendar_of_that_match(table: Table) -> None:
    ann, public_id = browser(table.users["ann"]), table.match.public_id
    assert f'href="{PAGE}?match={public_id}"' in ann.look(table.url)
    offered = ann.look(f"{PAGE}?match={public_id}")
    assert f'name="match" value="{public_id}"' in offered
    ann.post(f"{PAGE}new/", {"match": public_id})
    address = CalendarAddress.objects.get()
    assert address.match == table.match
    page = ann.look(f"{PAGE}?match={public_id}")
    assert address.secret in page
    assert f'value="http://127.0.0.1:8000/matches/{public_id}/calendar.ics"' in page
    ann.post(f"{PAGE}revoke/", {"match": public_id})
    assert not CalendarAddress.objects.exists()


def test_where_a_site_has_no_secrets_in_addresses_the_page_shows_none(table: Table, settings: Any) -> None:
    settings.CALENDAR_ADDRESSES = "no-secrets"
    ann = browser(table.users["ann"])
    ann.post(f"{PAGE}new/")
    page = ann.look(PAGE)
    assert f'value="{CalendarAddress.objects.get().secret}"' in page
    assert "Secret address" not in page
    assert f"{CalendarAddress.objects.get().secret}.ics" not in page


def test_visitors_have_no_calendar(table: Table) -> None:
    visitor = browser()
    assert "/profile/calendar/" not in visitor.look(table.url)
    for address in (PAGE, f"{PAGE}new/", f"{PAGE}revoke/"):
        assert visitor.get(address).status_code == 302
        assert visitor.post(address).status_code == 302


def test_addresses_are_made_by_forms_with_a_token_alone(table: Table) -> None:
    ann = browser(table.users["ann"], enforce_csrf_checks=True)
    assert ann.post(f"{PAGE}new/").status_code == 403
    assert ann.get(f"{PAGE}new/").status_code == 405


@pytest.mark.parametrize("wanted", ["nothing", "draft"])
def test_there_is_none_of_a_match_that_one_may_not_see(table: Table, present: Any, wanted: str) -> None:
    public_id = Table(present).match.public_id if wanted == "draft" else wanted
    eve = browser(table.users["eve"])
    assert "Night table" not in eve.look(f"{PAGE}?match={public_id}")
    assert eve.post(f"{PAGE}new/", {"match": public_id}).status_code == 404
    assert eve.post(f"{PAGE}revoke/", {"match": public_id}).status_code == 404


def test_nobody_touches_another_s_address(table: Table) -> None:
    browser(table.users["ann"]).post(f"{PAGE}new/", {"match": table.match.public_id})
    assert browser(table.users["bob"]).post(f"{PAGE}revoke/", {"match": table.match.public_id}).status_code == 404
    assert CalendarAddress.objects.get().user == table.users["ann"]


def test_there_is_a_limit_and_it_is_said(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "MOST", 1)
    ann = browser(table.users["ann"])
    ann.post(f"{PAGE}new/")
    page = ann.post(f"{PAGE}new/", {"match": table.match.public_id}, follow=True).content.decode()
    assert "which is the limit" in page
    assert CalendarAddress.objects.count() == 1
    ann.post(f"{PAGE}new/")
    assert CalendarAddress.objects.count() == 1, "replacing is no further one"
