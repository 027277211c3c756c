"""The address of invitations to a season."""

from django.urls import path

from seasons.web import views

app_name = "season_invitations"
urlpatterns = [path("seasons/join/<str:code>/", views.invitation, name="invitation")]
