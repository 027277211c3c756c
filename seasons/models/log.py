"""Models of a season's append-only log, and of what follows from it: the ledger and the news."""

from typing import Any

from django.db import models
from django.db.models import Q

from matches.models.ledger import Transfer
from matches.models.log import MICROSECOND, Row

# -- log -----------------------------------------------------------------------------------------------------


class SeasonRow(Row):
    """One row of the log. `actor` is `member:<handle>`, `host:<username>`, or `clock`."""

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
        OUTAGE = "outage", "Time to name an opponent extended because of an outage"
        TALK = "talk", "A host changes something in talk"

    season = models.ForeignKey("seasons.Season", on_delete=models.PROTECT, related_name="log", db_index=False)
    kind = models.CharField(max_length=12, choices=Kind)
    season_time = models.DurationField()

    class Meta(Row.Meta):
        ordering = ["season", "number"]
        constraints = [
            models.UniqueConstraint(fields=["season", "number"], name="season_log_number_once"),
            models.UniqueConstraint(
                fields=["season", "user", "key"], condition=~Q(key=""), name="season_log_key_once_an_account"
            ),
        ]

    def __str__(self) -> str:
        return f"season {self.season_id}#{self.number}"

    def facts(self) -> dict[str, Any]:
        """The row's content. It names the account in `actor`, not by id."""
        return {
            "actor": self.actor,
            "key": self.key,
            "kind": self.kind,
            "number": self.number,
            "payload": self.payload,
            "received_at": self.received_in_utc(),
            "salt": self.salt,
            "season_time": self.season_time // MICROSECOND,
        }


# -- ledger --------------------------------------------------------------------------------------------------


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


# -- news ----------------------------------------------------------------------------------------------------


class SeasonNews(models.Model):
    """An announcement to everyone, one member or the hosts, with the log row that caused it.

    `audience`: everyone, hosts, player:<handle>. `passed_on`: whether notices and webhook posts were made from it.
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
