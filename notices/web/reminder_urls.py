"""The addresses of reminders."""

from django.urls import path

from notices.web import reminders

app_name = "reminders"
urlpatterns = [
    path("profile/notices/reminders/", reminders.spacing, name="spacing"),
    path("matches/<slug:public_id>/again/", reminders.again, name="again"),
    path("notices/again/<str:signed>/", reminders.again_by_link, name="again_by_link"),
]
