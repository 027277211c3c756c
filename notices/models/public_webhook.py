"""What all webhooks have that hear of what everybody is told: addresses, and the posts on their way to them."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

from django.conf import settings
from django.db import models


def new_token() -> str:
    """A random name for a webhook, in addresses of pages."""
    return secrets.token_urlsafe(12)


class PublicWebhook(models.Model):
    """One address. `kinds`: of what it hears (`notices.match_webhooks.kinds`). `hidden`: in a chat each line is hidden
    until it is clicked. `secret` signs what programs get.

    `failures`: how many posts in a row have failed since `failing_since`. `rests_until`: nothing is posted before.
    `claimed_until`: a process is posting. `stopped_at`: nothing is posted any more, because of `last_error`.
    """

    class Form(models.TextChoices):
        DISCORD = "discord", "Discord, or what takes the same"
        JSON = "json", "A program (JSON)"

    OWNER: ClassVar[str]
    """The field that says whose news these are."""

    token = models.CharField(max_length=20, unique=True, default=new_token, editable=False)
    url = models.CharField(max_length=1000)
    form = models.CharField(max_length=8, choices=Form)
    kinds = models.JSONField(default=list)
    hidden = models.BooleanField(default=False)
    secret = models.CharField(max_length=80)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    last_sent_at = models.DateTimeField(null=True)
    last_error = models.CharField(max_length=300, blank=True)
    last_error_at = models.DateTimeField(null=True)
    failures = models.PositiveSmallIntegerField(default=0)
    failing_since = models.DateTimeField(null=True)
    rests_until = models.DateTimeField(null=True)
    claimed_until = models.DateTimeField(null=True)
    stopped_at = models.DateTimeField(null=True)

    posts: Any
    """Its posts, as its table of them names it."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.form} of {self.owner}"

    @property
    def owner(self) -> Any:
        """The match, or what else it is, whose news are posted."""
        return getattr(self, self.OWNER)

    def post_of(self, match: Any, **fields: Any) -> PublicPost:
        """A new post, not yet stored, of what a match has told everybody."""
        post: PublicPost = self.posts.model(webhook=self, **fields)
        return post


class PublicPost(models.Model):
    """One post to one webhook. `event_id` is the same however often it is sent; `items`: what happened, as kinds with
    sentences; `at`: when."""

    class Status(models.TextChoices):
        WAITING = "waiting", "Waiting"
        SENT = "sent", "Sent"
        FAILED = "failed", "Given up"

    event_id = models.CharField(max_length=40)
    items = models.JSONField(default=list)
    at = models.DateTimeField()
    status = models.CharField(max_length=7, choices=Status, default=Status.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    last_error = models.CharField(max_length=300, blank=True)
    sent_at = models.DateTimeField(null=True)

    webhook: Any
    webhook_id: int

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.event_id} to {self.webhook_id}: {self.status}"
