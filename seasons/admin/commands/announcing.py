"""What hosts say to everybody."""

from __future__ import annotations

from matches.admin.commands.base import Command, CommandRequest
from matches.admin.fields import LongTextField
from seasons.admin.commands.base import BEGUN, SeasonForm
from seasons.services import running


class AnnounceForm(SeasonForm):
    """What everybody is to read."""

    text = LongTextField(
        label="Text",
        most=running.LONGEST_ANNOUNCEMENT,
        missing="Write what everybody should read.",
        help_text="Everybody can read it at once, at the top of the season's page. Web addresses become links. You "
        "cannot edit it.",
    )


def _words(request: CommandRequest) -> list[str]:
    return [
        "Everybody reads this at once, with your name, on the season's page, in its story and as a notice:",
        f"“{request.values['text']}”",
    ]


def _announce(request: CommandRequest) -> str:
    running.announce(request.season, request.host, request.values["text"], key=request.key)
    return "Everybody can read it now."


ANNOUNCE = Command(
    *("announce", "Announce…", "megaphone", BEGUN, _words, _announce, AnnounceForm),
    said={"announce": lambda payload: f"Announced: “{payload['text']}”"},
)
