"""Invitations: links with which one person can take an open place of a season's cast, and what became of each."""

from __future__ import annotations

from django.db import models

from matches.models import Link
from seasons.models.member import Member


class SeasonInvitation(Link):
    """A link to an open place of the cast. `key`: who has done the last thing with it, and the one-time key of that."""

    season = models.ForeignKey("seasons.Season", on_delete=models.CASCADE, related_name="invitations")
    member = models.ForeignKey("seasons.Member", on_delete=models.CASCADE, related_name="invitations")
    key = models.CharField(max_length=260, blank=True, default="")

    class Meta(Link.Meta):
        pass

    def __str__(self) -> str:
        return f"invitation to {self.member}"

    @property
    def place(self) -> Member:
        """The place to which it is."""
        return self.member

    def fits(self, member: Member) -> bool:
        """Whether the place is still as it was when the link was made."""
        return member.is_open and member.invite_nonce == self.nonce and member.status == Member.Status.IN
