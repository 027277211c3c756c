"""Players give the words that they add to a coming match's chance. How they are used: `chance`; why they are sealed:
`engine/words`."""

from __future__ import annotations

from unicodedata import normalize

from matches.engine.words import LONGEST_WORD, sealed
from matches.models import Match, Player, SealedWord
from matches.services.actions import find_player
from matches.services.chance import word_rows
from matches.services.errors import CommandRefused, Refused
from matches.services.locking import locked_match
from matches.services.opening import start_has_come
from matches.services.plain_text import BadText, plain_text
from matches.services.storage.retry import retrying
from matches.services.writer import Writer

MOST_CHANGES = 20
"""So often a person may change their word in one match: each change is a row of the log."""


class TooManyWords(Refused):
    code = "too_many_words"
    status = 429


@retrying
def give_word(match_id: int, user_id: int | None, text: str) -> str:
    """Keep a player's word under seal until the match begins, instead of the one before; an empty text takes it back.
    Returns the word as it is kept. The same word once more changes nothing.

    Raises `NotAPlayer`, `BadText`, `TooManyWords`, and `CommandRefused` (`words_closed`) before the match is announced
    and once its start has come.
    """
    word = _one_word(text)
    with locked_match(match_id) as writer:
        player = find_player(match_id, user_id, writer.match)
        if writer.match.status != Match.Status.SCHEDULED or start_has_come(writer.match, writer.now):
            raise CommandRefused("Words are taken while a match is announced and has not begun.", code="words_closed")
        known = SealedWord.objects.filter(match=writer.match, user_id=player.user_id or 0).first()
        if word == (known.word if known else ""):
            return word
        if word and word_rows(writer.match).filter(user_id=player.user_id or 0).count() >= MOST_CHANGES:
            raise TooManyWords(f"A word can be changed {MOST_CHANGES} times. Yours can still be taken back.")
        _keep(writer, player, known, word)
        return word


def _one_word(text: str) -> str:
    """Equal letters are equal bytes however they were typed, or nobody could compute the hash again."""
    text = normalize("NFC", text).strip()
    if not text:
        return ""
    if "\n" in (word := plain_text(text, LONGEST_WORD, missing="", field="word")):
        raise BadText("A word is a single line.", code="text_not_visible", field="word")
    return word


def _keep(writer: Writer, player: Player, known: SealedWord | None, word: str) -> None:
    if known is not None:
        known.delete()
    seal = ""
    if word:
        kept = SealedWord.objects.create(match=writer.match, user_id=player.user_id or 0, word=word)
        seal = sealed(kept.salt, word)
    payload = {"command": "word", "player": player.handle, "seal": seal}
    writer.record(writer.row(payload, actor=f"player:{player.handle}", user_id=player.user_id))
    writer.touch(players={player.pk})
    writer.save()


def own_word(match: Match, user_id: int) -> str:
    """The word that a person has under seal; empty if none."""
    kept = SealedWord.objects.filter(match=match, user_id=user_id).first()
    return kept.word if kept else ""
