"""The log of a match, announcements, the outbox, hosts' notes, and players' questions to the hosts."""

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
    """128 random bits in hex, so that nobody can guess from a hash what was hashed with them."""
    return secrets.token_hex(16)


class Row(models.Model):
    """A row of the log of a match or season. Never changed, never deleted. `hash` covers the row and the hash of the
    row before. The random `salt` keeps anybody from guessing a row's content by trying what fits its published hash."""

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
        """Everything in the row that `content_hash` covers."""
        raise NotImplementedError

    def content_hash(self) -> str:
        """The hash of the row's content."""
        return chain.content_hash(self.facts())

    def row_hash(self) -> str:
        """The row's hash, which chains it to the row before."""
        return chain.row_hash(self.previous_hash, self.content_hash())

    def received_in_utc(self) -> str:
        """When the row was received, as `facts` has it."""
        return self.received_at.astimezone(UTC).isoformat(timespec="microseconds")


class Submission(Row):
    """One row of the log.

    `actor` is `player:<handle>`, `host:<username>`, `clock`, or `site` for the site's own programs. `receipt_hash`
    covers the payload with a salt, and the player gets it as a receipt. `inner_salt` is never published: it hides
    `user` and `own_number` in the hash.
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
            # For counting the earlier refused actions at each new one (services/refusal_quota.py).
            models.Index(fields=["player", "received_at"], condition=Q(accepted=False), name="log_refused"),
            models.Index(fields=["player", "-own_number"], condition=Q(own_number__isnull=False), name="log_receipts"),
            # Commands and deadlines, which have no player and are few among many actions.
            models.Index(fields=["match", "-number"], condition=Q(player__isnull=True), name="log_commands"),
        ]
        constraints = [
            # Its index also finds the rows of a match.
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
        """The hash that the player gets as a receipt: SHA-256 over salt, payload and match time."""
        return chain.sha256(f"{self.salt}\n{self.payload}\n{self.match_time // MICROSECOND}")

    def facts(self) -> Mapping[str, Any]:
        """The row's content, which readers of the log get. The user's id and `own_number` are in it only as a salted
        hash, because a gap in a player's numbers would reveal a vote."""
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


def new_token() -> str:
    """A random public id for an announcement. A number would show how many others there are."""
    return secrets.token_urlsafe(9)


class Announcement(models.Model):
    """An announcement, in the feed and for notices. `audience` is `everyone`, `hosts`, or `player:<handle>`.

    `player` is set if it is for one player; empty again if it must be hidden from the place's next person. `read_at` is
    set if it results from that player's own action, which they have just seen, so nobody is notified.
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
        # These begin with `match` and `player`, which therefore need no indexes of their own.
        indexes = [
            models.Index(fields=["match", "audience", "-id"], name="announcement_feed"),
            models.Index(fields=["player", "-id"], condition=Q(player__isnull=False), name="announcement_own"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.audience}"


# -- outbox ----------------------------------------------------------------------------------------------
# Written in the same transaction as the announcements, so none is lost if the process dies right after. The tasks that
# make notices for mail, phones and other programs delete the row once these are stored.


class OutboxRow(models.Model):
    """A row of the log whose announcements have not been turned into notices yet."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="+", db_index=False)
    submission = models.OneToOneField("matches.Submission", on_delete=models.CASCADE, related_name="+")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"row {self.submission_id} of the log"


# -- hosts' notes and players' questions -------------------------------------------------------------------
# The log has all of this, too. These tables are for reading.


class HostNote(models.Model):
    """An announcement or a clarification that everybody reads on the match's page. Its text never changes.

    `corrects`: the note that it replaces; a note is replaced at most once. `asked`: the question that it answers,
    in the host's words, if there is one. `withdrawn_…`: when, by whom and why it was withdrawn, if it was.
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

    It belongs to the person who asked (`user`), not to the place: the next person there does not see it. `handle` is
    the place from which they asked. If it was answered to everybody, it has a `note` instead of an `answer`.
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
    """How far a person has read the notes of a match: all up to the instant `until`."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    until = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="notes_read_once_a_match")]

    def __str__(self) -> str:
        return f"{self.user} until {self.until}"
