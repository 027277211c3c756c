"""The addresses of talk, below /api/v1/matches/<id>/talk/."""

from django.urls import path

from talk.api import views

app_name = "talk_api"
urlpatterns = [
    path("", views.talk, name="talk"),
    path("search/", views.search, name="search"),
    path("export/", views.export, name="export"),
    path("gift/", views.gift_words, name="gift"),
    path("<slug:channel>/", views.channel, name="channel"),
    path("<slug:channel>/seen/", views.seen, name="seen"),
]
