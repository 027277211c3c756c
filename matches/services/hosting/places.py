"""Commands of hosts about players and roles: substitutes, bots, looking at private data, deciding for a player, roles.

All raise `CommandRefused` with a sentence if the command cannot be carried out now, `NotAHost` if the person does not
host the match, and `AlreadyDone` for a repeated `key`.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.db.models import Q

from matches.engine.actions import DECISIONS
from matches.engine.step import EVERYONE, to_player
from matches.models import LedgerEntry, Match, Player
from matches.services.actions import Answer, submit_for
from matches.services.commands import (
    AlreadyDone,
    Need,
    command,
    command_row,
    need_host,
    need_own,
    need_owner,
    need_reason,
    need_status,
)
from matches.services.errors import CommandRefused, as_rule_failure, retrying
from matches.services.hosting.lifecycle import is_at_fault
from matches.services.places import CHANGED, change_hands, need_newcomer, own_name, switch_bot, where
from matches.services.roles import check_roles, note_insiders, roles_from, roles_of, store_roles
from matches.services.writer import Writer

# -- who plays -----------------------------------------------------------------------------------------------
# In a running match. Each command is one transaction and a row of the log, and everybody is told, with the round.
# `place` is a player as the host has seen it: if somebody else plays there by now, the command is refused.


@contextmanager
def _at_place(match: Match, host: Any, place: Player, key: str) -> Iterator[tuple[Writer, Player]]:
    """Lock the match, and read the place as it is now."""
    with command(match, host, key=key) as writer:
        need_status(writer, *Match.RUNNING, otherwise="You can replace players only while a match is running.")
        need_own(match, place)
        player = Player.objects.select_related("user").get(pk=place.pk)
        if (player.user_id, player.is_bot) != (place.user_id, place.is_bot):
            raise CommandRefused(CHANGED, field="place")
        yield writer, player


@retrying
def substitute(match: Match, host: Any, place: Player, newcomer: Any, reason: str = "", *, key: str = "") -> None:
    """Give any place, even a bot's, to somebody else: with its balances, its secrets and its unread announcements. The
    person who had it sees no more than a spectator from then on."""
    with _at_place(match, host, place, key) as (writer, player):
        need_newcomer(writer.match, newcomer, player.handle)
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
    """End somebody's part in a match. The player stays in the rules, and nobody acts there, or a bot plays. Hosts can
    give the place to somebody else later, but never again to the person who had it."""
    with _at_place(match, host, place, key) as (writer, player):
        if player.user is None:
            raise CommandRefused(f"No person plays as {player.handle}, so nobody can withdraw.", field="place")
        left, stands = player.shown_name, where(writer)
        data = {"player": player.handle, "bot": bot, "where": stands, "reason": reason}
        entry = writer.record(command_row(writer, host, "withdraw_player", key=key, left=player.user.username, **data))
        change_hands(writer, player, None, is_bot=bot)
        writer.announce(entry, EVERYONE, "player_withdrawn", left=left, **data)


@retrying
def let_bot_play(match: Match, host: Any, place: Player, reason: str = "", *, key: str = "") -> None:
    """Let a bot play for somebody until they take their place back, or in a place where nobody plays. The person keeps
    the place and sees what the bot does, but cannot act meanwhile."""
    with _at_place(match, host, place, key) as (writer, player):
        if player.is_bot:
            raise CommandRefused(f"A bot already plays as {player.handle}.", field="place")
        data = {"player": player.handle, "where": where(writer), "reason": reason}
        entry = writer.record(command_row(writer, host, "bot_plays", key=key, **data))
        switch_bot(writer, player, on=True)
        player.absences.filter(ended_at=None).update(bot_since=None)  # the end of an absence does not stop this bot
        writer.announce(entry, EVERYONE, "bot_plays", name=player.shown_name, **data)


@retrying
def give_back(match: Match, host: Any, place: Player, reason: str = "", *, key: str = "") -> None:
    """Stop the bot that plays for somebody, and end their absences, so that they act themselves again."""
    with _at_place(match, host, place, key) as (writer, player):
        if not player.is_bot or player.user is None:
            raise CommandRefused(f"No bot plays for the person in the place {player.handle}.", field="place")
        data = {"player": player.handle, "where": where(writer), "reason": reason}
        entry = writer.record(command_row(writer, host, "person_plays", key=key, **data))
        switch_bot(writer, player, on=False)
        player.absences.filter(ended_at=None).update(ended_at=writer.now)
        writer.announce(entry, EVERYONE, "person_plays", name=player.shown_name, **data)


# -- looks ---------------------------------------------------------------------------------------------------
# Commands with which hosts look at players' private data. Everybody is told at once who looked, at whom, and why.

_MOST_ENTRIES = 200


class Balances(NamedTuple):
    """A player's balance of each asset in stored units, and the latest entries of their ledger, newest first."""

    holdings: dict[str, int]
    entries: list[LedgerEntry]


@retrying
def peek(match: Match, host: Any, player: Player, reason: str, *, key: str = "") -> Any:
    """Show a host a player's sealed submission as JSON values; None if there is none."""
    with _look(match, host, player, reason, key) as writer, as_rule_failure():
        return (writer.game.sealed(writer.state) or {}).get(player.handle)


@retrying
def peek_at_balances(match: Match, host: Any, player: Player, reason: str, *, key: str = "") -> Balances:
    """Show a host a player's balances and ledger, including those that are private while the match runs."""
    with _look(match, host, player, reason, key, what="balances"):
        entries = match.ledger.filter(Q(giver=player) | Q(receiver=player)).select_related("giver", "receiver")
        holdings = dict(player.holdings.values_list("asset", "amount"))
        return Balances(holdings, list(entries.order_by("-pk")[:_MOST_ENTRIES]))


@contextmanager
def _look(match: Match, host: Any, player: Player, reason: str, key: str, **data: str) -> Iterator[Writer]:
    """Lock the match, and tell everybody of the look. The same look with a repeated `key` shows the data again without
    telling again, unless the log has grown since: then it might show something new."""
    with command(match, host) as writer:
        need_own(match, player)
        reason = need_reason(reason)
        if writer.state is None:
            raise CommandRefused("Nothing has been submitted yet.")
        seen = {"player": player.handle, "reason": reason, **data}
        row = command_row(writer, host, "peek", key=key, **seen)
        known = writer.known(host.pk, key)
        if known is None:
            writer.announce(writer.record(row), EVERYONE, "host_looked", host=host.username, **seen)
            writer.touch(public=True)
        elif (known.number, known.payload) != (writer.match.log_count, row.payload):
            raise AlreadyDone
        yield writer


# -- deciding in a player's place ----------------------------------------------------------------------------


def decide_for(match: Match, host: Any, player: Player, raw: dict[str, Any], reason: str) -> Answer:
    """Make a decision (naming, a vote or gifts) in the place of a player who cannot. Everyone is told which host
    decided and why, never what."""
    need_host(match, host)
    need_own(match, player)
    if raw.get("type") not in DECISIONS:
        raise CommandRefused("A host can only make decisions for a player, never bids.")
    answer = submit_for(player, raw, by_host=host, reason=need_reason(reason))
    if not answer.accepted:
        raise CommandRefused(answer.message, code=answer.code, field=answer.field)
    return answer


# -- roles ---------------------------------------------------------------------------------------------------


@retrying
def set_roles(
    match: Match,
    host: Any,
    hosts: Iterable[Any],
    *,
    observers: Iterable[Any] | None = None,
    owner: Any = None,
    key: str = "",
    need: Need = need_owner,
) -> None:
    """Set who hosts, who observes (None: as before), and which host owns the match (None: the owner as before, or else
    the first host). Only the owner may, or whom `need` lets. Nobody named can ever play in the match. Does nothing if
    nothing would change.

    Raises `NotTheOwner`, `OnlyObserves` or `NotAHost`; and `CommandRefused` for no host, for a player, or for too many
    people.
    """
    with command(match, host, key=key, settle=not is_at_fault(match), need=need) as writer:
        before = roles_of(writer.match)
        watching = before.observers if observers is None else observers
        after = roles_from(hosts, watching, owner=before.owner if owner is None else owner)
        check_roles(after, set(writer.match.players.filter(user__isnull=False).values_list("user_id", flat=True)))
        if not (changed := before.changed_to(after)):
            return
        store_roles(writer.match, after)
        note_insiders(writer.match, after.everybody, writer.now)
        writer.record(command_row(writer, host, "hosts", key=key, **changed))
