"""Letting the players' blood garnets grow, and stopping it."""

from __future__ import annotations

from matches.admin import formats
from matches.admin.commands.base import BEFORE, BEGUN, FINISHED, Command, CommandRequest, Sentences
from matches.models import Match
from matches.services import hosting
from matches.services.belonging import group_of
from matches.services.blood import EVERY


def _switch_words(request: CommandRequest) -> list[str]:
    match = request.match
    told = "Everybody is told." if match.has_begun else "Everybody is told when the match begins."
    if match.blood_garnets:
        return ["Blood garnets of this match's players stop growing. What has grown stays.", told]
    every = formats.span(EVERY / match.speed)
    return [
        f"Every {every} after the pregame, each player's blood garnets grow by a tenth.",
        "That goes on while the match is paused and after it is finished, until you switch it off here.",
        told,
    ]


def _switch(request: CommandRequest) -> str:
    on = not request.match.blood_garnets
    hosting.switch_blood_garnets(request.match, request.host, on, key=request.key)
    return f"Blood garnets {'grow' if on else 'no longer grow'}."


def _may_grow(match: Match) -> bool:
    group = group_of(match)
    return match.blood_garnets or group is None or not group.why_no_growth()


SWITCH = Command(
    "blood",
    "Blood garnets…",
    "blood-garnet",
    (*BEFORE, *BEGUN, FINISHED),
    _switch_words,
    _switch,
    suits=_may_grow,
    act="switch the growth",
)

SENTENCES: Sentences = {
    "blood_garnets": lambda payload: f"Switched blood garnets {'on' if payload['on'] else 'off'}",
    "grow_blood_garnets": lambda payload: "Blood garnets grew",
}
