"""People write to each other, and send again what was not answered."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from accounts.models import User
from matches.models import Match
from matches.services.errors import KeyConflict, Refused
from simulation.failures import need
from simulation.talk import Words
from talk.queries.channels import OWN_TEAM, NoSuchRoom
from talk.queries.rights import PUBLIC
from talk.services import posting

if TYPE_CHECKING:
    from simulation.process import Process
    from simulation.world import World

_PRIVATE = "private"
_ROOMS = (PUBLIC, PUBLIC, OWN_TEAM, _PRIVATE)


def talk(world: World, draw: Random) -> str:
    """Somebody writes: a player, the host or a stranger; mostly they name somebody."""
    if world.talk.sent and draw.random() < 0.4:
        words = draw.choice(world.talk.sent)
    else:
        user = draw.choice([world.cast.host, *(person.user for person in world.cast.people)])
        named = draw.choice(world.cast.people).name
        text = draw.choice(("Good luck to all.", f"What do you say, @{named}?", f"@{named} @nobody"))
        stage = world.cast.matches[0] if draw.random() < 0.8 else world.cast.matches[1]
        words = Words(user, stage, draw.choice(_ROOMS), text, f"t{draw.getrandbits(48):x}")
        world.talk.sent.append(words)
    return f"{words.user} {words.room} {words.key} {_write(world, draw.choice(world.webs), words)}"


def _write(world: World, process: Process, words: Words) -> str:
    with world.inside(process):
        match, user = Match.objects.get(pk=words.stage.number), User.objects.get(pk=words.user)
        try:
            if words.room == _PRIVATE:
                words.room = posting.open_private(match, user, [world.cast.players[0].name])
            message = posting.post(match, user, words.room, words.text, words.key)
        except NoSuchRoom:
            return "no such room"
        except Refused as refusal:
            need(not isinstance(refusal, KeyConflict), "a repeated message is the first one", words.key)
            return refusal.code
        world.moment("answer")
    need(words.token in ("", message.token), "a repeated message is the first one", (words.key, message.token))
    words.token = message.token
    return message.token


STEPS = {"talk": talk}
