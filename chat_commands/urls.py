"""The addresses of slash commands."""

from django.urls import path

from chat_commands.web import account, interactions

app_name = "chat_commands"
urlpatterns = [
    path("chat/interactions/", interactions.interactions, name="interactions"),
    path("profile/chat/", account.account, name="account"),
    path("profile/chat/code/", account.code, name="code"),
    path("profile/chat/unlink/", account.unlink, name="unlink"),
]
