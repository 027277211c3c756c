"""What hosts and players say to each other about a match: notes for everybody, and private questions.

The log has all of it, too. These tables are for reading: `services.replay.verify` compares them with the log.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q

from matches.models.log import new_token


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
