"""The addresses of calendars and feeds."""

from django.urls import path

from feeds.views import addresses, atom, calendar_text

app_name = "feeds"
urlpatterns = [
    path("profile/calendar/", addresses.calendars, name="calendars"),
    path("profile/calendar/new/", addresses.make, name="make_calendar"),
    path("profile/calendar/revoke/", addresses.revoke, name="revoke_calendar"),
    path("calendar/matches.ics", calendar_text.by_password, name="calendar_of_all"),
    path("matches/<slug:public_id>/calendar.ics", calendar_text.by_password, name="calendar_of_match"),
    path("calendar/<str:secret>.ics", calendar_text.by_secret, name="calendar"),
    path("results.atom", atom.results, name="results"),
    path("matches/<slug:public_id>/feed.atom", atom.match, name="match"),
]
