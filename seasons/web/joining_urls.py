"""The address of invitations to a season."""

from django.urls import path

from seasons.web.views import seasons

app_name = "season_invitations"
urlpatterns = [path("seasons/join/<str:code>/", seasons.invitation, name="invitation")]
