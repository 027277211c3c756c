"""The addresses of calendars and feeds."""

from django.urls import path

from feeds import views

app_name = "feeds"
urlpatterns = [
    path("profile/calendar/", views.calendars, name="calendars"),
    path("profile/calendar/new/", views.make, name="make_calendar"),
    path("profile/calendar/revoke/", views.revoke, name="revoke_calendar"),
    path("calendar/<str:secret>.ics", views.calendar, name="calendar"),
    path("results.atom", views.results, name="results"),
    path("matches/<slug:public_id>/feed.atom", views.match_feed, name="match"),
]
