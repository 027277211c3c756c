"""The signals of talk, sent after the commit."""

from __future__ import annotations

from django.dispatch import Signal

# Sent with sender=Message, message_id (int), channel_id (int), match_id (int), mentioned (frozenset of user ids who
# were named and can read the message). Receivers must be quick and must not raise.
message_posted = Signal()

# Somebody has read a channel: sent with sender=Seen, channel_id, user. Receivers must be quick and must not raise.
channel_read = Signal()

# A message was hidden, so its channel is shown again. Sent with sender=Message, message_id, channel_id, match_id.
message_hidden = Signal()
