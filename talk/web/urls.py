"""The addresses of talk's pages, all below a match."""

from django.urls import path

from talk.web import reading, writing

app_name = "talk"
_TALK = "matches/<slug:public_id>/talk/"
urlpatterns = [
    path(_TALK, reading.first_channel, name="talk"),
    path(f"{_TALK}in/<slug:channel>/", reading.channel, name="channel"),
    path(f"{_TALK}in/<slug:channel>/latest/", reading.latest, name="latest"),
    path(f"{_TALK}in/<slug:channel>/write/", writing.write, name="write"),
    path(f"{_TALK}channels/", reading.channels, name="channels"),
    path(f"{_TALK}new/", writing.begin, name="begin"),
    path(f"{_TALK}unread/", reading.unread_count, name="unread"),
    path(f"{_TALK}search/", reading.search, name="search"),
    path(f"{_TALK}export/", reading.export, name="export"),
    path(f"{_TALK}choices/", writing.choices, name="choices"),
    path(f"{_TALK}reports/", writing.reports, name="reports"),
    path(f"{_TALK}message/<str:token>/report/", writing.report, name="report"),
    path(f"{_TALK}message/<str:token>/hide/", writing.hide, name="hide"),
]
