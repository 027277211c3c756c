"""URLs of the API, below /api/."""

from django.urls import path, re_path

from matches.api import openapi, people, replay, views

app_name = "api"
urlpatterns = [
    path("openapi.json", openapi.openapi_json, name="openapi"),
    path("v1/", openapi.index, name="index"),
    path("v1/matches/", views.match_list, name="matches"),
    path("v1/matches/<slug:public_id>/", views.match_detail, name="match"),
    path("v1/matches/<slug:public_id>/actions/", views.act, name="actions"),
    path("v1/matches/<slug:public_id>/ask/", views.ask, name="ask"),
    path("v1/matches/<slug:public_id>/feed/", views.feed, name="feed"),
    path("v1/matches/<slug:public_id>/history/", views.history, name="history"),
    path("v1/matches/<slug:public_id>/hosts/", views.hosts, name="hosts"),
    path("v1/matches/<slug:public_id>/log/", views.log, name="log"),
    path("v1/matches/<slug:public_id>/export/", views.export, name="export"),
    path("v1/matches/<slug:public_id>/notes/", people.notes, name="notes"),
    path("v1/matches/<slug:public_id>/place/", people.place, name="place"),
    path("v1/matches/<slug:public_id>/players/", people.players, name="players"),
    path("v1/matches/<slug:public_id>/questions/", people.questions, name="questions"),
    path("v1/matches/<slug:public_id>/replay/", replay.replay, name="replay"),
    path("v1/people/<str:username>/", people.person, name="person"),
    path("v1/me/", people.me, name="me"),
    path("v1/me/matches/", people.my_matches, name="my_matches"),
    path("v1/games/", views.game_list, name="games"),
    path("v1/games/<slug:slug>/schema/", views.schema, name="schema"),
    re_path("", views.nothing_here),
]
