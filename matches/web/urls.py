"""The addresses of the pages of matches."""

from django.urls import path

from matches.api import views as api
from matches.web.views import acting, asking, front, games, joining, notices, records, table

app_name = "matches"
urlpatterns = [
    path("", front.home, name="home"),
    path("me/", front.mine, name="mine"),
    path("me/all/", front.all_mine, name="all_mine"),
    path("me/hosted/", front.hosted, name="hosted"),
    path("games/", games.games, name="games"),
    path("games/<slug:slug>/", games.game, name="game"),
    path("games/<slug:slug>/ask/", asking.ask_of_game, name="ask_of_game"),
    path("join/<str:code>/", joining.invitation, name="invitation"),
    path("notices/read/", notices.read, name="read_notices"),
    path("matches/", front.matches, name="matches"),
    path("matches/<slug:public_id>/", table.match, name="match"),
    path("matches/<slug:public_id>/parts/", table.parts, name="parts"),
    path("matches/<slug:public_id>/act/", acting.act, name="act"),
    path("matches/<slug:public_id>/preview/", acting.preview, name="preview"),
    path("matches/<slug:public_id>/ask/", asking.ask, name="ask"),
    path("matches/<slug:public_id>/join/", joining.join, name="join"),
    path("matches/<slug:public_id>/leave/", joining.leave, name="leave"),
    path("matches/<slug:public_id>/rules/", table.rules, name="rules"),
    path("matches/<slug:public_id>/history/", records.history, name="history"),
    path("matches/<slug:public_id>/news/", records.news, name="news"),
    path("matches/<slug:public_id>/result/", records.result, name="result"),
    path("matches/<slug:public_id>/log/", records.log, name="log"),
    path("matches/<slug:public_id>/log.json", api.log, name="log_json"),
]
