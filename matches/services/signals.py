"""The signals with which services tell the rest of the site what has changed; sent after the commit unless noted."""

from datetime import datetime

from django.dispatch import Signal

from matches.models import Match, OutboxRow

# Sent with sender=Match, match_id (int), head (int: the length of its log), public (bool: whether the public view
# has changed), players (frozenset of the ids of players whose private view has changed).
# Receivers must not raise and must be quick: the writer's thread runs them.
match_changed = Signal()

# Sent with sender=None, people (frozenset of user ids): something that all of their pages show, outside any match, has
# changed (`matches.pages.extensions`). Receivers must not raise and must be quick.
people_told = Signal()

# Sent with sender=Player, player (as it is now), left (the user who had the place, or None): a place of a running match
# has changed hands. Sent inside the transaction, so that the person who left keeps nothing; a receiver that raises
# undoes it.
place_changed_hands = Signal()

# Sent with sender=Player, player: a bot begins to play in a place of a running match, or a host decides a gift for its
# player. Sent inside the transaction.
place_played_by_others = Signal()

# Also sent inside the transaction, with sender=Match, source (Match), draft (Match), host: receivers copy to the draft
# whatever else hosts have chosen for the source. A receiver may refuse with `CommandRefused`; then there is no draft.
match_duplicated = Signal()

# Sent inside the transaction, with sender=Invitation or SeasonInvitation, invitation, code (of its link): a host sends
# an invitation to its `sent_to`, perhaps once more.
invited = Signal()

# Also inside the transaction, with sender as above, invitation: it was used, revoked or replaced.
invitation_ended = Signal()


# -- outbox ----------------------------------------------------------------------------------------------


def leave_untold(match: Match, before: datetime) -> None:
    """Drop the notices of a match's announcements before an instant, inside the caller's transaction: for a generated
    past, about which nobody wants mail."""
    OutboxRow.objects.filter(match=match, submission__received_at__lt=before).delete()
