"""URLs of slash commands."""

from django.urls import path

from chat_commands import views

app_name = "chat_commands"
urlpatterns = [
    path("chat/interactions/", views.interactions, name="interactions"),
    path("profile/chat/", views.account, name="account"),
    path("profile/chat/code/", views.code, name="code"),
    path("profile/chat/unlink/", views.unlink, name="unlink"),
]
