"""Every stored field of every model that belongs to a match or a season: found by `verify` if somebody changes it past
the log, or listed here with the reason why it proves nothing.

`tests/trust/test_tampering.py` changes each field that is not listed, so a new one is found, or fails there.
"""

from __future__ import annotations

from django.apps import apps
from django.db import models

BELONGS_TO = ("matches.Match", "seasons.Season")

NOT_COVERED = {
    "matches.Match.public_version": "a count by which pages ask for news; it goes up with every change",
    "matches.Match.voice": "a count by which pages ask for news; it goes up with every word",
    "matches.Match.failures": "how often the rules failed lately; a replay shows whether they do",
    "matches.Match.fault": "what hosts read of such a failure; a replay shows it again",
    "matches.Player.version": "a count by which pages ask for news; it goes up with every change",
    "matches.Player.bot_acts_at": "when a bot looks next; what it does is in the log, at its time",
    "matches.Announcement.token": "a random name for addresses",
    "matches.Announcement.read_at": "whether the person has seen it; what was told is covered",
    "matches.Invitation.opened_at": "when somebody followed the link, for the host's list; using it is in the log",
    "matches.Absence.bot_since": "since when a bot plays is in the log, as a row of its own",
    "matches.Absence.ended_at": "whether the person is reminded again; what they do or do not do is in the log",
    "matches.Result.match_id": "a copy, made again where it is missing; in another match it differs from its log",
    "seasons.Season.key": "the one-time key of the form that made it",
    "seasons.SeasonNews.passed_on": "whether it has been told elsewhere too",
    "seasons.Member.position": "the order of the cast is compared, not its numbers",
    "seasons.Member.invite_nonce": "the secret of a link; taking the place is in the log",
    "seasons.SeasonRole.since": "when somebody became a host is in the log; this is for the list",
}
"""Fields that nothing compares, and why."""

OUTSIDE = {
    "matches.NotesRead": "what a person has read",
    "matches.Rehearsal": "bots' play in memory, no part of the match",
    "chat_commands.WaitingAction": "an action on its way; what came of it is in the log of its match",
    "feeds.CalendarEvent": "made of the match's deadlines, for calendars",
    "jotter.Notebook": "a person's own notes",
    "notices.Mute": "what a person wants to hear",
    "notices.MatchWebhook": "where a community is told",
    "notices.MatchPost": "made of announcements, for one webhook",
    "seasons.SeasonInvitation": "for whom a link is and what became of it; taking the place is in the log",
    "seasons.SeasonWebhook": "where a community is told",
    "seasons.SeasonPost": "made of news, for one webhook",
    "notices.Notice": "made of announcements, for one person",
    "notices.Delivery": "how a notice is sent",
    "notices.AskedDeadline": "made of the match's deadlines, for reminders",
    "notices.Reminder": "who is reminded, and when",
    "talk.Channel": "what people say beside a match; no part of its play",
    "talk.Member": "what people say beside a match; no part of its play",
    "talk.Seen": "what a person has read",
    "talk.TalkChoices": "who may talk beside a match",
    "talk.Message": "what people say beside a match; no part of its play",
    "talk.Mention": "what people say beside a match; no part of its play",
    "talk.Report": "what people say beside a match; no part of its play",
    "talk.Speech": "what people say beside a match; no part of its play",
}
"""Models of which nothing is compared, and why."""


def belonging() -> list[type[models.Model]]:
    """The models whose rows belong to a match or a season, by one foreign key or several."""
    known = {apps.get_model(label) for label in BELONGS_TO}
    while True:
        more = {
            model
            for model in apps.get_models(include_auto_created=True)
            if model not in known and any(f.related_model in known for f in model._meta.concrete_fields)
        }
        if not more:
            return sorted(known, key=lambda model: model._meta.label)
        known |= more


def label(model: type[models.Model]) -> str:
    return str(model._meta.label)


def fields_of(model: type[models.Model]) -> list[models.Field]:
    """The stored fields that `verify` must compare: all but those listed, and ids that count rows."""
    return [
        field
        for field in model._meta.concrete_fields
        if not isinstance(field, models.AutoField) and f"{label(model)}.{field.attname}" not in NOT_COVERED
    ]
