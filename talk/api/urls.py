"""URLs of the API of talk, below a match and below a season."""

from typing import Any

from django.urls import URLPattern, include, path

from talk.api import views
from talk.api.views import IN_MATCHES, IN_SEASONS, Opener


def of_channels(opener: Opener) -> list[URLPattern]:
    """Return the URLs that matches and seasons share."""
    how: Any = {"opener": opener}
    return [
        path("search/", views.search, how, name="search"),
        path("export/", views.export, how, name="export"),
        path("<slug:channel>/", views.channel, how, name="channel"),
        path("<slug:channel>/seen/", views.seen, how, name="seen"),
    ]


_OF_MATCHES = [
    path("", views.talk, {"opener": IN_MATCHES}, name="talk"),
    path("gift/", views.gift_words, {"opener": IN_MATCHES}, name="gift"),
    *of_channels(IN_MATCHES),
]
_OF_SEASONS = [
    path("", views.season_talk, {"opener": IN_SEASONS}, name="talk"),
    path("rooms/", views.rooms, {"opener": IN_SEASONS}, name="rooms"),
    path("confessionals/", views.confessionals, {"opener": IN_SEASONS}, name="confessionals"),
    *of_channels(IN_SEASONS),
]

urlpatterns = [
    path("matches/<slug:public_id>/talk/", include((_OF_MATCHES, "talk_api"))),
    path("seasons/<slug:public_id>/talk/", include((_OF_SEASONS, "season_talk_api"))),
]
