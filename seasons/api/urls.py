"""URLs of the API of seasons, below /api/v1/seasons/."""

from django.urls import path

from seasons.api import views

app_name = "seasons_api"
urlpatterns = [
    path("", views.seasons, name="seasons"),
    path("<slug:public_id>/", views.season, name="season"),
    path("<slug:public_id>/feed/", views.feed, name="feed"),
    path("<slug:public_id>/ledger/", views.ledger, name="ledger"),
    path("<slug:public_id>/export/", views.export, name="export"),
    path("<slug:public_id>/opponent/", views.opponent, name="opponent"),
    path("<slug:public_id>/gift/", views.gift, name="gift"),
]
