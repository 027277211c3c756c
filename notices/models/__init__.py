"""What is stored of notices. Only `notices.services` writes these."""

from notices.models.address import Address
from notices.models.choices import Choice, Habits, Mute
from notices.models.delivery import Delivery
from notices.models.match_webhook import MatchPost, MatchWebhook
from notices.models.notice import Notice
from notices.models.public_webhook import PublicPost, PublicWebhook
from notices.models.reminder import AskedDeadline, LogSeen, Reminder

__all__ = [
    "Address",
    "AskedDeadline",
    "Choice",
    "Delivery",
    "Habits",
    "LogSeen",
    "MatchPost",
    "MatchWebhook",
    "Mute",
    "Notice",
    "PublicPost",
    "PublicWebhook",
    "Reminder",
]
