"""Models of a season, its matches, and its people: cast, roles, invitations."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from matches.models import Link
from matches.models.match import Logged
from matches.models.player import Place
from matches.models.usual_hour import UsualHour
from notices.models import Address
from seasons.engine import season as rules
from seasons.engine.state import SeasonState

# -- one season: its settings, its seed, and its present state -----------------------------------------------


class Season(Logged):
    """Matches that belong together."""

    class Status(models.TextChoices):
        DRAFT = "draft", "Draft"
        RUNNING = "running", "Running"
        ENDED = "ended", "Ended"

    description = models.TextField(blank=True, help_text="Shown on the season's page.")
    settings = models.JSONField(default=dict)
    usual_hour = models.TimeField("usual hour", null=True, blank=True, help_text="When rounds of its matches close.")
    zone = models.CharField("zone of the usual hour", max_length=64, default="UTC")

    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT, editable=False)
    # The one-time key of the form that made it, so that a second click makes no second season.
    key = models.CharField(max_length=64, blank=True, editable=False)
    started_at = models.DateTimeField(null=True, editable=False)
    ended_at = models.DateTimeField(null=True, editable=False)

    # Number of a question -> when predictions close, where hosts have set it (`services.predictions`).
    prediction_deadlines = models.JSONField(default=dict, editable=False)

    next_deadline_at = models.DateTimeField(null=True, editable=False)

    # The match whose pregame must end before blood garnets grow.
    awaits_pregame_of = models.ForeignKey(
        "seasons.SeasonMatch", on_delete=models.PROTECT, null=True, related_name="+", editable=False
    )

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["status", "-created_at", "-id"], name="season_newest"),
            models.Index(
                fields=["next_deadline_at"], condition=Q(next_deadline_at__isnull=False), name="season_deadlines"
            ),
        ]

    def get_absolute_url(self) -> str:
        return f"/seasons/{self.public_id}/"

    @property
    def is_public(self) -> bool:
        """Whether everybody may see the season."""
        return self.status != self.Status.DRAFT

    @property
    def seats(self) -> Any:
        """The places of its cast, named like a match's players."""
        return self.cast

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.status == self.Status.ENDED

    @property
    def hour(self) -> UsualHour | None:
        """The usual hour of its matches; None without one, or if this machine does not know its zone."""
        return UsualHour.if_known(f"{self.usual_hour:%H:%M}" if self.usual_hour else "", self.zone)

    def decoded(self) -> SeasonState | None:
        """Return its state; None before it begins."""
        return rules.decode(self.state) if self.state else None

    def time(self, instant: datetime) -> timedelta:
        """Return the season time of an instant: the time since the start, at least 0."""
        return timedelta() if self.started_at is None else max(instant - self.started_at, timedelta())

    def instant(self, time: timedelta) -> datetime | None:
        """Return the instant of a season time; None before the start."""
        return None if self.started_at is None else self.started_at + time


# -- a match of a season -------------------------------------------------------------------------------------


class SeasonMatch(models.Model):
    """A match's membership in a season. `number` counts the season's matches, and identifies it in state and log.

    `over_at`: when the season learnt that it is over; `settled_at`: when its amounts returned to the accounts.
    """

    season = models.ForeignKey("seasons.Season", on_delete=models.PROTECT, related_name="matches")
    match = models.OneToOneField("matches.Match", on_delete=models.PROTECT, related_name="in_season")
    number = models.PositiveSmallIntegerField()
    is_death_match = models.BooleanField(default=False)
    is_final = models.BooleanField(default=False)
    opened_at = models.DateTimeField(null=True)
    over_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["season", "number"]
        indexes = [
            # Matches whose end the season waits for (services/running.py).
            models.Index(
                fields=["match"], condition=Q(opened_at__isnull=False, over_at__isnull=True), name="season_match_open"
            ),
        ]
        constraints = [models.UniqueConstraint(fields=["season", "number"], name="season_match_number_once")]

    def __str__(self) -> str:
        return f"match {self.number} of season {self.season_id}"

    @property
    def key(self) -> str:
        """Its key in the season's state."""
        return str(self.number)


# -- a member of a season's cast -----------------------------------------------------------------------------


class Member(Place):
    """A person or bot with a permanent handle; without either, an open place.

    `status` and `place` repeat the season's state, for lists.
    """

    class Status(models.TextChoices):
        IN = "in", "In"
        OUT = "out", "Out"
        WITHDRAWN = "withdrawn", "Withdrawn"

    season = models.ForeignKey("seasons.Season", on_delete=models.PROTECT, related_name="cast")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="season_members"
    )
    garnets = models.PositiveIntegerField("opening garnets", default=0)
    status = models.CharField(max_length=9, choices=Status, default=Status.IN, editable=False)
    place = models.PositiveSmallIntegerField(null=True, editable=False)
    hides_picture = models.BooleanField(default=False, editable=False)  # a host has taken it off the cast page

    class Meta(Place.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["season", "handle"],
                name="member_handle_once_a_season",
                violation_error_message="Another member of this season has that handle.",
            ),
            models.UniqueConstraint(
                fields=["season", "user"],
                condition=Q(user__isnull=False),
                name="member_user_once_a_season",
                violation_error_message="This person is already in the cast.",
            ),
            models.CheckConstraint(condition=Q(is_bot=False) | Q(user__isnull=True), name="member_bot_is_nobody"),
        ]


# -- who hosts a season, or has hosted it --------------------------------------------------------------------


class SeasonRole(models.Model):
    """What a person may do in a season. The row stays as `former` when somebody stops: they know its secrets, so they
    can never be a member."""

    class Role(models.TextChoices):
        OWNER = "owner", "Owner"
        COHOST = "cohost", "Co-host"
        OBSERVER = "observer", "Observer"
        FORMER = "former", "Former host"

    ACTING = (Role.OWNER, Role.COHOST)
    SEEING = (*ACTING, Role.OBSERVER)

    season = models.ForeignKey("seasons.Season", on_delete=models.PROTECT, related_name="roles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="season_roles")
    role = models.CharField(max_length=8, choices=Role)
    since = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["season", "user"], name="season_role_once_a_person")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role} of {self.season_id}"


# -- invitations: links with which one person can take an open place of the cast -----------------------------


class SeasonInvitation(Link):
    """A link to an open place of the cast. `key`: the one-time key of the last action on it."""

    season = models.ForeignKey("seasons.Season", on_delete=models.CASCADE, related_name="invitations")
    member = models.ForeignKey("seasons.Member", on_delete=models.CASCADE, related_name="invitations")
    key = models.CharField(max_length=100, blank=True, default="")

    class Meta(Link.Meta):
        pass

    def __str__(self) -> str:
        return f"invitation to {self.member}"

    @property
    def place(self) -> Member:
        """The place that it offers."""
        return self.member

    def fits(self, member: Member) -> bool:
        """Whether the place is still as it was when the link was made."""
        return member.is_open and member.invite_nonce == self.nonce and member.status == Member.Status.IN


# -- webhooks of a season --------------------------------------------------------------------------------


class SeasonWebhook(Address):
    """A webhook that gets the public news of a season and of all its matches."""

    season = models.ForeignKey("seasons.Season", on_delete=models.CASCADE, related_name="+")
