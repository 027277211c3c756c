"""The append-only log of a season, and what follows from it: the ledger, and what is told."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from matches.models.ledger import Transfer

# -- the append-only log of a season. State and ledger follow from it ----------------------------------------


class SeasonRow(models.Model):
    """One row of the log. Never changed, never deleted. `hash` covers the row and the hash of the row before.

    `actor` is `member:<handle>`, `host:<username>`, or `clock`. `salt`: random, so that nobody can try out what a row
    may say until its hash, which is published, fits.
    """

    class Kind(models.TextChoices):
        BEGIN = "begin", "The season begins"
        MATCH_OPENED = "match_opened", "A match opens"
        PREGAME_OVER = "pregame_over", "The pregame after which blood garnets grow is over"
        MATCH_OVER = "match_over", "A match is over"
        DEADLINE = "deadline", "Deadline passed"
        COUNT_BLOOD = "count_blood", "Growth of blood garnets switched on or off"
        COMMAND = "command", "Command"
        PERSON = "person", "A person takes or leaves a place"
        ROLES = "roles", "Hosts changed"
        VIEWER = "viewer", "A trusted viewer is named, accepted or removed"
        ANNOUNCE = "announce", "A host announces something"
        PICTURE = "picture", "A picture is taken off the cast page, or put back"
        PREDICTIONS = "predictions", "Closing time of predictions changed"
        OUTAGE = "outage", "Time to name an opponent extended for an outage"
        TALK = "talk", "A host changes something in talk"

    season = models.ForeignKey("seasons.Season", on_delete=models.PROTECT, related_name="log", db_index=False)
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=Kind)
    actor = models.CharField(max_length=170)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    payload = models.TextField()
    received_at = models.DateTimeField()
    season_time = models.DurationField()
    key = models.CharField(max_length=100, blank=True)
    salt = models.CharField(max_length=32)
    previous_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)

    class Meta:
        verbose_name = "log row"
        verbose_name_plural = "log"
        ordering = ["season", "number"]
        constraints = [
            models.UniqueConstraint(fields=["season", "number"], name="season_log_number_once"),
            models.UniqueConstraint(
                fields=["season", "user", "key"], condition=~Q(key=""), name="season_log_key_once_an_account"
            ),
        ]

    def __str__(self) -> str:
        return f"season {self.season_id}#{self.number}"


# -- the season's ledger: what moved, from whom to whom, and why ---------------------------------------------


class SeasonEntry(Transfer):
    """One transfer. A missing giver or receiver is the bank or, where `match` is set, that match.

    Amounts are whole; blood garnets are counted in ten-thousandths.
    """

    season = models.ForeignKey("seasons.Season", on_delete=models.PROTECT, related_name="ledger")
    row = models.ForeignKey("seasons.SeasonRow", on_delete=models.PROTECT, related_name="entries")
    giver = models.ForeignKey("seasons.Member", on_delete=models.PROTECT, null=True, related_name="given")
    receiver = models.ForeignKey("seasons.Member", on_delete=models.PROTECT, null=True, related_name="received")
    match = models.ForeignKey("seasons.SeasonMatch", on_delete=models.PROTECT, null=True, related_name="entries")
    season_time = models.DurationField()


# -- what a season tells -------------------------------------------------------------------------------------


class SeasonNews(models.Model):
    """Something to tell everyone, one member or the hosts, with the row of the log from which it follows.

    `audience`: everyone, hosts, player:<handle>. `passed_on`: whether it has been told elsewhere (mail, phones) too.
    """

    season = models.ForeignKey("seasons.Season", on_delete=models.PROTECT, related_name="news")
    row = models.ForeignKey("seasons.SeasonRow", on_delete=models.PROTECT, related_name="news")
    audience = models.CharField(max_length=40)
    kind = models.CharField(max_length=40)
    data = models.JSONField(default=dict)
    at = models.DateTimeField()
    passed_on = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "news"
        ordering = ["pk"]
        indexes = [models.Index(fields=["id"], condition=models.Q(passed_on=False), name="season_news_waiting")]

    def __str__(self) -> str:
        return f"{self.kind} for {self.audience}"
