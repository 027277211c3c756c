"""The addresses of the pages of notices."""

from django.urls import path

from notices.web import choosing, views

app_name = "notices"
urlpatterns = [
    path("notices/", views.listed, name="list"),
    path("notices/here/", views.here, name="here"),
    path("notices/read/", views.read, name="read"),
    path("matches/<slug:public_id>/notices/", choosing.mute, name="mute"),
    path("profile/notices/", choosing.choose, name="choose"),
    path("profile/notices/mail/try/", choosing.try_mail, name="try_mail"),
    path("profile/notices/<str:token>/try/", choosing.try_out, name="try"),
    path("profile/notices/<str:token>/remove/", choosing.remove, name="remove"),
]
