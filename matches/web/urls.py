"""URLs of the pages of matches."""

from django.urls import path

from matches.api import views as api
from matches.web import spoilers
from matches.web.views import acting, asking, front, mine, people, places, records, replays, table, verifying

app_name = "matches"
urlpatterns = [
    path("", front.home, name="home"),
    path("me/", mine.mine, name="mine"),
    path("me/next/", mine.next_of_mine, name="next"),
    path("me/all/", mine.all_mine, name="all_mine"),
    path("me/hosted/", mine.hosted, name="hosted"),
    path("checking/", verifying.checking, name="checking"),
    path("check_export.py", verifying.script, name="check_export"),
    path("results/", spoilers.results, name="results"),
    path("results/show/", spoilers.show_result, name="show_result"),
    path("games/", front.games, name="games"),
    path("games/<slug:slug>/", front.game, name="game"),
    path("games/<slug:slug>/ask/", asking.ask_of_game, name="ask_of_game"),
    path("bots/", people.bots, name="bots"),
    path("bots/bot.py", people.example, name="example_bot"),
    path("join/<str:code>/", places.invitation, name="invitation"),
    path("people/me/", people.me, name="my_page"),
    path("people/<str:username>/", people.person, name="person"),
    path("people/<str:username>/hosted/", people.hosted, name="person_hosted"),
    path("matches/", front.matches, name="matches"),
    path("matches/<slug:public_id>/", table.match, name="match"),
    path("matches/<slug:public_id>/parts/", table.parts, name="parts"),
    path("matches/<slug:public_id>/act/", acting.act, name="act"),
    path("matches/<slug:public_id>/preview/", asking.preview, name="preview"),
    path("matches/<slug:public_id>/ask/", asking.ask, name="ask"),
    path("matches/<slug:public_id>/join/", places.join, name="join"),
    path("matches/<slug:public_id>/leave/", places.leave, name="leave"),
    path("matches/<slug:public_id>/ready/", places.ready, name="ready"),
    path("matches/<slug:public_id>/place/", places.place, name="place"),
    path("matches/<slug:public_id>/picture.png", replays.picture, name="picture"),
    path("matches/<slug:public_id>/recap/", records.recap, name="recap"),
    path("matches/<slug:public_id>/hosts/", table.hosts, name="hosts"),
    path("matches/<slug:public_id>/hosts/ask/", table.ask, name="ask_hosts"),
    path("matches/<slug:public_id>/hosts/read/", table.read, name="read_notes"),
    path("matches/<slug:public_id>/replay/", replays.replay, name="replay"),
    path("matches/<slug:public_id>/replay/frames/", replays.frames, name="replay_frames"),
    path("matches/<slug:public_id>/rules/", table.rules, name="rules"),
    path("matches/<slug:public_id>/history/", records.history, name="history"),
    path("matches/<slug:public_id>/news/", records.news, name="news"),
    path("matches/<slug:public_id>/result/", records.result, name="result"),
    path("matches/<slug:public_id>/log/", verifying.log, name="log"),
    path("matches/<slug:public_id>/log.json", api.log, name="log_json"),
]
