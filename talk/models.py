"""Models of talk. Only `talk.services` writes them; pages read them through `talk.queries`."""

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q

from matches.models.match import new_public_id

# -- what the hosts of a match or of a season have chosen about talk -------------------------------------


class TalkChoices(models.Model):
    """Which kinds of talk a match has, and who besides the participants may read. Fixed when the match begins. A match
    without a row has the defaults."""

    match = models.OneToOneField(
        "matches.Match", on_delete=models.CASCADE, primary_key=True, related_name="talk_choices"
    )
    public = models.BooleanField("public talk", default=True)
    spectators = models.BooleanField("everybody with an account may write in public talk", default=False)
    team = models.BooleanField("a room for each team", default=True)
    private = models.BooleanField("private talk between players", default=True)
    speeches = models.BooleanField("messages with a gift", default=True)
    hosts_read = models.BooleanField("hosts can read what teams and players write to each other", default=False)

    rests = models.BooleanField("its season's rooms are closed while this match runs", default=False)

    class Meta:
        verbose_name_plural = "choices about talk"

    def __str__(self) -> str:
        return f"talk of {self.match_id}"


class SeasonTalkChoices(models.Model):
    """Which kinds of talk a season has, and who may read them. Fixed when the season begins."""

    class Confessionals(models.TextChoices):
        NONE = "none", "No confessionals"
        END = "end", "Everybody reads what members release, once the season has ended"
        AT_ONCE = (
            "at_once",
            "Trusted viewers read a text as soon as its author releases it, everybody else once the season has ended",
        )

    season = models.OneToOneField(
        "seasons.Season", on_delete=models.CASCADE, primary_key=True, related_name="talk_choices"
    )
    out = models.BooleanField("members who are out stay in the lounge", default=True)
    team = models.BooleanField("a room for each team", default=True)
    private = models.BooleanField("private rooms of members", default=True)
    hosts_read = models.BooleanField("hosts can read private rooms and teams' rooms", default=False)
    published = models.BooleanField("private rooms are published after the season", default=False)
    spectators = models.BooleanField("a lounge for spectators", default=True)
    confessionals = models.CharField(max_length=7, choices=Confessionals, default=Confessionals.END)

    class Meta:
        verbose_name_plural = "choices about a season's talk"

    def __str__(self) -> str:
        return f"talk of season {self.season_id}"


class Quiet(models.Model):
    """A time in which hosts have closed some kinds of a season's rooms: people can read but not write there."""

    season = models.ForeignKey("seasons.Season", on_delete=models.CASCADE, related_name="quiets")
    kinds = models.JSONField(default=list)
    until = models.DateTimeField()
    why = models.CharField(max_length=300, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "quiet times"

    def __str__(self) -> str:
        return f"quiet in season {self.season_id} until {self.until}"


# -- channel ---------------------------------------------------------------------------------------------
# Channels (rooms, on pages) of a match or season, who belongs to them, and how far each person has read.


def of_one_home(name: str) -> models.CheckConstraint:
    """Require that a row belongs to either a match or a season."""
    either = Q(match__isnull=False, season__isnull=True) | Q(match__isnull=True, season__isnull=False)
    return models.CheckConstraint(condition=either, name=name)


class Channel(models.Model):
    """A place to talk in one match or season. Stored with its first message; a private channel when opened."""

    class Kind(models.TextChoices):
        PUBLIC = "public", "Public"
        TEAM = "team", "Teams’ rooms"
        PRIVATE = "private", "Private rooms"
        LOUNGE = "lounge", "Lounge"
        QUESTIONS = "questions", "Questions to the hosts"
        CONFESSIONAL = "confessional", "Confessional"
        SPECTATORS = "spectators", "Spectators’ lounge"

    # Without a constraint: PostgreSQL would check it with a lock on the match, and so wait for players' actions.
    match = models.ForeignKey(
        "matches.Match", on_delete=models.CASCADE, null=True, related_name="channels", db_constraint=False
    )
    season = models.ForeignKey(
        "seasons.Season", on_delete=models.CASCADE, null=True, related_name="channels", db_constraint=False
    )
    kind = models.CharField(max_length=12, choices=Kind)
    title = models.CharField(max_length=40, blank=True)
    # Identifies it in URLs. A number would show how many others there are.
    token = models.CharField(max_length=16, unique=True, default=new_public_id)
    team = models.CharField(max_length=30, blank=True)
    # A digest of the people of a private channel, or of the one member it is for: they have only one such channel.
    group = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "kind", "team", "group"], name="channel_once_a_match"),
            models.UniqueConstraint(fields=["season", "kind", "team", "group"], name="channel_once_a_season"),
            of_one_home("channel_of_one_home"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.match_id or self.season_id}"


class Member(models.Model):
    """A player or season member who belongs to a channel: a team's, a private one, or one for that member alone.

    `user`: the person who began a private talk in this place; whoever takes over the place cannot read it. Empty in a
    team's channel, which belongs to whoever plays in the team.
    """

    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="members", db_index=False)
    player = models.ForeignKey("matches.Player", on_delete=models.CASCADE, null=True, related_name="+")
    member = models.ForeignKey("seasons.Member", on_delete=models.CASCADE, null=True, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["channel", "player"], name="member_once_a_channel"),
            models.UniqueConstraint(fields=["channel", "member"], name="season_member_once_a_channel"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id or self.member_id} in {self.channel_id}"


class Seen(models.Model):
    """How far a person has read in a channel: up to the message of this id. `muted`: no notices of unread messages."""

    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    last = models.PositiveBigIntegerField(default=0)
    muted = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["channel", "user"], name="seen_once_a_channel")]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.channel_id}"


def of_whoever_plays(user_id: int) -> Q:
    """Return the filter for rows through which this person belongs to a match's channel."""
    return Q(player__user_id=user_id) & (Q(user_id=user_id) | Q(user_id=None))


# -- message ---------------------------------------------------------------------------------------------
# Messages, mentions and reports. None is ever deleted or changed; hosts can hide a message.


def new_token() -> str:
    """Return a random token for a message. A number would show how much others write."""
    return secrets.token_urlsafe(9)


class Message(models.Model):
    """One message. The author's name and role stay as they were. `player` or (in a season) `member` are empty for other
    authors, and once somebody has left before the beginning. `published`: released from a confessional."""

    class Role(models.TextChoices):
        PLAYER = "player", "player"
        MEMBER = "member", "member"
        HOST = "host", "host"
        SPECTATOR = "spectator", "watching"

    # Without a constraint, as in `Channel`.
    match = models.ForeignKey(
        "matches.Match",
        on_delete=models.CASCADE,
        null=True,
        related_name="messages",
        db_index=False,
        db_constraint=False,
    )
    season = models.ForeignKey(
        "seasons.Season",
        on_delete=models.CASCADE,
        null=True,
        related_name="messages",
        db_index=False,
        db_constraint=False,
    )
    channel = models.ForeignKey("talk.Channel", on_delete=models.CASCADE, related_name="messages", db_index=False)
    token = models.CharField(max_length=12, unique=True, default=new_token)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    player = models.ForeignKey("matches.Player", on_delete=models.SET_NULL, null=True, related_name="+")
    member = models.ForeignKey("seasons.Member", on_delete=models.SET_NULL, null=True, related_name="+")
    role = models.CharField(max_length=9, choices=Role)
    name = models.CharField(max_length=50)
    text = models.TextField()
    at = models.DateTimeField()
    key = models.CharField(max_length=100, blank=True)
    published = models.BooleanField(default=False)
    hidden_at = models.DateTimeField(null=True)
    hidden_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    hidden_reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["channel", "-id"], name="message_of_channel"),
            models.Index(fields=["match", "-id"], name="message_of_match"),
            models.Index(fields=["season", "-id"], name="message_of_season"),
            # How much somebody has written lately (services/posting.py).
            models.Index(fields=["author", "at"], name="message_of_author"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["author", "match", "key"], condition=~Q(key=""), name="message_key_once"),
            models.UniqueConstraint(
                fields=["author", "season", "key"], condition=~Q(key=""), name="message_key_once_a_season"
            ),
            of_one_home("message_of_one_home"),
        ]

    def __str__(self) -> str:
        return f"{self.token} of {self.name}"


class Mention(models.Model):
    """A person who was mentioned (@handle) in a message that they can read."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="mentions", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)

    class Meta:
        indexes = [models.Index(fields=["user", "-id"], name="mention_of_user")]
        constraints = [models.UniqueConstraint(fields=["message", "user"], name="mention_once_a_message")]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.message_id}"


class Report(models.Model):
    """A reader's report of a message to the hosts."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="reports", db_index=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField()
    # When hosts decided to hide it or leave it; empty until then.
    settled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["message", "by"], name="report_once_a_reader")]

    def __str__(self) -> str:
        return f"{self.message_id} by {self.by_id}"


# -- messages with a gift of Tokens of Life --------------------------------------------------------------


class Speech(models.Model):
    """What a giver wants to say. Nobody else can read it before the gift is announced, and it cannot change afterwards;
    if the gift was drawn instead, it is never shown."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="speeches", db_index=False)
    player = models.ForeignKey("matches.Player", on_delete=models.CASCADE, related_name="+")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    token = models.CharField(max_length=12, unique=True, default=new_token)
    text = models.TextField()
    at = models.DateTimeField()
    hidden_at = models.DateTimeField(null=True)
    hidden_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    hidden_reason = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name_plural = "speeches"
        constraints = [models.UniqueConstraint(fields=["match", "player"], name="speech_once_a_player")]

    def __str__(self) -> str:
        return f"{self.token} of {self.player_id}"
