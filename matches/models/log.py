"""The log of a match, what was told with its rows, what of that is still to be passed on, and what hosts and players
say to each other.
"""

import secrets
from collections.abc import Mapping
from datetime import UTC, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from matches.engine import chain
from matches.engine.strict_json import canonical

MICROSECOND = timedelta(microseconds=1)

# -- submission ------------------------------------------------------------------------------------------
# The append-only log of everything done in a match. State, bids and ledger all follow from it.


def new_salt() -> str:
    """128 random bits: what is hashed with them cannot be guessed from the hash."""
    return secrets.token_hex(16)


class Row(models.Model):
    """A row of the log of a match or of a season. Never changed, never deleted. `hash` covers the row and the hash of
    the row before. `salt`: random, so that nobody can try out what a row may say until its hash, which is published,
    fits."""

    number = models.PositiveIntegerField()
    actor = models.CharField(max_length=170)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    payload = models.TextField()
    received_at = models.DateTimeField()
    key = models.CharField(max_length=100, blank=True)
    salt = models.CharField(max_length=32, default=new_salt)
    previous_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)

    class Meta:
        abstract = True
        verbose_name = "log row"
        verbose_name_plural = "log"

    def facts(self) -> Mapping[str, Any]:
        """What the hash of the content covers: everything in the row."""
        raise NotImplementedError

    def content_hash(self) -> str:
        """The hash of what the row says."""
        return chain.content_hash(self.facts())

    def row_hash(self) -> str:
        """The row's hash, which chains it to the row before."""
        return chain.row_hash(self.previous_hash, self.content_hash())

    def received_in_utc(self) -> str:
        """When it was received, as its facts say it."""
        return self.received_at.astimezone(UTC).isoformat(timespec="microseconds")


class Submission(Row):
    """One row of the log.

    `actor` is `player:<handle>`, `host:<username>`, `clock`, or `site` for its own programs. `receipt_hash` covers the
    payload with a salt and is what the player was given. `inner_salt` is never published: it hides `user` and
    `own_number` in the hash.
    """

    class Kind(models.TextChoices):
        ACTION = "action", "Action of a player"
        COMMAND = "command", "Command of a host"
        DEADLINE = "deadline", "Deadline passed"

    match = models.ForeignKey("matches.Match", on_delete=models.PROTECT, related_name="log", db_index=False)
    kind = models.CharField(max_length=8, choices=Kind)
    player = models.ForeignKey("matches.Player", on_delete=models.PROTECT, null=True, related_name="submissions")
    match_time = models.DurationField()
    accepted = models.BooleanField()
    code = models.CharField(max_length=40, blank=True)
    message = models.TextField(blank=True)
    field = models.CharField(max_length=200, blank=True)
    own_number = models.PositiveIntegerField(null=True)
    inner_salt = models.CharField(max_length=32)
    receipt_hash = models.CharField(max_length=64)

    class Meta(Row.Meta):
        ordering = ["match", "number"]
        indexes = [
            # Each refused action asks how many there were before it (services/refusal_quota.py).
            models.Index(fields=["player", "received_at"], condition=Q(accepted=False), name="log_refused"),
            models.Index(fields=["player", "-own_number"], condition=Q(own_number__isnull=False), name="log_receipts"),
            # Commands and deadlines, which have no player: few among many actions.
            models.Index(fields=["match", "-number"], condition=Q(player__isnull=True), name="log_commands"),
        ]
        constraints = [
            # Its index finds the rows of a match, too.
            models.UniqueConstraint(fields=["match", "number"], name="log_number_once"),
            models.UniqueConstraint(
                fields=["match", "user", "key"],
                condition=~Q(key=""),
                name="log_key_once_an_account",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}#{self.number}"

    def receipt(self) -> str:
        """What the player is given: SHA-256 over salt, payload and match time."""
        return chain.sha256(f"{self.salt}\n{self.payload}\n{self.match_time // MICROSECOND}")

    def facts(self) -> Mapping[str, Any]:
        """Readers of the log get them. So the account's number and the player's own count, in which a gap would tell of
        a vote, are in them as a hash that nobody can guess."""
        inner = {"own_number": self.own_number, "user": self.user_id}
        return {
            "accepted": self.accepted,
            "actor": self.actor,
            "code": self.code,
            "field": self.field,
            "key": self.key,
            "kind": self.kind,
            "match_time": self.match_time // MICROSECOND,
            "message": self.message,
            "number": self.number,
            "payload": self.payload,
            "player": self.player.handle if self.player else None,
            "receipt": self.receipt_hash,
            "received_at": self.received_in_utc(),
            "salt": self.salt,
            "inner": chain.sha256(f"{self.inner_salt}\n{canonical(inner)}"),
        }


# -- announcement ----------------------------------------------------------------------------------------
# Announcements: what was told to whom, in the feed and as notices.


def new_token() -> str:
    """A random name for an announcement. A number would show how much others were told."""
    return secrets.token_urlsafe(9)


class Announcement(models.Model):
    """One thing told. `audience` is everyone, hosts, or player:<handle>.

    `player` is set where it is one player's; empty again where they have left before the start. `read_at` is set where
    it answers an action of that player's own, who has just seen it happen: it is told to nobody elsewhere.
    """

    match = models.ForeignKey("matches.Match", on_delete=models.PROTECT, related_name="announcements", db_index=False)
    submission = models.ForeignKey("matches.Submission", on_delete=models.PROTECT, related_name="announcements")
    token = models.CharField(max_length=12, unique=True, default=new_token)
    audience = models.CharField(max_length=50)
    player = models.ForeignKey(
        "matches.Player", on_delete=models.SET_NULL, null=True, related_name="announcements", db_index=False
    )
    kind = models.CharField(max_length=40)
    data = models.JSONField(default=dict)
    at = models.DateTimeField()
    match_time = models.DurationField()
    read_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        # They begin with `match` and `player`, so those need no indexes of their own.
        indexes = [
            models.Index(fields=["match", "audience", "-id"], name="announcement_feed"),
            models.Index(fields=["player", "-id"], condition=Q(player__isnull=False), name="announcement_own"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.audience}"


# -- outbox ----------------------------------------------------------------------------------------------
# The outbox: which rows of the log have told somebody something that has not been passed on yet.
#
# It is written in the transaction of the announcements themselves, so nothing that was told is lost if the process
# dies right after. What passes things on (to e-mail, phones, other programs) deletes the row when that is stored.


class OutboxRow(models.Model):
    """A row of the log with announcements that are still to be passed on."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="+", db_index=False)
    submission = models.OneToOneField("matches.Submission", on_delete=models.CASCADE, related_name="+")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"row {self.submission_id} of the log"


# -- what hosts and players say to each other --------------------------------------------------------------
# What hosts and players say to each other about a match: notes for everybody, and private questions.
#
# The log has all of it, too. These tables are for reading: `services.replay.verify` compares them with the log.


class HostNote(models.Model):
    """An announcement or a clarification that everybody reads on the match's page. Its words never change.

    `corrects`: the note whose place it takes; a note has one successor at most. `asked`: the question that it answers,
    in the host's words; empty if there is none. `withdrawn_at`: since when it no longer counts, and by whom and why.
    """

    class Kind(models.TextChoices):
        ANNOUNCEMENT = "announcement", "Announcement"
        CLARIFICATION = "clarification", "Clarification"

    match = models.ForeignKey("matches.Match", on_delete=models.PROTECT, related_name="notes")
    submission = models.ForeignKey("matches.Submission", on_delete=models.PROTECT, related_name="+")
    token = models.CharField(max_length=12, unique=True, default=new_token)
    kind = models.CharField(max_length=13, choices=Kind)
    host = models.CharField(max_length=150)
    asked = models.TextField(blank=True, default="")
    text = models.TextField()
    at = models.DateTimeField()
    corrects = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="corrected_by")
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_by = models.CharField(max_length=150, blank=True, default="")
    withdrawn_because = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.kind} {self.token}"


class Question(models.Model):
    """A private question of a player to the hosts, and its answer.

    It belongs to the person who asked (`user`): the next person in that place does not see it, so
    `handle` is only what they were called. Answered to everybody, it has a `note` instead of an `answer`.
    """

    match = models.ForeignKey("matches.Match", on_delete=models.PROTECT, related_name="questions", db_index=False)
    submission = models.ForeignKey("matches.Submission", on_delete=models.PROTECT, related_name="+")
    token = models.CharField(max_length=12, unique=True, default=new_token)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    handle = models.CharField(max_length=30)
    text = models.TextField()
    at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)
    answered_by = models.CharField(max_length=150, blank=True, default="")
    answer = models.TextField(blank=True, default="")
    note = models.ForeignKey(HostNote, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["match", "user"], name="question_own"),
            models.Index(fields=["match"], condition=Q(answered_at__isnull=True), name="question_open"),
        ]

    def __str__(self) -> str:
        return f"question {self.token}"


class NotesRead(models.Model):
    """Until when a person has read the notes of a match."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    until = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="notes_read_once_a_match")]

    def __str__(self) -> str:
        return f"{self.user} until {self.until}"
