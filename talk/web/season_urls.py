"""The addresses of talk's pages below a season."""

from typing import Any

from django.urls import path

from talk.web import reading, writing
from talk.web.page import open_season_talk
from talk.web.urls import pages

app_name = "season_talk"
_TALK = "seasons/<slug:public_id>/talk/"
_HOW: Any = {"opener": open_season_talk}
urlpatterns = [
    *pages(_TALK, open_season_talk),
    path(f"{_TALK}rooms/", reading.rooms, _HOW, name="rooms"),
    path(f"{_TALK}confessionals/", reading.confessionals, _HOW, name="confessionals"),
    path(f"{_TALK}quiet/", writing.quiet, _HOW, name="quiet"),
    path(f"{_TALK}message/<str:token>/release/", writing.release, _HOW, name="release"),
]
