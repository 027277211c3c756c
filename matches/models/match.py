"""A match (settings, clock, state, log head), its result, and rehearsals of it."""

import secrets
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import models
from django.db.models import Q, QuerySet

from matches.engine.draw import SEED_BYTES, commitment
from matches.engine.game import AnyGame
from matches.games import registry
from matches.models.clock import Clocked
from matches.models.player import MatchRole
from matches.models.usual_hour import UsualHour

# No vowels and no look-alikes: ids are read aloud, and must not spell anything.
_ID_LETTERS = "23456789bcdfghjkmnpqrstvwxz"


def new_public_id() -> str:
    """A random id for addresses: 12 letters, about 57 bits, which reveals nothing about other matches."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(12))


def new_seed() -> str:
    """A fresh seed from the system's generator, in hex."""
    return secrets.token_hex(SEED_BYTES)


def of_known_rules(match: str = "") -> Q:
    """A filter for matches whose rules this site has. `match` is the lookup of the match, such as `match__`."""
    known = Q(**{f"{match}game__in": list(registry.all_games()), f"{match}state": ""})
    for slug, game in registry.all_games().items():
        known |= Q(**{f"{match}game": slug, f"{match}rules_version": game.rules_version})
    return known


def shown_to_all(match: str = "") -> Q:
    """A filter for matches that everybody may see (`Match.is_public`). `match` is their lookup, such as `match__`."""
    never_announced = Q(**{f"{match}status": "cancelled", f"{match}starts_at": None})
    return ~Q(**{f"{match}status": "draft"}) & ~never_announced


class Logged(models.Model):
    """What a match and a season have in common: title, seed, state (the engine's JSON, which follows from the log), and
    the head of the log."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    title = models.CharField(max_length=120)
    seed = models.CharField(max_length=64, default=new_seed, editable=False)
    created_at = models.DateTimeField(editable=False)
    is_demo = models.BooleanField(default=False, editable=False)
    state = models.TextField(blank=True, editable=False)

    # How many rows the log has, and the hash of the last.
    log_count = models.PositiveIntegerField(default=0, editable=False)
    log_head = models.CharField(max_length=64, blank=True, editable=False)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.title

    @property
    def chance(self) -> bytes:
        """The bytes of the seed, from which every draw comes."""
        return bytes.fromhex(self.seed)

    @property
    def seed_hash(self) -> str:
        """The published hash of the seed."""
        return commitment(self.chance)


class Match(Logged, Clocked):
    """One match."""

    class Status(models.TextChoices):
        DRAFT = "draft", "Draft"
        SCHEDULED = "scheduled", "Upcoming"
        OPEN = "open", "Running"
        PAUSED = "paused", "Paused"
        FINISHED = "finished", "Finished"
        CANCELLED = "cancelled", "Cancelled"

    BEFORE = (Status.DRAFT, Status.SCHEDULED)
    """The match has not begun."""

    RUNNING = (Status.OPEN, Status.PAUSED)
    """The match has begun and is not over."""

    OVER = (Status.FINISHED, Status.CANCELLED)
    """The match is over."""

    MOST_FAILURES = 3

    class Joining(models.TextChoices):
        INVITED = "invited", "Only players whom a host adds or invites"
        OPEN = "open", "Anybody who is signed in, until the places are taken"
        PEOPLE = "people", "Anybody who is signed in, except bot accounts, until the places are taken"

    OPEN_TO_ALL = (Joining.OPEN, Joining.PEOPLE)
    """People can take places by themselves."""

    class OpenPlaces(models.TextChoices):
        WAIT = "wait", "The match waits: the site postpones the start by a day, at most seven times"
        BOTS = "bots", "Bots take them"
        WITHOUT = "without", "The match begins without them"

    game = models.CharField(max_length=40)
    rules_version = models.PositiveSmallIntegerField(default=1, editable=False)
    description = models.TextField(blank=True, help_text="Shown on the match page.")
    config = models.JSONField(default=dict)

    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT, editable=False)
    joining = models.CharField(max_length=8, choices=Joining, default=Joining.INVITED)
    places = models.PositiveSmallIntegerField(default=8, help_text="How many people can play, if anybody can join.")
    open_places = models.CharField(
        "open places at the start",
        max_length=7,
        choices=OpenPlaces,
        default=OpenPlaces.WAIT,
        help_text="What happens to places that nobody has taken by the start.",
    )
    usual_hour = models.CharField(max_length=5, blank=True, default="")  # “14:00”
    usual_zone = models.CharField(max_length=64, blank=True, default="")
    starts_at = models.DateTimeField(null=True, blank=True, help_text="In UTC.")
    start_problem = models.TextField(blank=True, editable=False)  # why it did not begin then; everyone may read it
    opened_at = models.DateTimeField(null=True, editable=False)
    finished_at = models.DateTimeField(null=True, editable=False)

    next_deadline_at = models.DateTimeField(null=True, db_index=True, editable=False)
    public_version = models.PositiveBigIntegerField(default=0, editable=False)

    # The head of the log at the last close, published as a fingerprint: see `services.writer.closes`.
    closed_head = models.CharField(max_length=64, blank=True, default="", editable=False)
    closed_at = models.DateTimeField(null=True, editable=False)

    # Goes up with every note, question and answer. Never shown: caches of pages compare it.
    announcements_version = models.PositiveIntegerField(default=0, editable=False)

    # A match whose rules fail is set aside after `MOST_FAILURES` tries, so that the others go on. A fault in a player's
    # action is noted too, but counts as no failure.
    failures = models.PositiveSmallIntegerField(default=0, editable=False)
    fault = models.TextField(blank=True, editable=False)

    bots_stand_in = models.BooleanField(default=False)
    """Whether bots play for players who are away and want it; fixed from the opening on."""
    closes_when_sent = models.BooleanField(
        "deadlines pass when everybody has submitted",
        default=False,
        help_text="The deadline of a sealed round passes as soon as everybody but the bots has submitted.",
    )
    blood_garnets = models.BooleanField(
        "blood garnets grow", default=False, help_text="By a tenth every 24 h after the pregame."
    )
    pregame_ended_at = models.DateTimeField(null=True, editable=False)
    blood_grows_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name_plural = "matches"
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["status", "starts_at"]),
            # The lists of matches, each in its own order (queries/lists.py). SQLite uses a partial index only if its
            # condition has no parameters, so all models here have only such conditions.
            models.Index(fields=["-created_at", "-id"], name="match_newest"),
            models.Index(fields=["status", "-opened_at", "-id"], name="match_opened"),
            models.Index(fields=["status", "-finished_at", "-id"], name="match_finished"),
            models.Index(fields=["resumes_at"], condition=Q(resumes_at__isnull=False), name="match_resuming"),
            # Matches in which blood garnets grow, even finished ones (services/blood.py).
            models.Index(
                fields=["blood_grows_at"],
                condition=Q(blood_garnets=True, pregame_ended_at__isnull=False),
                name="match_growing",
            ),
        ]

    def get_absolute_url(self) -> str:
        return f"/matches/{self.public_id}/"

    @property
    def rules(self) -> AnyGame:
        """The match's game, in the version of the rules with which the match began. If this site does not have that
        version, `is_known` of the result is false."""
        return registry.rules_of(self.game, self.rules_version if self.state else None)

    @property
    def hosts(self) -> QuerySet[Any]:
        """The people who can give commands: the owner and the co-hosts."""
        return get_user_model().objects.filter(match_roles__match=self, match_roles__role__in=MatchRole.ACTING)

    @property
    def hour(self) -> UsualHour | None:
        """The usual hour of the match's deadlines; None if it has none, or if this machine does not know its zone."""
        return UsualHour.if_known(self.usual_hour, self.usual_zone)

    def hour_at(self, at: datetime) -> UsualHour | None:
        """The usual hour if the instant `at` is at it, so that a delay can keep to it; otherwise None."""
        hour = self.hour
        return hour if hour is not None and hour.first_from(at) == at else None

    @property
    def is_public(self) -> bool:
        """Whether everybody may see the match."""
        return self.status != self.Status.DRAFT and not (
            self.status == self.Status.CANCELLED and self.starts_at is None
        )

    @property
    def seats(self) -> Any:
        """Its players' places, named like a season's cast."""
        return self.players

    @property
    def is_over(self) -> bool:
        """Whether the match has ended (finished or cancelled): then its log and its seed are public."""
        return self.status in self.OVER

    @property
    def is_off(self) -> bool:
        """Whether the match was cancelled before its pregame had ended."""
        return self.status == self.Status.CANCELLED and self.pregame_ended_at is None

    @property
    def is_set_aside(self) -> bool:
        """Whether its rules have failed so often that no deadline passes until a host clears the fault."""
        return self.failures >= self.MOST_FAILURES

    @property
    def has_begun(self) -> bool:
        """Whether the match has opened, so that it has a state."""
        return bool(self.state)

    def part_of_play(self, view: Any) -> str:
        """The part of play that the public view `view` shows, such as a round, in the match's own words; empty before
        its play and once it is over. What a player can do in another part is something else."""
        return self.rules.progress(view).where if view and not self.is_over else ""


# -- result ----------------------------------------------------------------------------------------------


class PlayerResult(models.Model):
    """How a finished match ended for one player: whether they won, how many Tokens of Life they hold, and whether they
    are Elimination Candidate. It repeats the match's last state, for queries over many matches."""

    player = models.OneToOneField("matches.Player", on_delete=models.PROTECT, primary_key=True, related_name="result")
    won = models.BooleanField()
    tokens = models.PositiveIntegerField()
    candidate = models.BooleanField()

    def __str__(self) -> str:
        return f"result of {self.player_id}"


# -- rehearsal -----------------------------------------------------------------------------------------------


class Rehearsal(models.Model):
    """A rehearsal of a match by bots, for its hosts alone. It is not a match and has no players or log, so that no list
    of matches contains it.

    `played_with` is its `services.rehearsals.Setup`. `report` (`engine.rehearsal.Report`) is None until bots have
    played, which they begin at `begun_at`; `problem` says why there will be none. `seed` has nothing to do with the
    match's. `key` is the one-time key of the form that asked.
    """

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="rehearsals")
    host = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField()
    begins_at = models.DateTimeField()
    seed = models.CharField(max_length=64, default=new_seed)
    played_with = models.JSONField()
    report = models.JSONField(null=True)
    key = models.CharField(max_length=64, blank=True)
    begun_at = models.DateTimeField(null=True)
    problem = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        ordering = ["-pk"]
        indexes = [
            # Those that a worker is to play (services/rehearsals.py).
            models.Index(fields=["id"], condition=Q(report__isnull=True, problem=""), name="rehearsal_waiting"),
        ]

    def __str__(self) -> str:
        return f"rehearsal {self.pk} of {self.match_id}"

    @property
    def is_waiting(self) -> bool:
        """Whether it is still waiting or being played."""
        return self.report is None and not self.problem
