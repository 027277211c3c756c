"""Announcements and clarifications: said once, corrected by another one, withdrawn with a reason, never edited."""

import pytest

from matches.models import HostNote
from matches.queries.announcements import notes_of
from matches.queries.feed import feed
from matches.services import hosting
from matches.services.errors import CommandRefused
from matches.services.replay import verify
from matches.services.texts import BadText
from tests.services.conftest import HOUR

pytestmark = [pytest.mark.django_db]

SAY, CLEAR = HostNote.Kind.ANNOUNCEMENT, HostNote.Kind.CLARIFICATION


def say(table, text, kind=SAY, **how):
    return hosting.announce(table.match, table.host, kind, text, **how)


def lines_of(table, handle=None):
    return [line.text for line in feed(table.match, table.player(handle) if handle else None)]


def test_everybody_is_told_and_the_log_has_it(table):
    before = table.match.public_version
    note = say(table.at(HOUR), "Round 2 begins an hour later.\r\nGo and eat.  ")
    (shown,) = notes_of(table.match)
    assert (shown.now.text, shown.now.host) == ("Round 2 begins an hour later.\nGo and eat.", table.host.username)
    assert shown.now.at == table.present.instant
    assert lines_of(table)[0] == f"Announcement by {table.host.username}: Round 2 begins an hour later. Go and eat."
    assert table.match.public_version == before + 1
    row = table.match.log.last()
    assert (row.kind, row.actor, note.submission_id) == ("command", f"host:{table.host.username}", row.pk)
    assert verify(table.match) == []


def test_a_correction_of_a_correction_leaves_a_chain_with_the_present_words_first(table):
    first = say(table, "The lot closes at noon.", CLEAR)
    second = say(table.at(HOUR), "The lot closes at one.", CLEAR, corrects=first.token)
    say(table.at(2 * HOUR), "The lot closes at two.", CLEAR, corrects=second.token)
    say(table.at(3 * HOUR), "Something else.")
    other, chain = notes_of(table.match)
    assert (other.now.text, other.before) == ("Something else.", ())
    assert chain.now.text == "The lot closes at two."
    assert [words.text for words in chain.before] == ["The lot closes at one.", "The lot closes at noon."]
    assert len({words.at for words in (chain.now, *chain.before)}) == 3
    assert lines_of(table)[1] == f"Correction by {table.host.username}: The lot closes at two."
    assert verify(table.match) == []


def test_a_note_is_withdrawn_with_a_reason_and_stays_readable(table):
    note = say(table, "There will be cake.")
    hosting.withdraw(table.at(HOUR).match, table.host, note.token, "There is no cake")
    (shown,) = notes_of(table.match)
    assert (shown.now.text, shown.now.withdrawn_because) == ("There will be cake.", "There is no cake")
    assert shown.now.withdrawn_at == table.present.instant
    assert lines_of(table)[0] == f"The host {table.host.username} has withdrawn an announcement: There is no cake."
    for again in (lambda: hosting.withdraw(table.match, table.host, note.token, "twice"),
                  lambda: say(table, "Cake.", corrects=note.token)):  # fmt: skip
        with pytest.raises(CommandRefused, match="already withdrawn"):
            again()
    assert verify(table.match) == []


NO_NOTES = [
    (" \n\t ", "text_missing"),
    ("x" * (hosting.LONGEST_NOTE + 1), "text_too_long"),
    ("nothing\0here", "text_not_visible"),
    ("half a pair \ud83d", "text_not_visible"),
    ("turned \u202etxet", "text_not_visible"),
    ("isolated \u2067txet\u2069", "text_not_visible"),
    ("a line\u2028end", "text_not_visible"),
    ("a\x1cseparator", "text_not_visible"),
    ("\u3164", "text_not_visible"),
]


def test_what_cannot_be_read_is_refused_and_nothing_is_stored(table):
    for text, code in NO_NOTES:
        before = table.match.log_head
        with pytest.raises(BadText) as refusal:
            say(table, text)
        assert (refusal.value.code, refusal.value.field) == (code, "text")
        assert refusal.value.message.endswith(".")
        assert (table.match.log_head, table.match.notes.count()) == (before, 0)
