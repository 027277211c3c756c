"""The addresses of seasons, below /api/v1/seasons/."""

from django.urls import path

from seasons.api import cast, hosting, invitations, listing, views

app_name = "seasons_api"
urlpatterns = [
    path("", listing.seasons, name="seasons"),
    path("mine/", listing.mine, name="mine"),
    path("<slug:public_id>/", views.season, name="season"),
    path("<slug:public_id>/feed/", views.feed, name="feed"),
    path("<slug:public_id>/ledger/", views.ledger, name="ledger"),
    path("<slug:public_id>/export/", views.export, name="export"),
    path("<slug:public_id>/opponent/", views.opponent, name="opponent"),
    path("<slug:public_id>/commands/", views.commands, name="commands"),
    path("<slug:public_id>/cast/", cast.cast, name="cast"),
    path("<slug:public_id>/desk/", hosting.desk, name="desk"),
    path("<slug:public_id>/invitations/", invitations.invitations, name="invitations"),
    path("<slug:public_id>/matches/", hosting.matches, name="matches"),
]
