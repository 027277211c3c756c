"""The addresses of the seasons' pages."""

from django.urls import path

from seasons.web.views import seasons, webhooks

app_name = "seasons"
_SEASON = "seasons/<slug:public_id>/"
urlpatterns = [
    path("seasons/", seasons.all_seasons, name="seasons"),
    path(_SEASON, seasons.season, name="season"),
    path(f"{_SEASON}statement/", seasons.statement, name="statement"),
    path(f"{_SEASON}statement/<str:handle>/", seasons.statement, name="statement_of"),
    path(f"{_SEASON}story/", seasons.story, name="story"),
    path(f"{_SEASON}rules/", seasons.rules, name="rules"),
    path(f"{_SEASON}picture.png", seasons.picture, name="picture"),
    path(f"{_SEASON}standings.csv", seasons.standings, name="standings_csv"),
    path(f"{_SEASON}ledger.csv", seasons.ledger, name="ledger_csv"),
    path(f"{_SEASON}season.json", seasons.whole, name="export"),
    path(f"{_SEASON}webhooks/", webhooks.webhooks, name="webhooks"),
    path(f"{_SEASON}webhooks/<str:token>/<slug:act>/", webhooks.act, name="webhook_act"),
    path(f"{_SEASON}opponent/", seasons.name_opponent, name="name_opponent"),
]
