"""The addresses of calendars and feeds."""

from django.urls import path

from feeds.views import addresses, atom, calendar_text

app_name = "feeds"
urlpatterns = [
    path("profile/calendar/", addresses.calendars, name="calendars"),
    path("profile/calendar/new/", addresses.make, name="make_calendar"),
    path("profile/calendar/revoke/", addresses.revoke, name="revoke_calendar"),
    path("calendar/<str:secret>.ics", calendar_text.calendar, name="calendar"),
    path("results.atom", atom.results, name="results"),
    path("matches/<slug:public_id>/feed.atom", atom.match, name="match"),
]
