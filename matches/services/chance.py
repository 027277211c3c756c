"""What a match draws from: the players' words are mixed in at the start, and all of it is checked against the log."""

from __future__ import annotations

import json
from typing import Any

from django.db.models import QuerySet

from matches.engine.draw import Draw
from matches.engine.words import Word, sealed, text_of
from matches.models import Match, SealedWord, Submission
from matches.services.verification.holders import Holders
from matches.services.writer import Writer


def word_rows(match: Match) -> QuerySet[Submission]:
    """The rows of the log in which words were sealed or taken back, the oldest first."""
    rows = match.log.filter(kind=Submission.Kind.COMMAND, accepted=True, payload__startswith='{"command":"word",')
    return rows.order_by("number")


def mix(writer: Writer) -> list[dict[str, str]]:
    """Let the match that begins draw from its seed and the words of those who play, in list order; returns these as the
    log's opening has them, with what opens their seals."""
    match = writer.match
    kept = {each.user_id: each for each in SealedWord.objects.filter(match=match)}
    people = match.players.order_by("position", "pk").values_list("handle", "user_id")
    given = [(handle, kept[user_id]) for handle, user_id in people if user_id in kept]
    match.words = text_of(Word(handle, each.word) for handle, each in given)
    writer.draw = Draw(match.chance)
    if kept:
        SealedWord.objects.filter(match=match).delete()
    return [{"player": handle, "word": each.word, "salt": each.salt} for handle, each in given]


def compare(match: Match) -> list[str]:
    """The differences between what the log promised of the seed and of the players' words and what is there, a
    sentence each."""
    promises = match.log.filter(kind=Submission.Kind.COMMAND, payload__startswith='{"command":"publish"')
    said = [json.loads(payload).get("seed_hash") for payload in promises.values_list("payload", flat=True)]
    found = []
    if any(promised not in (None, match.seed_hash) for promised in said):
        found.append("The seed is not the one that was promised when the match was announced.")
    opened = match.log.filter(kind=Submission.Kind.COMMAND, payload__startswith='{"command":"open",').first()
    words = json.loads(opened.payload).get("words", []) if opened else []
    if match.words != text_of(Word(each["player"], each["word"]) for each in words):
        found.append("The players' words are not those that the log's opening has.")
    if opened is None:
        kept = {each.user_id: sealed(each.salt, each.word) for each in SealedWord.objects.filter(match=match)}
        fits = kept == {user: seal for user, seal in _seals(match).items() if seal}
    else:
        fits = _opens(match, opened, words) and not SealedWord.objects.filter(match=match).exists()
    return found if fits else [*found, "The players' words are not those that they had sealed."]


def _seals(match: Match) -> dict[int | None, str]:
    """Each person's last seal."""
    return {user: json.loads(payload)["seal"] for user, payload in word_rows(match).values_list("user_id", "payload")}


def _opens(match: Match, opened: Submission, words: list[dict[str, Any]]) -> bool:
    """Whether the opening has the last sealed word of everybody who played then, and no other."""
    seals, holders = _seals(match), Holders()
    earlier = match.log.filter(kind=Submission.Kind.COMMAND, accepted=True, number__lt=opened.number)
    for row in earlier.order_by("number"):
        holders.follow(row)
    used = {each["player"]: sealed(each["salt"], each["word"]) for each in words}
    for player in json.loads(opened.payload)["players"]:
        handle, holder = player["handle"], holders.of(player["handle"])
        if not isinstance(holder, int | None):
            holder = next((user for user, seal in seals.items() if seal and seal == used.get(handle)), None)
        if used.pop(handle, "") != seals.get(holder, ""):
            return False
    return not used
