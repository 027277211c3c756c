"""Models of notices: what people are told, addresses, deliveries, choices, reminders, and calendar addresses."""

from __future__ import annotations

import hashlib
import secrets
from datetime import time
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from matches.games.registry import rules_of
from matches.models import Match, clock
from notices.events import ACT, EVENTS, FROM_PEOPLE, LOST

_SIGNED_IN = settings.AUTH_USER_MODEL


LINES_SHOWN = 2
"""Lists show so many lines of a notice at first: on a phone the close of a round fills several screens."""


def new_token() -> str:
    """Return a random token, for URLs and for receivers that must recognise a message."""
    return secrets.token_urlsafe(12)


# -- what people are told, and what goes out ------------------------------------------------------------


class Notice(models.Model):
    """One thing told to one person. `source` identifies what it comes from, so that the same thing makes no second
    notice.

    `title` reveals nothing sealed, not even the person's own; `text` is for their eyes only. `by`: the deadline of what
    it asks for. `event`: a key of `notices.events`. `is_retired`: marked as read because it became obsolete; it is
    still sent.
    """

    token = models.CharField(max_length=20, unique=True, default=new_token, editable=False)
    user = models.ForeignKey(_SIGNED_IN, on_delete=models.CASCADE, related_name="notices", db_index=False)
    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, null=True, related_name="+")
    source = models.CharField(max_length=80)
    event = models.CharField(max_length=20)
    title = models.CharField(max_length=200)
    text = models.TextField()
    url = models.CharField(max_length=200)
    by = models.DateTimeField(null=True)
    at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)
    is_retired = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["user", "source"], name="notice_once")]
        indexes = [
            models.Index(fields=["user", "-id"], name="notice_of_user"),
            models.Index(fields=["user"], condition=Q(read_at__isnull=True), name="notice_unread"),
            models.Index(fields=["at"], name="notice_at"),
        ]

    def __str__(self) -> str:
        return f"{self.event} for {self.user_id}"

    @classmethod
    def of(cls, event: str, about: Any, **fields: Any) -> Notice:
        """Return an unsaved notice about a match, or about something else with a title and a page. Its time is now and
        it links to that page, unless `fields` say otherwise."""
        match = about if isinstance(about, Match) else None
        title = f"{EVENTS[event].headline} · {about.title}"
        usual = {"match": match, "title": title, "url": about.get_absolute_url(), "at": clock.now()}
        return cls(event=event, **{**usual, **fields})

    head = ""
    """In what is sent: if it tells of a close, the fingerprint of the log at that close."""

    @property
    def group(self) -> str:
        """The group of its event: act, lost, won or news; empty if there is no such event any more."""
        return EVENTS[self.event].group if self.event in EVENTS else ""

    @property
    def is_past(self) -> bool:
        """Whether its deadline has passed."""
        return self.by is not None and self.by <= clock.now()

    @property
    def is_asking(self) -> bool:
        """Whether its event asks something of the reader."""
        return self.group == ACT

    @property
    def has_lapsed(self) -> bool:
        """Whether it asked for something by a deadline that has passed; it then counts as news."""
        return self.is_asking and self.is_past

    @property
    def interrupts(self) -> bool:
        """Whether its card may cover a phone's page for a while; wide screens have room beside the bell."""
        is_due = self.group in (ACT, LOST) and not self.has_lapsed
        return is_due or self.event in FROM_PEOPLE

    @property
    def opening(self) -> str:
        """The first, most important lines of the text."""
        return "\n".join(self.text.splitlines()[:LINES_SHOWN])

    @property
    def rest(self) -> str:
        """The lines after the opening."""
        return "\n".join(self.text.splitlines()[LINES_SHOWN:])

    @property
    def headline(self) -> str:
        """What has happened, without the match's title; a notice without a match has only its title."""
        return EVENTS[self.event].headline if self.match and self.event in EVENTS else self.title

    @property
    def match_code(self) -> str:
        """The public id of its match; empty if it has none."""
        return self.match.public_id if self.match else ""

    @property
    def match_title(self) -> str:
        """The title of its match; empty if it has none."""
        return self.match.title if self.match else ""

    @property
    def game_title(self) -> str:
        """The name of the match's game; empty if it has none."""
        return rules_of(self.match.game, None).title if self.match else ""

    @property
    def full_url(self) -> str:
        """The absolute URL."""
        return f"{settings.SITE_URL}{self.url}"


class Address(models.Model):
    """A destination: one person's (`user`), or a public webhook (channel `news`) that `MatchWebhook` or another
    subclass links to its owner.

    `target`: empty for mail (which goes to the primary confirmed address at the time of sending), a push subscription's
    endpoint, or a webhook's URL. `details`: what the channel needs besides, such as keys, the format and the secret;
    for public webhooks also `kinds` (the news that it gets) and `hidden` (chats hide each line until it is clicked).

    `failures`: consecutive failures since `failing_since`. `rests_until`: nothing is sent before. `claimed_until`: a
    process is sending there. `stopped_at`: nothing is sent any more, because of `last_error`.
    """

    class Channel(models.TextChoices):
        EMAIL = "email", "E-mail"
        PUSH = "push", "Push"
        WEBHOOK = "webhook", "Webhook"
        NEWS = "news", "Public webhook"

    token = models.CharField(max_length=20, unique=True, default=new_token, editable=False)
    user: Any = models.ForeignKey(_SIGNED_IN, on_delete=models.CASCADE, null=True, related_name="addresses")
    channel = models.CharField(max_length=8, choices=Channel)
    target = models.CharField(max_length=1000, blank=True)
    label = models.CharField(max_length=80, blank=True)
    details: Any = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(_SIGNED_IN, on_delete=models.SET_NULL, null=True, related_name="+")
    last_sent_at = models.DateTimeField(null=True)
    last_error = models.CharField(max_length=300, blank=True)
    last_error_at = models.DateTimeField(null=True)
    failures = models.PositiveSmallIntegerField(default=0)
    failing_since = models.DateTimeField(null=True)
    rests_until = models.DateTimeField(null=True)
    claimed_until = models.DateTimeField(null=True)
    stopped_at = models.DateTimeField(null=True)

    AS_NEW = {"failures": 0, "failing_since": None, "rests_until": None, "stopped_at": None, "last_error": ""}
    """The fields of an address at which nothing has failed."""

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["user", "channel", "target"], name="address_once")]
        indexes = [models.Index(fields=["target"], condition=Q(channel="push"), name="address_of_browser")]

    def __str__(self) -> str:
        return f"{self.channel} of {self.user_id}"


class MatchWebhook(Address):
    """A webhook that gets the public news of a match."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="+")


class Delivery(models.Model):
    """One notice to one address, at most once; or one post to a public webhook.

    `due_at`: it is not sent before. `in_digest`: it goes out with others in one message. A post has no notice but
    these: `event_id`, the same however often it is sent; `items`: what happened, as kinds with sentences; `at`: when;
    `match`: in which match, if any.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", "Waiting"
        SENT = "sent", "Sent"
        FAILED = "failed", "Given up"
        DROPPED = "dropped", "Not needed"

    notice: Any = models.ForeignKey(
        Notice, on_delete=models.CASCADE, null=True, related_name="deliveries", db_index=False
    )
    address = models.ForeignKey(Address, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    event_id = models.CharField(max_length=40, blank=True)
    items: Any = models.JSONField(default=list)
    at: Any = models.DateTimeField(null=True)
    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, null=True, related_name="+", db_index=False)
    status = models.CharField(max_length=7, choices=Status, default=Status.WAITING)
    due_at = models.DateTimeField()
    in_digest = models.BooleanField(default=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    last_error = models.CharField(max_length=300, blank=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "deliveries"
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["notice", "address"], name="delivery_once"),
            models.UniqueConstraint(fields=["address", "event_id"], condition=~Q(event_id=""), name="post_once"),
        ]
        indexes = [
            models.Index(fields=["address", "id"], name="delivery_of_address"),
            models.Index(fields=["due_at"], condition=Q(status="waiting"), name="delivery_due"),
            models.Index(fields=["match"], condition=Q(match__isnull=False), name="post_of_match"),
        ]

    def __str__(self) -> str:
        return f"{self.event_id or self.notice_id} to {self.address_id}: {self.status}"


# -- what people have chosen ----------------------------------------------------------------------------


class Choice(models.Model):
    """A person's choice about an event and a channel that differs from the default."""

    user = models.ForeignKey(_SIGNED_IN, on_delete=models.CASCADE, related_name="notice_choices")
    event = models.CharField(max_length=20)
    channel = models.CharField(max_length=8)
    on = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "event", "channel"], name="choice_once")]

    def __str__(self) -> str:
        return f"{self.event} by {self.channel}: {'on' if self.on else 'off'}"


class Habits(models.Model):
    """When and how much a person wants to hear. Times of day are in the person's own zone.

    `here_at`: when they last touched a page. `digest`: routine mail comes once a day, at `digest_at`.
    `urgent_at_night`: urgent events come in the quiet hours too. `show_details`: subject lines and lock screens may
    show the text. `spacing`: when reminders come, see `notices.reminder_times`.
    """

    user = models.OneToOneField(_SIGNED_IN, on_delete=models.CASCADE, related_name="notice_habits")
    quiet_from = models.TimeField(null=True, blank=True)
    quiet_to = models.TimeField(null=True, blank=True)
    urgent_at_night = models.BooleanField(default=False)
    digest = models.BooleanField(default=True)
    digest_at = models.TimeField(default=time(9))
    also_when_here = models.BooleanField(default=False)
    show_details = models.BooleanField(default=False)
    sound = models.BooleanField(default=False)
    spacing = models.JSONField(default=list)
    here_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"habits of {self.user_id}"


class Mute(models.Model):
    """A match whose notices a person gets on the site only."""

    user = models.ForeignKey(_SIGNED_IN, on_delete=models.CASCADE, related_name="muted_matches")
    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "match"], name="mute_once")]

    def __str__(self) -> str:
        return f"{self.match_id} for {self.user_id}"


# -- reminders -----------------------------------------------------------------------------------------


class AskedDeadline(models.Model):
    """A deadline by which a match asks something of its players.

    `time` is its match time, which stays the same however the match is paused or extended; `since`: the match time from
    which it is asked. `at`: the present instant, None while the match is paused. `all_sent`: the hosts were told that
    everybody has submitted.
    """

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="+", db_index=False)
    time = models.DurationField()
    since = models.DurationField()
    at = models.DateTimeField(null=True)
    all_sent = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "time"], name="asked_deadline_once")]

    def __str__(self) -> str:
        return f"{self.time} of {self.match_id}"


class Reminder(models.Model):
    """A check before a deadline, which reminds those who have submitted nothing.

    `spacing`: how long before it (`notices.reminder_times`). One row serves all people with this spacing; a row with
    `user` is one person's, who asked to be reminded again. `due_at`: None if nothing is to be done, because the match
    is paused or they were reminded. `times`: how often that was; it happens again only if the deadline moves.
    """

    deadline = models.ForeignKey(AskedDeadline, on_delete=models.CASCADE, related_name="reminders", db_index=False)
    user = models.ForeignKey(_SIGNED_IN, on_delete=models.CASCADE, null=True, related_name="+")
    spacing = models.CharField(max_length=12)
    due_at = models.DateTimeField(null=True)
    reminded_at = models.DateTimeField(null=True)
    times = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["deadline", "spacing"], condition=Q(user__isnull=True), name="reminder_once"
            ),
            models.UniqueConstraint(
                fields=["deadline", "user"], condition=Q(user__isnull=False), name="reminder_own_once"
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="reminder_due"),
            models.Index(fields=["deadline"], name="reminder_of_deadline"),
        ]

    def __str__(self) -> str:
        return f"{self.spacing} before {self.deadline_id}"


class LogSeen(models.Model):
    """The last log row, of any match, that was checked for submissions. The table has one row."""

    row = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.row)


# -- calendars ---------------------------------------------------------------------------------------------


def new_nonce() -> str:
    """Return 128 random bits in hexadecimal, from which a calendar's secret is derived."""
    return secrets.token_hex(16)


class CalendarAddress(models.Model):
    """The secret URL at which calendar programs read a person's deadlines.

    The secret is not stored. It is derived from `nonce` and the site's key, so that its owner can see it again, and
    looked up by its `digest`. A new nonce makes the old URL useless.
    """

    user = models.OneToOneField(_SIGNED_IN, on_delete=models.CASCADE, related_name="calendar_address")
    nonce = models.CharField(max_length=32, default=new_nonce)
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"calendar {self.pk}"

    def renew(self) -> None:
        """Change the secret."""
        self.nonce, self.made_at = new_nonce(), timezone.now()
        self.digest = self.digest_of(self._secret())

    @property
    def secret(self) -> str:
        """The secret part of the URL; empty if the site's key has changed since it was made."""
        secret = self._secret()
        return secret if self.digest_of(secret) == self.digest else ""

    def _secret(self) -> str:
        return salted_hmac("feeds.calendar", self.nonce, algorithm="sha256").hexdigest()[:48]

    @staticmethod
    def digest_of(secret: str) -> str:
        """Return the digest by which secrets are looked up, so that timing does not reveal how close a guess is."""
        return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
