"""What a season tells the rest of the site."""

from __future__ import annotations

from django.dispatch import Signal

# Sent after the commit with sender=Season, season_id (int): something has been written into its log.
season_changed = Signal()

# Sent inside the transaction with sender=Member, member (as it is now), left (the user who was behind it), so that
# nothing of the member stays with who has left; receivers that raise undo it.
member_changed_hands = Signal()

# Sent inside the transaction with sender=SeasonInvitation, invitation, code (of its link): a host wants its `sent_to`
# to have it, perhaps once more.
invited = Signal()
