"""Words of players in a coming match: sealed until the start, then a part of all draws, and provable."""

import json

import pytest

from matches.engine.draw import Draw
from matches.engine.words import Word, mixed, words_in
from matches.models import Match, SealedWord, Submission
from matches.queries.match_info import info_json
from matches.services import hosting
from matches.services.errors import CommandRefused, NotAPlayer
from matches.services.joining import leave
from matches.services.plain_text import BadText
from matches.services.replay import verify
from matches.services.words import MOST_CHANGES, TooManyWords, give_word, own_word
from tests.fixtures.present import START
from tests.services.conftest import DAY, HOUR, Table, person

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def coming(present) -> Table:
    table = Table(present)
    hosting.publish(table.match, table.host, START + HOUR)
    return table


def give(table, handle, word):
    return give_word(table.match_id, table.users[handle].pk, word)


def begun(table) -> Match:
    table.at(HOUR).advance()
    assert table.match.status == "open"
    return table.match


def test_the_seed_is_promised_when_the_match_is_announced(coming):
    row = coming.match.log.get(payload__startswith='{"command":"publish"')
    assert json.loads(row.payload)["seed_hash"] == coming.match.seed_hash
    assert info_json(coming.match)["seed_hash"] == coming.match.seed_hash
    assert info_json(coming.match)["seed"] is None
    Match.objects.filter(pk=coming.match_id).update(seed="ab" * 32)
    assert "The seed is not the one that was promised when the match was announced." in verify(coming.match)


def test_a_draft_promises_nothing_yet(present):
    table = Table(present)
    assert info_json(table.match)["seed_hash"] is None
    with pytest.raises(CommandRefused) as refused:
        give(table, "ann", "tulip")
    assert refused.value.code == "words_closed"


def test_words_are_mixed_into_every_draw_in_list_order(coming):
    give(coming, "bob", "Zu\u0308rich 🎲 ")
    give(coming, "ann", "rose")
    give(coming, "ann", "tulip: 7")
    match = begun(coming)
    assert words_in(match.words) == (Word("ann", "tulip: 7"), Word("bob", "Zürich 🎲"))
    assert match.chance == mixed(bytes.fromhex(match.seed), "ann:tulip: 7\nbob:Zürich 🎲")
    assert info_json(match)["words"][0] == {"player": "ann", "word": "tulip: 7"}
    assert match.announcements.get(kind="match_opened").data["worded"] == ["ann", "bob"]
    assert not SealedWord.objects.exists()
    coming.at(9 * DAY).advance()
    assert coming.match.status == "finished"
    assert verify(coming.match) == []
    # Whatever is drawn (nobody bid, so chance names the candidate) comes from the words as well.
    Match.objects.filter(pk=coming.match_id).update(words="")
    assert "The players' words are not those that the log's opening has." in verify(coming.match)


def test_draws_differ_from_those_of_the_seed_alone(coming, monkeypatch):
    keys = set()
    real = Draw.__init__
    monkeypatch.setattr(Draw, "__init__", lambda self, seed: (keys.add(seed), real(self, seed))[1])
    give(coming, "ann", "tulip")
    begun(coming)
    keys.clear()
    coming.at(9 * DAY).advance()
    assert coming.match.chance in keys
    assert bytes.fromhex(coming.match.seed) not in keys


def test_without_words_everything_is_as_it_always_was(coming):
    match = begun(coming)
    opened = json.loads(match.log.get(payload__startswith='{"command":"open",').payload)
    assert "words" not in opened
    assert match.chance == bytes.fromhex(match.seed)
    assert match.announcements.get(kind="match_opened").data == {"seed_hash": match.seed_hash}


def test_a_word_is_hidden_from_everybody_until_the_start(coming):
    before = {handle: coming.player(handle).version for handle in ("ann", "bob")}
    public = coming.match.public_version
    give(coming, "ann", "tulip")
    assert own_word(coming.match, coming.users["ann"].pk) == "tulip"
    assert own_word(coming.match, coming.users["bob"].pk) == ""
    assert info_json(coming.match)["words"] == []
    assert coming.match.public_version == public
    assert coming.player("bob").version == before["bob"]
    row = coming.match.log.latest("number")
    assert "tulip" not in row.payload
    assert json.loads(row.payload).keys() == {"command", "player", "seal"}


def test_a_word_can_be_taken_back_and_the_same_again_is_nothing_new(coming):
    give(coming, "ann", "tulip")
    rows = coming.match.log_count
    give(coming, "ann", " tulip ")
    assert coming.match.log_count == rows
    assert give(coming, "ann", "") == ""
    assert verify(coming.match) == []
    assert begun(coming).words == ""
    assert verify(coming.match) == []


def test_who_leaves_takes_the_word_along(coming):
    give(coming, "ann", "tulip")
    give(coming, "bob", "rose")
    leave(coming.match, coming.users["ann"])
    hosting.publish(coming.match, coming.host, START + HOUR, "without")
    match = begun(coming)
    assert match.words == "bob:rose"
    assert not SealedWord.objects.exists()
    assert verify(match) == []


@pytest.mark.parametrize(
    ("word", "code"),
    [("x" * 65, "text_too_long"), *((bad, "text_not_visible") for bad in ("a\nb", "a\u202eb", "a\x00", "\ud800"))],
)
def test_what_is_no_word_is_refused(coming, word, code):
    with pytest.raises(BadText) as refused:
        give(coming, "ann", word)
    assert (refused.value.code, refused.value.field) == (code, "word")
    assert not SealedWord.objects.exists()


def test_words_are_taken_from_players_alone_until_the_start(coming):
    with pytest.raises(NotAPlayer):
        give_word(coming.match_id, person("eve").pk, "tulip")
    with pytest.raises(NotAPlayer):
        give_word(coming.match_id, coming.host.pk, "tulip")
    coming.at(HOUR)  # nobody has opened it yet
    with pytest.raises(CommandRefused):
        give(coming, "ann", "tulip")


def test_a_word_changes_a_limited_number_of_times(coming):
    for number in range(MOST_CHANGES):
        give(coming, "ann", f"tulip {number}")
    with pytest.raises(TooManyWords):
        give(coming, "ann", "rose")
    assert give(coming, "ann", "") == ""


def test_verify_finds_words_that_somebody_has_changed(coming):
    give(coming, "ann", "tulip")
    sealed = "The players' words are not those that they had sealed."
    with_other = SealedWord.objects.filter(user=coming.users["ann"])
    with_other.update(word="rose")
    assert verify(coming.match) == [sealed]
    # Also where the operator only did so for the moment of the start.
    assert sealed in verify(begun(coming))


def test_verify_finds_a_word_that_was_left_out(coming):
    give(coming, "ann", "tulip")
    SealedWord.objects.all().delete()
    assert verify(begun(coming)) == ["The players' words are not those that they had sealed."]
    assert Submission.objects.filter(payload__startswith='{"command":"word"').count() == 1
