"""What is known of a match once it is over, and is not in its last state."""

from __future__ import annotations

from django.db import models


class Result(models.Model):
    """The result of a match that is over, as far as only its whole log tells it; everybody may know it.

    `draws`: each [kind, purpose, among, came], see `services.draws`. Who won is in the match's state.
    """

    match = models.OneToOneField("matches.Match", on_delete=models.PROTECT, related_name="result")
    draws = models.JSONField()

    def __str__(self) -> str:
        return f"result of {self.match_id}"


class PlayerResult(models.Model):
    """How a finished match ended for one player, stored with its end: whether they won, how many Tokens of Life they
    hold, and whether they are Elimination Candidate. It is what the match's last state says, here where the results of
    a person in many matches can be read together."""

    player = models.OneToOneField("matches.Player", on_delete=models.PROTECT, primary_key=True, related_name="result")
    won = models.BooleanField()
    tokens = models.PositiveIntegerField()
    candidate = models.BooleanField()

    def __str__(self) -> str:
        return f"result of {self.player_id}"
