"""The addresses of slash commands."""

from allauth.account.decorators import reauthentication_required
from django.urls import path

from chat_commands.web import account, interactions

app_name = "chat_commands"
urlpatterns = [
    path("chat/interactions/", interactions.interactions, name="interactions"),
    path("profile/chat/", account.account, name="account"),
    # Whoever links a chat account can act from it as this person.
    path("profile/chat/code/", reauthentication_required(account.code), name="code"),
    path("profile/chat/unlink/", account.unlink, name="unlink"),
]
