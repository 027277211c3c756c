"""The words of gifts that everybody may know by now."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from matches.engine.step import EVERYONE
from matches.models import Announcement, Match
from talk.models import Speech

_GIVEN = "tokens_given"


class Said(NamedTuple):
    """What a player said with a gift; `at` is when the gift was announced."""

    token: str
    handle: str
    text: str
    at: datetime
    hidden_by: str
    hidden_reason: str
    hidden_at: datetime | None


def said_in(match: Match) -> list[Said]:
    """The words that went with gifts of this match, as far as the gifts are announced, in that order. A gift that was
    drawn, because its giver did not decide, has none."""
    speeches = {
        speech.player.handle: speech
        for speech in Speech.objects.filter(match=match).select_related("player", "hidden_by")
    }
    if not speeches:
        return []
    found = []
    for told in Announcement.objects.filter(match=match, audience=EVERYONE, kind=_GIVEN).order_by("pk"):
        speech = speeches.get(told.data.get("player", ""))
        if speech is not None and told.data.get("how") == "given":
            found.append(_said(speech, told.at))
    return found


def _said(speech: Speech, at: datetime) -> Said:
    hidden = speech.hidden_at is not None
    return Said(
        speech.token,
        speech.player.handle,
        "" if hidden else speech.text,
        at,
        speech.hidden_by.username if speech.hidden_by else "",
        speech.hidden_reason,
        speech.hidden_at,
    )


def given_words(match: Match) -> dict[str, str]:
    """The same for the match page: by giver, without those that were hidden."""
    return {said.handle: said.text for said in said_in(match) if said.text}
