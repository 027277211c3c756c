"""A word that a player adds to a coming match's chance."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from matches.engine.words import LONGEST_WORD
from matches.models.submission import new_salt


class SealedWord(models.Model):
    """A person's word for a match that has not begun. Nobody but them may read it until the match begins; then the
    words of those who play go into the log, and these rows are deleted."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="sealed_words", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    word = models.CharField(max_length=LONGEST_WORD)
    salt = models.CharField(max_length=32, default=new_salt)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="word_once_a_match")]

    def __str__(self) -> str:
        return f"sealed word of {self.user_id}"
