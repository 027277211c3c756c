"""Invitations: links with which one person can take a place, and what became of each."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models

from matches.models.player import Player, new_nonce


class Link(models.Model):
    """An invitation to whatever has places, a match or a season. `nonce` makes the link: of an open place it is the
    place's own `invite_nonce`, so a link works only as long as the two are the same.

    `label` and `sent_to`: for whom it is meant; only hosts read it. `made_at` is empty where nobody noted it.
    """

    nonce = models.CharField(max_length=32, unique=True, default=new_nonce)
    made_at = models.DateTimeField(null=True)
    made_by = models.CharField(max_length=150, blank=True, default="")
    sent_to = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    times_sent = models.PositiveSmallIntegerField(default=0)
    label = models.CharField(max_length=80, blank=True, default="")
    expires_at = models.DateTimeField(null=True)
    opened_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)
    used_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
        ordering = ["-pk"]

    def is_alive(self, now: datetime) -> bool:
        """Whether the link works, as far as its place is still as it was."""
        is_over = self.expires_at is not None and self.expires_at <= now
        return self.used_at is None and self.revoked_at is None and not is_over


class Invitation(Link):
    """A link to a place of a match. With `takes_over` it is for a place in which `instead_of` (or a bot) plays until
    the link is used."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="invitations")
    player = models.ForeignKey("matches.Player", on_delete=models.CASCADE, related_name="invitations")
    takes_over = models.BooleanField(default=False)
    instead_of = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")

    class Meta(Link.Meta):
        pass

    def __str__(self) -> str:
        return f"invitation to {self.player}"

    @property
    def place(self) -> Player:
        """The place to which it is."""
        return self.player

    def fits(self, player: Player) -> bool:
        """Whether the place is still as it was when the link was made."""
        if self.takes_over:
            return not player.is_open and player.user_id == self.instead_of_id
        return player.is_open and player.invite_nonce == self.nonce
