"""URLs of talk's pages below a match and below a season."""

from typing import Any

from django.urls import URLPattern, include, path

from talk.web import reading, writing
from talk.web.page import Opener, open_season_talk, open_talk


def pages(below: str, opener: Opener) -> list[URLPattern]:
    """Return the URLs that matches and seasons share."""
    how: Any = {"opener": opener}
    room, message = f"{below}in/<slug:channel>/", f"{below}message/<str:token>/"
    return [
        path(below, reading.first_channel, how, name="talk"),
        path(room, reading.channel, how, name="channel"),
        path(f"{room}latest/", reading.latest, how, name="latest"),
        path(f"{room}write/", writing.write, how, name="write"),
        path(f"{room}mute/", writing.mute, how, name="mute"),
        path(f"{below}channels/", reading.channels, how, name="channels"),
        path(f"{below}new/", writing.begin, how, name="begin"),
        path(f"{below}unread/", reading.unread_count, how, name="unread"),
        path(f"{below}search/", reading.search, how, name="search"),
        path(f"{below}export/", reading.export, how, name="export"),
        path(f"{below}choices/", writing.choices, how, name="choices"),
        path(f"{below}reports/", writing.reports, how, name="reports"),
        path(f"{message}report/", writing.report, how, name="report"),
        path(f"{message}hide/", writing.hide, how, name="hide"),
    ]


_BELOW = "seasons/<slug:public_id>/talk/"
_IN_SEASONS: Any = {"opener": open_season_talk}
_OF_SEASONS = [
    *pages(_BELOW, open_season_talk),
    path(f"{_BELOW}rooms/", reading.rooms, _IN_SEASONS, name="rooms"),
    path(f"{_BELOW}confessionals/", reading.confessionals, _IN_SEASONS, name="confessionals"),
    path(f"{_BELOW}quiet/", writing.quiet, _IN_SEASONS, name="quiet"),
    path(f"{_BELOW}message/<str:token>/release/", writing.release, _IN_SEASONS, name="release"),
]

urlpatterns = [
    path("", include((pages("matches/<slug:public_id>/talk/", open_talk), "talk"))),
    path("", include((_OF_SEASONS, "season_talk"))),
]
