"""The page on which people make and revoke their calendar's address."""

from notices.models import CalendarAddress
from tests.web.conftest import Table, browser

PAGE = "/profile/calendar/"


def test_one_makes_a_calendar_sees_it_takes_a_new_one_and_revokes_it(table: Table) -> None:
    ann = browser(table.users["ann"])
    assert "Make a calendar" in ann.look(PAGE)
    ann.post(f"{PAGE}new/")
    first = CalendarAddress.objects.get().secret
    page = ann.look(PAGE)
    assert f'value="http://127.0.0.1:8000/calendar/{first}.ics"' in page
    assert f'href="webcal://127.0.0.1:8000/calendar/{first}.ics"' in page
    ann.post(f"{PAGE}new/")
    second = CalendarAddress.objects.get().secret
    assert second != first
    assert first not in ann.look(PAGE)
    ann.post(f"{PAGE}revoke/")
    assert second not in ann.look(PAGE)
    assert not CalendarAddress.objects.exists()
