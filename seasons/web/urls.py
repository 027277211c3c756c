"""URLs of the seasons' pages, and of invitations to them."""

from django.urls import include, path

from seasons.web import audience, views

_SEASON = "seasons/<slug:public_id>/"
_PAGES = [
    path("seasons/", views.all_seasons, name="seasons"),
    path(_SEASON, views.season, name="season"),
    path(f"{_SEASON}statement/", views.statement, name="statement"),
    path(f"{_SEASON}statement/<str:handle>/", views.statement, name="statement_of"),
    path(f"{_SEASON}story/", views.story, name="story"),
    path(f"{_SEASON}cast/", views.cast, name="cast"),
    path(f"{_SEASON}predictions/", views.predictions, name="predictions"),
    path(f"{_SEASON}rules/", views.rules, name="rules"),
    path(f"{_SEASON}apply/", audience.apply, name="apply"),
    path(f"{_SEASON}webhooks/", views.webhooks, name="webhooks"),
    path(f"{_SEASON}webhooks/<str:token>/<slug:act>/", views.act, name="webhook_act"),
    path(f"{_SEASON}gift/", views.give, name="give"),
    path(f"{_SEASON}viewers/<slug:token>/<slug:act>/", audience.act, name="viewer"),
    path("matches/<slug:public_id>/their-view/", audience.their_view, name="their_view"),
    path(f"{_SEASON}opponent/", views.name_opponent, name="name_opponent"),
]
_JOINING = [path("seasons/join/<str:code>/", views.invitation, name="invitation")]

urlpatterns = [
    path("", include((_JOINING, "season_invitations"))),
    path("", include((_PAGES, "seasons"))),
]
