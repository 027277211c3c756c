"""URLs of practice, below a match type's own page."""

from django.urls import path

from practice import views

app_name = "practice"
urlpatterns = [
    path("games/<slug:slug>/practice/", views.table, name="table"),
    path("games/<slug:slug>/practice/preview/", views.preview, name="preview"),
]
