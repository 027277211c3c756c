"""Models of slash commands: linked chat accounts, and actions that wait because their match is busy."""

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


class WaitingAction(models.Model):
    """An action that waits because its match is busy. Its answer is posted with `token`, which the chat server accepts
    for a quarter of an hour; the row is deleted by then."""

    interaction_id = models.CharField(max_length=LONGEST_ID, unique=True)
    token = models.CharField(max_length=500)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="+")
    action = models.JSONField()
    answer = models.TextField(blank=True, default="")  # set once the action was judged
    since = models.DateTimeField()
    due_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"waiting {self.interaction_id}"
