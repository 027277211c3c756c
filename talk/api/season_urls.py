"""The addresses of talk, below /api/v1/seasons/<id>/talk/."""

from django.urls import path

from talk.api import views
from talk.api.urls import of_channels
from talk.api.views import IN_SEASONS

app_name = "season_talk_api"
urlpatterns = [
    path("", views.season_talk, {"opener": IN_SEASONS}, name="talk"),
    path("rooms/", views.rooms, {"opener": IN_SEASONS}, name="rooms"),
    path("confessionals/", views.confessionals, {"opener": IN_SEASONS}, name="confessionals"),
    *of_channels(IN_SEASONS),
]
