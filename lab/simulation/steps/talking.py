"""People write to each other, and send again what was not answered."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from accounts.models import User
from lab.simulation.failures import need
from lab.simulation.talk import Sent
from matches.models import Match
from matches.services.errors import KeyConflict, Refused
from talk.queries.channels import OWN_TEAM, NoSuchChannel
from talk.queries.rights import PUBLIC
from talk.services import posting

if TYPE_CHECKING:
    from lab.simulation.process import Process
    from lab.simulation.world import World

_PRIVATE = "private"
_CHANNELS = (PUBLIC, PUBLIC, OWN_TEAM, _PRIVATE)


def talk(world: World, draw: Random) -> str:
    """Somebody writes: a player, the host or a stranger; mostly they name somebody."""
    if world.talk.sent and draw.random() < 0.4:
        sent = draw.choice(world.talk.sent)
    else:
        user = draw.choice([world.cast.host, *(person.user for person in world.cast.people)])
        named = draw.choice(world.cast.people).name
        text = draw.choice(("Good luck to all.", f"What do you say, @{named}?", f"@{named} @nobody"))
        stage = world.cast.matches[0] if draw.random() < 0.8 else world.cast.matches[1]
        sent = Sent(user, stage, draw.choice(_CHANNELS), text, f"t{draw.getrandbits(48):x}")
        world.talk.sent.append(sent)
    return f"{sent.user} {sent.channel} {sent.key} {_write(world, draw.choice(world.webs), sent)}"


def _write(world: World, process: Process, sent: Sent) -> str:
    with world.inside(process):
        match, user = Match.objects.get(pk=sent.stage.number), User.objects.get(pk=sent.user)
        try:
            if sent.channel == _PRIVATE:
                sent.channel = posting.open_private(match, user, [world.cast.players[0].name])
            message = posting.post(match, user, sent.channel, sent.text, sent.key)
        except NoSuchChannel:
            return "no such channel"
        except Refused as refusal:
            need(not isinstance(refusal, KeyConflict), "a repeated message is the first one", sent.key)
            return refusal.code
        world.moment("answer")
    need(sent.token in ("", message.token), "a repeated message is the first one", (sent.key, message.token))
    sent.token = message.token
    return message.token


STEPS = {"talk": talk}
