"""What was told to one player, and whose it is."""

from __future__ import annotations

from typing import Any

from matches.models import Match, Player, Submission
from matches.models.player import new_nonce
from matches.services import signals
from matches.services.errors import CommandRefused
from matches.services.names import Names, name_beside, names_in
from matches.services.roles import note_leaver, why_not_play
from matches.services.storage.retry import as_rule_failure
from matches.services.writer import Writer

PERSONAL = ("added_to_match", "question_answered")
"""What concerns the person, and not what happens to their place in the play."""


def let_go_of_personal(player: Player) -> None:
    """Hide from the next person of a place what concerned the last one alone. What happened to the place in the play is
    theirs now."""
    player.announcements.filter(kind__in=PERSONAL).update(player=None)


def let_go(player: Player) -> None:
    """Keep from the next person of a place all that the last one was told, and had said of their absence."""
    player.announcements.update(player=None)
    player.absences.all().delete()


# -- places ----------------------------------------------------------------------------------------------
# A place of a running match that changes hands: everything of it goes to who comes, and nothing stays with who
# leaves.
#
# The place itself, in the rules and in the log, is its handle: it keeps its balances, secrets and what it was told.
# Only the account, and the name that is shown, change.

TAKE_PLACE = "take_place"


def need_newcomer(match: Match, newcomer: Any) -> None:
    """Raise `CommandRefused` with a sentence for somebody who may not come into this match."""
    if not newcomer.is_active:
        raise CommandRefused(f"The account of {newcomer} is closed.", field="person")
    if match.players.filter(user=newcomer).exists():
        raise CommandRefused(f"{newcomer} plays in this match already.", field="person")
    if why_not := why_not_play(match, newcomer):
        raise CommandRefused(why_not, field="person")


def change_hands(writer: Writer, player: Player, newcomer: Any, *, is_bot: bool = False) -> Submission | None:
    """Give a place to somebody, or (None) to nobody or a bot. Who had it loses all access when this is committed, and
    can never play in this match again. The caller records why, tells it, and saves. Gives the newcomer's row of the
    log."""
    left, before = player.user, player.shown_name
    others = names_in(writer.match, besides=player.pk)
    player.user, player.is_bot, player.bot_acts_at = newcomer, is_bot, None
    player.invite_nonce = new_nonce()
    # Not the name of who leaves: the next person would be taken for them.
    taken = [*others, Names(before)] if left is not None else others
    player.name = name_beside(player.handle, newcomer, taken) if newcomer is not None else ""
    player.save(update_fields=["user", "is_bot", "bot_acts_at", "invite_nonce", "name"])
    player.absences.filter(ended_at=None).update(ended_at=writer.now)
    if left is not None:
        note_leaver(player, left, writer.now)
        let_go_of_personal(player)
    entry = None if newcomer is None else writer.record(_row_of(writer, player, newcomer))
    writer.touch_all()
    signals.place_changed_hands.send(sender=Player, player=player, left=left)
    return entry


def switch_bot(writer: Writer, player: Player, *, on: bool) -> None:
    """Let a bot play in a place, or stop it. The caller records and saves."""
    player.is_bot, player.bot_acts_at = on, None
    player.save(update_fields=["is_bot", "bot_acts_at"])
    writer.touch_all()


def _row_of(writer: Writer, player: Player, newcomer: Any) -> Submission:
    """The row with which somebody takes a place, which says since when they act there."""
    payload = {"command": TAKE_PLACE, "player": player.handle}
    return writer.row(payload, actor=f"player:{player.handle}", user_id=newcomer.pk)


def where(writer: Writer) -> str:
    """How far the match is, in words that everybody may know: “Round 2 of 4”."""
    with as_rule_failure():
        return str(writer.game.progress(writer.game.public_view(writer.state)).where)
