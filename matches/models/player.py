"""People in a match: players, hosts and observers, those who may never play in it, invitations, and absences."""

import secrets
from datetime import datetime

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q

handle_validator = RegexValidator(
    r"\A[A-Za-z0-9][A-Za-z0-9_.-]{0,29}\Z",
    "A handle is up to 30 letters, digits and _ . - without spaces.",
)


def new_nonce() -> str:
    """A secret for an invitation's link. A place with a new nonce invalidates the old link."""
    return secrets.token_urlsafe(16)


class Place(models.Model):
    """A place in a match or a season: its handle, its opening balances, and the nonce of the link with which somebody
    can take it."""

    is_bot = models.BooleanField("bot", default=False)
    handle = models.CharField(max_length=30, validators=[handle_validator])
    name = models.CharField(max_length=50, blank=True)
    team = models.CharField(max_length=30, blank=True)
    position = models.PositiveSmallIntegerField("order", default=0)
    priority = models.PositiveIntegerField("opening priority", default=0)
    blood_garnets = models.DecimalField("opening blood garnets", max_digits=14, decimal_places=4, default=0)
    invite_nonce = models.CharField(max_length=32, default=new_nonce, editable=False)

    user_id: int | None

    class Meta:
        abstract = True
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        return self.shown_name

    @property
    def shown_name(self) -> str:
        """The name to show."""
        return self.name or self.handle

    @property
    def is_open(self) -> bool:
        """Whether this is an open place, in which neither a person nor a bot plays."""
        return not self.is_bot and self.user_id is None


class Player(Place):
    """A player of one match. `handle` names them in actions, views and files.

    `is_bot`: a bot plays. If there is a `user` too, it plays for that person until they take their place back.
    """

    match = models.ForeignKey("matches.Match", on_delete=models.PROTECT, related_name="players")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="players",
        db_index=False,
    )
    # Below zero only if a player brings a debt from a season with credit.
    garnets = models.IntegerField("opening garnets", default=0)
    version = models.PositiveBigIntegerField(default=0, editable=False)
    action_count = models.PositiveIntegerField(default=0, editable=False)
    bot_acts_at = models.DateTimeField(null=True, editable=False)

    class Meta(Place.Meta):
        indexes = [
            # A person's matches, newest place first (queries/lists.py).
            models.Index(fields=["user", "-id"], condition=Q(user__isnull=False), name="player_of_user"),
            # The bots that look next (services/bots.py).
            models.Index(fields=["bot_acts_at", "id"], condition=Q(is_bot=True), name="player_bots_due"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "handle"],
                name="player_handle_once_a_match",
                violation_error_message="Another player of this match has that handle.",
            ),
            models.UniqueConstraint(
                fields=["match", "user"],
                condition=Q(user__isnull=False),
                name="player_user_once_a_match",
                violation_error_message="This person plays in this match already.",
            ),
        ]


# -- role ------------------------------------------------------------------------------------------------


class Role(models.TextChoices):
    """The roles of people who look after a match or a season. Each may see what hosts see; `acts` and `owns` say what
    else it may do."""

    OWNER = "owner", "Owner"
    COHOST = "cohost", "Co-host"
    OBSERVER = "observer", "Observer"

    @property
    def acts(self) -> bool:
        """Whether this role may give commands."""
        return self in MatchRole.ACTING

    @property
    def owns(self) -> bool:
        """Whether this role may give roles to others and delete drafts."""
        return self == Role.OWNER


class MatchRole(models.Model):
    """A person's role in a match; each person has at most one."""

    ACTING = (Role.OWNER, Role.COHOST)

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="roles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="match_roles")
    role = models.CharField(max_length=8, choices=Role)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["match", "user"], name="match_role_once_a_person"),
            models.UniqueConstraint(fields=["match"], condition=Q(role=Role.OWNER), name="match_has_one_owner"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.role}"


# -- insider ---------------------------------------------------------------------------------------------


class Insider(models.Model):
    """A person who may never play in a match (again), because they may know its secrets: they host or have hosted it,
    or opened its console; or, with `played`, they left that place while the match ran. Never deleted."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="insiders")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField()
    # Empty for present and former hosts and observers, who may know what hosts know.
    played = models.ForeignKey("matches.Player", on_delete=models.CASCADE, null=True, related_name="left_by")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="insider_once_a_match")]

    def __str__(self) -> str:
        return f"{self.user} of {self.match}"


# -- invitation ------------------------------------------------------------------------------------------


class Link(models.Model):
    """An invitation to a match or a season: a link with which one person can take a place. For an open place, `nonce`
    is the place's own `invite_nonce`, and the link works only as long as the two are equal.

    `label` and `sent_to`: for whom it is meant; only hosts see it. `made_at` is empty if only its use was noted.
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
        """Whether the link was not used or revoked and has not expired. See also `fits`."""
        is_over = self.expires_at is not None and self.expires_at <= now
        return self.used_at is None and self.revoked_at is None and not is_over


class Invitation(Link):
    """An invitation to a place of a match. With `takes_over` it is for a place in which `instead_of` (or a bot) plays
    until somebody uses the link."""

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
        """The place that the link gives."""
        return self.player

    def fits(self, player: Player) -> bool:
        """Whether the place is still as it was when the link was made."""
        if self.takes_over:
            return not player.is_open and player.user_id == self.instead_of_id
        return player.is_open and player.invite_nonce == self.nonce


# -- absence -------------------------------------------------------------------------------------------------


class Absence(models.Model):
    """An excused absence of a player. Players see from when to when, hosts also see the reason.

    `noted_by`: the host who noted it; empty if the person did. `bot`: whether a bot should play meanwhile; it has done
    so since `bot_since`. `ended_at`: when it was over, or taken back.
    """

    match = models.ForeignKey("matches.Match", on_delete=models.PROTECT, related_name="absences")
    player = models.ForeignKey("matches.Player", on_delete=models.CASCADE, related_name="absences")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    submission = models.OneToOneField("matches.Submission", on_delete=models.PROTECT, related_name="+")
    since = models.DateTimeField()
    until = models.DateTimeField()
    reason = models.CharField(max_length=200, blank=True, default="")
    noted_by = models.CharField(max_length=150, blank=True, default="")
    bot = models.BooleanField(default=False)
    bot_since = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["since", "pk"]
        indexes = [
            # Absences that may begin or end (services/absences.py).
            models.Index(fields=["since"], condition=Q(ended_at__isnull=True), name="absence_going"),
        ]

    def __str__(self) -> str:
        return f"{self.user} from {self.since}"

    def is_now(self, now: datetime) -> bool:
        """Whether the person is away at this moment."""
        return self.ended_at is None and self.since <= now < self.until
