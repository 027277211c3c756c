"""The addresses of the seasons' pages."""

from django.urls import path

from seasons.web import applying, viewers, views

app_name = "seasons"
_SEASON = "seasons/<slug:public_id>/"
urlpatterns = [
    path("seasons/", views.all_seasons, name="seasons"),
    path(_SEASON, views.season, name="season"),
    path(f"{_SEASON}statement/", views.statement, name="statement"),
    path(f"{_SEASON}statement/<str:handle>/", views.statement, name="statement_of"),
    path(f"{_SEASON}story/", views.story, name="story"),
    path(f"{_SEASON}cast/", views.cast, name="cast"),
    path(f"{_SEASON}predictions/", views.predictions, name="predictions"),
    path(f"{_SEASON}rules/", views.rules, name="rules"),
    path(f"{_SEASON}season.json", views.whole, name="export"),
    path(f"{_SEASON}apply/", applying.apply, name="apply"),
    path(f"{_SEASON}webhooks/", views.webhooks, name="webhooks"),
    path(f"{_SEASON}webhooks/<str:token>/<slug:act>/", views.act, name="webhook_act"),
    path(f"{_SEASON}gift/", views.give, name="give"),
    path(f"{_SEASON}viewers/<slug:token>/<slug:act>/", viewers.act, name="viewer"),
    path("matches/<slug:public_id>/their-view/", viewers.their_view, name="their_view"),
    path(f"{_SEASON}opponent/", views.name_opponent, name="name_opponent"),
]
