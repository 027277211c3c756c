"""The model of slash commands: linked chat accounts."""

from django.conf import settings
from django.db import models

LONGEST_ID = 20
"""The most digits of a chat server's ids (64 bits)."""


class ChatAccount(models.Model):
    """A person's account on the chat server, one for each person. Its commands act as that person."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="chat_account")
    chat_id = models.CharField(max_length=LONGEST_ID, unique=True)
    linked_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"chat account of {self.user_id}"
