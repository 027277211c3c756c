"""Keeping what players have typed and not sent. Nothing here touches a match: no version, no log, and only the player's
own pages are told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction

from jotter.models import Unsent
from jotter.queries.parts import part_of
from jotter.services.signals import unsent_changed
from matches.models import Match, Player, clock
from matches.queries.access import Viewer
from matches.services.errors import NotAPlayer, Refused, TooLarge
from matches.services.storage.retry import retrying

MOST_FIELDS = 200
LONGEST = 8_000
"""Characters of a whole form, names of its fields included."""
LONGEST_WORDS = 200
KEPT_FOR = timedelta(days=30)

Values = Sequence[tuple[str, str]]


class PartOver(Refused):
    """It was typed into the form of a round that is over."""

    code = "part_over"
    status = 409


@retrying
def keep(viewer: Viewer, form: str, part: str, values: Values, words: str = "", page: str = "") -> None:
    """Keep what a player has typed into a form, in place of what was kept of it; without `values`, keep nothing.

    `part` is the part of the match for which it was typed, `page` what the page on which it was typed calls itself: the
    player's other pages are told. Raises `NotAPlayer`, `TooLarge`, `PartOver`, and `Refused`
    for a form that the match does not have.
    """
    match, player = viewer.match, viewer.player
    if player is None:
        raise NotAPlayer("Only this match's players have forms in it.")
    if form not in match.rules.actions:
        raise Refused("This match has no such form.", code="unknown_form", field="type")
    mine = Unsent.objects.filter(player_id=player.pk, form=form)
    if not values:
        if mine.delete()[0]:
            _tell(viewer, page)
        return
    if len(values) > MOST_FIELDS or sum(len(name) + len(text) for name, text in values) > LONGEST:
        raise TooLarge("That is more than any form of a match takes, so it is not kept.")
    now_in = part_of(match)
    if not now_in or part != now_in:
        raise PartOver("The round of this form is over, so what was typed is not kept.")
    kept = {
        "user_id": viewer.user.pk,
        "part": part,
        "values": [list(pair) for pair in values],
        "words": words[:LONGEST_WORDS],
        "saved_at": clock.now(),
    }
    try:
        with transaction.atomic():
            if not mine.update(**kept):
                Unsent.objects.create(player_id=player.pk, form=form, **kept)
    except IntegrityError:  # another page of the same person was faster
        mine.update(**kept)
    _tell(viewer, page)


def _tell(viewer: Viewer, page: str) -> None:
    def send() -> None:
        unsent_changed.send(None, match=viewer.match, user_id=viewer.user.pk, page=page)

    transaction.on_commit(send)


def forget(player: Player, **_: Any) -> None:
    """A receiver of `matches.services.signals.place_changed_hands`."""
    Unsent.objects.filter(player_id=player.pk).delete()


def let_go() -> None:
    """Delete what was typed in matches that are over, and what nobody has come back to for a month."""
    Unsent.objects.filter(player__match__status__in=Match.OVER).delete()
    Unsent.objects.filter(saved_at__lt=clock.now() - KEPT_FOR).delete()
