"""The addresses of talk, below /api/v1/matches/<id>/talk/; `season_urls` has them below a season."""

from typing import Any

from django.urls import URLPattern, path

from talk.api import views
from talk.api.views import IN_MATCHES, Opener


def of_channels(opener: Opener) -> list[URLPattern]:
    """What is read and written likewise everywhere."""
    how: Any = {"opener": opener}
    return [
        path("search/", views.search, how, name="search"),
        path("export/", views.export, how, name="export"),
        path("<slug:channel>/", views.channel, how, name="channel"),
        path("<slug:channel>/seen/", views.seen, how, name="seen"),
    ]


app_name = "talk_api"
urlpatterns = [
    path("", views.talk, {"opener": IN_MATCHES}, name="talk"),
    path("gift/", views.gift_words, {"opener": IN_MATCHES}, name="gift"),
    *of_channels(IN_MATCHES),
]
