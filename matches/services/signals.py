"""The signals with which services tell the rest of the site what has changed, after commit unless they say so."""

from datetime import datetime

from django.dispatch import Signal

from matches.models import Match, OutboxRow

# Sent with sender=Match, match_id (int), head (int: how long its log is by now), public (bool: what
# everyone may know has changed), players (frozenset of player ids whose private view has changed).
# Receivers must not raise and must be quick: the writer's thread runs them.
match_changed = Signal()

# Sent with sender=None, people (frozenset of user ids): what each of their pages shows besides a match has
# changed (`matches.pages.extensions`). The same goes for its receivers.
people_told = Signal()

# Sent with sender=Player, player (as it is now), left (the user who had the place, or None): a place of a running match
# has changed hands. Sent inside the transaction, so that nothing of the place stays with who has left; receivers that
# raise undo it.
place_changed_hands = Signal()

# Also sent within the transaction, with sender=Match, source (Match), draft (Match, like the source), host:
# whatever else hosts have chosen for the source is now to be chosen for the draft. A receiver may refuse with
# `CommandRefused`; then there is no draft.
match_duplicated = Signal()

# Sent with sender=Invitation, invitation, code (of its link): a host wants its `sent_to` to have it, perhaps once more.
# Sent inside the transaction.
invited = Signal()


# -- outbox ----------------------------------------------------------------------------------------------
# What is done with the outbox besides writing it with each announcement (`services/storage/new_rows.py`).


def leave_untold(match: Match, before: datetime) -> None:
    """Pass on nothing that was told in a match before an instant, inside the caller's transaction: for a past that was
    made and not lived through, of which nobody wants to hear."""
    OutboxRow.objects.filter(match=match, submission__received_at__lt=before).delete()
