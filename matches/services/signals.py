"""The signals with which services tell the rest of the site what has changed, always after commit."""

from __future__ import annotations

from django.dispatch import Signal

# Sent with sender=Match, match_id (int), head (int: how long its log is by now), public (bool: what
# everyone may know has changed), players (frozenset of player ids whose private view has changed),
# notices (of player ids who were told something). Receivers must not raise and must be quick: the
# writer's thread runs them.
match_changed = Signal()
