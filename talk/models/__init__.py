"""What is stored. Only `talk.services` writes these; pages read them through `talk.queries`."""

from talk.models.channel import Channel, Member, Seen
from talk.models.choices import TalkChoices
from talk.models.message import Mention, Message, Report
from talk.models.speech import Speech

__all__ = ["Channel", "Member", "Mention", "Message", "Report", "Seen", "Speech", "TalkChoices"]
