"""What a match's hosts have chosen about talk."""

from __future__ import annotations

from django.db import models


class TalkChoices(models.Model):
    """Which kinds of talk a match has, and who besides the participants may read. Fixed when the match begins. A match
    without a row has the usual choices, which are the defaults."""

    match = models.OneToOneField(
        "matches.Match", on_delete=models.CASCADE, primary_key=True, related_name="talk_choices"
    )
    public = models.BooleanField("public talk", default=True)
    spectators = models.BooleanField("everybody with an account may write in public talk", default=False)
    team = models.BooleanField("a channel for each team", default=True)
    private = models.BooleanField("private talk between players", default=True)
    speeches = models.BooleanField("words with a gift", default=True)
    hosts_read = models.BooleanField("hosts can read what teams and players write to each other", default=False)

    class Meta:
        verbose_name_plural = "choices about talk"

    def __str__(self) -> str:
        return f"talk of {self.match_id}"
