"""What is stored of notices: what people are told, where and how it goes out, what they have chosen, reminders, and
calendars."""

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

from matches.models import Match, clock
from notices.events import EVENTS

_SIGNED_IN = settings.AUTH_USER_MODEL


def new_token() -> str:
    """A random name, for addresses of pages and for receivers that must know something again."""
    return secrets.token_urlsafe(12)


# -- what people are told, and what goes out ------------------------------------------------------------


class Notice(models.Model):
    """One thing told to one person. `source` names what it comes from: the same thing makes no second notice.

    `title` says nothing sealed, not even the person's own; `text` is for their eyes only. `by` is the instant up to
    which something is asked of them. `event`: a key of `notices.events`. `is_retired`: it counts as read without having
    been, and is still sent.
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
        """A new notice, not yet stored, of something in a match, or in what else has a title and a page. It is of now
        and leads there, unless `fields` say otherwise."""
        match = about if isinstance(about, Match) else None
        title = f"{EVENTS[event].headline} · {about.title}"
        usual = {"match": match, "title": title, "url": about.get_absolute_url(), "at": clock.now()}
        return cls(event=event, **{**usual, **fields})


class Address(models.Model):
    """One place to which something is sent: a way to reach one person (`user`), or a public webhook (channel `news`),
    which `MatchWebhook` and its like give an owner.

    `target`: empty for e-mail (the confirmed primary address as it is when something is sent), a push subscription's
    endpoint, a webhook's URL. `details` has what the channel needs besides: keys, the form of the body, the secret. Of
    public webhooks it has `kinds` (of which news they hear) and `hidden` (a chat hides each line until it is clicked).

    `failures`: how many times in a row, since `failing_since`, nothing got through. `rests_until`: it is left alone
    until then. `claimed_until`: a process is sending there. `stopped_at`: nothing is sent there any more, because of
    `last_error`.
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
    """How an address does at which nothing has failed yet."""

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["user", "channel", "target"], name="address_once")]
        indexes = [models.Index(fields=["target"], condition=Q(channel="push"), name="address_of_browser")]

    def __str__(self) -> str:
        return f"{self.channel} of {self.user_id}"


class MatchWebhook(Address):
    """A webhook that hears of what everybody is told in a match."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="+")


class Delivery(models.Model):
    """One notice to one address, of which there is never a second one; or one post to a public webhook.

    `due_at`: it is not sent before. `in_digest`: it goes out with others in one message. A post has no notice:
    `event_id` is the same however often it is sent; `items`: what happened, as kinds with sentences; `at`: when;
    `match`: in which match, if in one.
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
    """Whether a person hears of an event by a channel, where they have chosen something else than the default."""

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

    `here_at`: when one of their pages was last touched. `digest`: routine mail comes once a day, at `digest_at`.
    `urgent_at_night`: what cannot wait comes in the quiet hours too. `show_details`: subject lines and lock screens
    show the text as well. `spacing`: before a deadline with something missing, reminders at these shares of the phase
    (below 1) and this many seconds before its end (above).
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
    """A match of which a person wants to hear nothing elsewhere than on the site."""

    user = models.ForeignKey(_SIGNED_IN, on_delete=models.CASCADE, related_name="muted_matches")
    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "match"], name="mute_once")]

    def __str__(self) -> str:
        return f"{self.match_id} for {self.user_id}"


# -- reminders -----------------------------------------------------------------------------------------


class AskedDeadline(models.Model):
    """A deadline by which a match asks something of its players.

    `time` is the match time that names it, which stays the same however the match is paused or extended; `since` the
    match time from which on it is asked. `at`: the instant as it is now, None while the match is paused. `all_sent`:
    the hosts were told that everybody has submitted.
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
    """One look before a deadline: who has sent nothing is reminded then.

    `spacing`: how long before it (`notices.reminder_times`). Those who have chosen this spacing are looked at
    together; with `user` it is one person's own, who wants to be told again. `due_at`: None while nothing is to be
    done, because the match is paused or they were reminded. `times`: how often that was; it happens again only if the
    deadline moves.
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
    """The last row of all matches' logs that was looked at for those who have submitted. There is one."""

    row = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.row)


# -- calendars ---------------------------------------------------------------------------------------------


def new_nonce() -> str:
    """128 random bits, from which an address is made."""
    return secrets.token_hex(16)


class CalendarAddress(models.Model):
    """The secret address at which calendar programs read a person's deadlines.

    The secret itself is not stored. It is made from `nonce` and the site's key, so that its owner can see it again, and
    found by its `digest`. A new nonce makes the old address useless.
    """

    user = models.OneToOneField(_SIGNED_IN, on_delete=models.CASCADE, related_name="calendar_address")
    nonce = models.CharField(max_length=32, default=new_nonce)
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"calendar {self.pk}"

    def renew(self) -> None:
        """Take a new secret."""
        self.nonce, self.made_at = new_nonce(), timezone.now()
        self.digest = self.digest_of(self._secret())

    @property
    def secret(self) -> str:
        """The secret part of the address; empty if the site has had another key since it was made."""
        secret = self._secret()
        return secret if self.digest_of(secret) == self.digest else ""

    def _secret(self) -> str:
        return salted_hmac("feeds.calendar", self.nonce, algorithm="sha256").hexdigest()[:48]

    @staticmethod
    def digest_of(secret: str) -> str:
        """What an address is looked up by, so that nobody can time whether a guess is close."""
        return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
