"""Addresses under /profile/; those under /accounts/ are allauth's."""

from allauth.account.decorators import reauthentication_required
from django.urls import path

from accounts import views

app_name = "accounts"
urlpatterns = [
    path("", views.profile, name="profile"),
    # A token lasts longer than the session in which somebody left their computer.
    path("tokens/", reauthentication_required(views.tokens), name="tokens"),
    path("picture/", views.picture, name="picture"),
    path("picture/<str:token>.png", views.picture_file, name="picture_file"),
    path("tokens/<int:pk>/revoke/", views.revoke_token, name="revoke_token"),
    path("export.json", views.export, name="export"),
    path("leave/", views.leave, name="leave"),
]
