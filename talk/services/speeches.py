"""The words that a player gives with their Tokens of Life: kept before the gift is made, shown when it is announced."""

from typing import Any

from django.db import transaction

from matches.models import Match, Player, clock
from matches.queries.access import Viewer, viewer_of
from matches.queries.matches import Position
from matches.services.errors import Refused
from matches.services.locking import lock_row
from matches.services.storage.retry import retrying
from talk.models import Speech
from talk.queries.messages import said_in
from talk.queries.rights import chosen_for
from talk.services import limits

LONGEST = 200
NO_GIFT = "You have no gift to give now."
_DECISION = "give_tokens"


class NotNow(Refused):
    """Nobody asks this player for a gift now, or the match has no such words."""

    code = "not_your_decision"
    status = 409


def offered(match: Match) -> bool:
    """Whether players of this match can say something with a gift."""
    return chosen_for(match).speeches


def take(viewer: Viewer, text: str) -> None:
    """For the form of the gift: keep the words if the gift is still to be made; the rules say what is wrong else."""
    try:
        keep(viewer.match, viewer.user, text)
    except NotNow:
        return


@retrying
def keep(match: Match, user: Any, text: str) -> None:
    """Keep what a player wants to say with the gift that they are asked for, instead of what was kept before; an empty
    text is nothing. Nobody else can read it. Raises `NotNow`, `BadText`."""
    words = limits.cleaned(text, longest=LONGEST, field="words") if text.strip() else ""
    if "\n" in words:
        words = " ".join(words.split())
    with transaction.atomic():
        # Under the match's lock: once the gift is made, its words do not change any more.
        viewer = viewer_of(lock_row(match.pk), user)
        if viewer.player is None or not offered(viewer.match) or not _is_asked(viewer):
            raise NotNow(NO_GIFT)
        if not words:
            Speech.objects.filter(match=viewer.match, player=viewer.player).delete()
            return
        Speech.objects.update_or_create(
            match=viewer.match, player=viewer.player, defaults={"author_id": user.pk, "text": words, "at": clock.now()}
        )


def forget(player: Player, **_: Any) -> None:
    """A receiver of `matches.services.signals.place_changed_hands`: what somebody wanted to say with a gift that is not
    made yet is not said by who has their place now."""
    match = Match.objects.get(pk=player.match_id)
    if not any(said.player == player.handle for said in said_in(match)):
        Speech.objects.filter(match=match, player=player).delete()


def _is_asked(viewer: Viewer) -> bool:
    own = Position(viewer.match).private_of(viewer.player)
    return own is not None and any(ask.kind == _DECISION for ask in own.asked)
