"""Commands of hosts about who plays in a running match: a substitute, a player who withdraws, a bot that plays for
somebody. Each is one transaction and a row of the log, and everybody is told with the round.

All raise `CommandRefused` with a sentence where the command cannot be carried out now, and `NotAHost` where the person
does not host the match; for the same `key` a second time `AlreadyDone`. `place` is a player as the host has seen it: if
it has changed hands meanwhile, nothing is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from matches.engine.step import EVERYONE, to_player
from matches.models import Match, Player
from matches.services.commands import command, command_row, need_own, need_status
from matches.services.errors import CommandRefused
from matches.services.names import own_name
from matches.services.places import change_hands, need_newcomer, switch_bot, where
from matches.services.storage.retry import retrying
from matches.services.writer import Writer

_CHANGED = "Who plays there has changed meanwhile. Look at the current players first."


@contextmanager
def _at_place(match: Match, host: Any, place: Player, key: str) -> Iterator[tuple[Writer, Player]]:
    """The match, locked, and the place as it is now."""
    with command(match, host, key=key) as writer:
        need_status(writer, *Match.RUNNING, otherwise="Who plays changes only while a match runs.")
        need_own(match, place)
        player = Player.objects.select_related("user").get(pk=place.pk)
        if (player.user_id, player.is_bot) != (place.user_id, place.is_bot):
            raise CommandRefused(_CHANGED, field="place")
        yield writer, player
        writer.save()


@retrying
def substitute(match: Match, host: Any, place: Player, newcomer: Any, reason: str = "", *, key: str = "") -> None:
    """Give a place, whoever or whatever plays there, to somebody else: with its balances, its secrets, and what it was
    told and nobody has read. Who had it sees no more than a spectator from then on."""
    with _at_place(match, host, place, key) as (writer, player):
        need_newcomer(writer, newcomer)
        before, had_somebody = player.shown_name, player.user is not None
        stands = where(writer)
        entry = writer.record(
            command_row(
                writer,
                host,
                "substitute",
                key=key,
                player=player.handle,
                left=player.user.username if player.user else None,
                newcomer=newcomer.username,
                where=stands,
                reason=reason,
            )
        )
        change_hands(writer, player, newcomer)
        shown = {"player": player.handle, "name": own_name(newcomer), "where": stands, "reason": reason}
        left = {"left" if had_somebody else "was": before} if before != player.shown_name else {}
        writer.announce(entry, EVERYONE, "place_taken_over", **shown, **left)
        writer.announce(entry, to_player(player.handle), "added_to_match", player=player.handle, host=host.username)


@retrying
def withdraw_player(
    match: Match, host: Any, place: Player, reason: str = "", *, bot: bool = False, key: str = ""
) -> None:
    """End somebody's part in a match. The player stays in the rules and does nothing, or a bot plays. The place can be
    given to somebody else later, never again to the person who had it."""
    with _at_place(match, host, place, key) as (writer, player):
        if player.user is None:
            raise CommandRefused(f"Nobody plays as {player.handle} who could withdraw.", field="place")
        left, stands = player.shown_name, where(writer)
        data = {"player": player.handle, "bot": bot, "where": stands, "reason": reason}
        entry = writer.record(command_row(writer, host, "withdraw_player", key=key, left=player.user.username, **data))
        change_hands(writer, player, None, is_bot=bot)
        writer.announce(entry, EVERYONE, "player_withdrawn", left=left, **data)


@retrying
def let_bot_play(match: Match, host: Any, place: Player, reason: str = "", *, key: str = "") -> None:
    """Let a bot play for somebody until they have their place back; or in a place in which nobody plays. The person
    keeps the place, sees what the bot does, and cannot act meanwhile."""
    with _at_place(match, host, place, key) as (writer, player):
        if player.is_bot:
            raise CommandRefused(f"A bot plays as {player.handle} already.", field="place")
        data = {"player": player.handle, "where": where(writer), "reason": reason}
        entry = writer.record(command_row(writer, host, "bot_plays", key=key, **data))
        switch_bot(writer, player, on=True)
        writer.announce(entry, EVERYONE, "bot_plays", name=player.shown_name, **data)


@retrying
def give_back(match: Match, host: Any, place: Player, reason: str = "", *, key: str = "") -> None:
    """Stop the bot that plays for somebody: they act themselves again."""
    with _at_place(match, host, place, key) as (writer, player):
        if not player.is_bot or player.user is None:
            raise CommandRefused(f"No bot plays for the person in the place {player.handle}.", field="place")
        data = {"player": player.handle, "where": where(writer), "reason": reason}
        entry = writer.record(command_row(writer, host, "person_plays", key=key, **data))
        switch_bot(writer, player, on=False)
        player.absences.filter(ended_at=None).update(ended_at=writer.now)
        writer.announce(entry, EVERYONE, "person_plays", name=player.shown_name, **data)
