"""The address of invitations to a season."""

from django.urls import path

from seasons.web.views import joining

app_name = "season_invitations"
urlpatterns = [path("seasons/join/<str:code>/", joining.invitation, name="invitation")]
