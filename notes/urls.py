"""URLs of private notes, all below a match."""

from django.urls import path

from notes import views

app_name = "notes"
urlpatterns = [
    path("matches/<slug:public_id>/notebook/", views.notebook, name="notebook"),
    path("matches/<slug:public_id>/notebook/export/", views.export, name="export"),
]
