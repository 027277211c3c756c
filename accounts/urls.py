"""Addresses under /profile/; those under /accounts/ are allauth's."""

from allauth.account.decorators import reauthentication_required
from django.urls import path

from accounts import views

app_name = "accounts"
urlpatterns = [
    path("", views.profile, name="profile"),
    # Asks for the password again: a token outlives the session on a computer that somebody left open.
    path("tokens/", reauthentication_required(views.tokens), name="tokens"),
    path("picture/", views.picture, name="picture"),
    path("picture/<str:token>.png", views.picture_file, name="picture_file"),
    path("tokens/<int:pk>/revoke/", views.revoke_token, name="revoke_token"),
    path("export.json", views.export, name="export"),
    path("leave/", views.leave, name="leave"),
]
