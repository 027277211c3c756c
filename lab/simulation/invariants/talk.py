"""Talk, at the end: each message that was answered is stored once, as it was sent, and nobody is told of what they may
not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab.simulation.failures import need

if TYPE_CHECKING:
    from lab.simulation.world import World

_READERS = """
    SELECT c.token, p.user_id FROM talk_channel c JOIN talk_member r ON r.channel_id = c.id
    JOIN matches_player p ON p.id = r.player_id WHERE c.kind != 'public'
"""
_MENTIONED = """
    SELECT c.token, n.user_id FROM notices_notice n JOIN talk_message m ON n.source = 'mention:' || m.token
    JOIN talk_channel c ON c.id = m.channel_id
"""


def check(world: World) -> None:
    """Everything that was written in this run."""
    ask = world.seats.ask
    sent = {(each.user, each.stage.number, each.key): each for each in world.talk.sent}
    rows = ask("SELECT author_id, match_id, key, text, token FROM talk_message WHERE NOT key = ''")
    stored = {(author, match, key): (text, token) for author, match, key, text, token in rows}
    need(len(stored) == len(rows), "a message is stored once", len(rows))
    need(stored.keys() <= sent.keys(), "nothing written that was not sent", stored.keys() - sent.keys())
    for key, message in sent.items():
        if message.token:
            need(stored.get(key) == (message.text, message.token), "answered is stored", (key, stored.get(key)))
    _check_readers(world)


def _check_readers(world: World) -> None:
    """Players of the channel and the host read what is not public."""
    readers: dict[str, set[int | None]] = {}
    for token, user in world.seats.ask(_READERS):
        readers.setdefault(token, {world.cast.host}).add(user)
    told: list[tuple[str, int | None]] = world.seats.ask(_MENTIONED)
    for viewer in world.viewers.all:
        told += [(channel, viewer.person.user if viewer.person else None) for channel in viewer.hints]
    foreign = [(channel, user) for channel, user in told if channel in readers and user not in readers[channel]]
    need(not foreign, "nobody is told of what they may not read", foreign)
