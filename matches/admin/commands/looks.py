"""Opening what a player has submitted under seal: a deliberate look that stands in the log."""

from __future__ import annotations

import msgspec

from matches.admin.commands.base import BEGUN, Command, CommandRequest, Page, PlayerForm, Sentences
from matches.admin.line_fields import reason_field
from matches.services import hosting


class PeekForm(PlayerForm):
    """Whose submission, and why."""

    reason = reason_field(
        "It stands in the log; the players can read it after the match.",
        label="Why you need to look",
        required="Say why you need to look; the players will read it afterwards.",
    )


def _peek_words(request: CommandRequest) -> list[str]:
    player = request.values["player"]
    return [
        f"You will see what {player.handle} has submitted under seal.",
        "Your name, the time and your reason go into the log for good, and the players can read them after the match.",
        f"Your reason: “{request.values['reason']}”.",
    ]


def _peek(request: CommandRequest) -> Page:
    """What is sealed is shown in this one answer, and stands in no address and no history."""
    player = request.values["player"]
    found = hosting.peek(request.match, request.host, player, request.values["reason"])
    plain = msgspec.to_builtins(found)
    rows = list(plain.items()) if isinstance(plain, dict) else ([("submission", plain)] if plain is not None else [])
    return Page(f"What {player.handle} submitted", "admin/matches/match/peeked.html", {"player": player, "rows": rows})


PEEK = Command("peek", "Look at a sealed submission…", "seal", BEGUN, _peek_words, _peek, PeekForm, danger=True)

SENTENCES: Sentences = {"peek": lambda payload: f"Opened the sealed submission of {payload['player']}"}
