"""The addresses of the pages about a match's webhooks."""

from django.urls import path

from notices.match_webhooks import views

app_name = "match_webhooks"
urlpatterns = [
    path("matches/<slug:public_id>/webhooks/", views.webhooks, name="list"),
    path("matches/<slug:public_id>/webhooks/<str:token>/<slug:act>/", views.act, name="act"),
]
