"""The log is the truth: nobody changes it unnoticed, and playing it again gives what is stored."""

import random
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command

from matches.models import Bid, LedgerEntry, Match, Submission
from matches.queries.matches import Position
from matches.services import hosting
from matches.services.replay import verify, verify_live
from tests.engine.tiny_game import TinyConfig
from tests.fixtures.present import START
from tests.services.conftest import DAY, HOUR, Table

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def played(table) -> Table:
    """A match with bids, a purchase, a rejection, a correction, a pause, and its end."""
    table.act("ann", "bid", key="k", amount=3)
    table.at(HOUR).act("bob", "buy_chips", count=2)
    table.act("cat", "bid", amount=99)
    hosting.correct_balance(table.match, table.host, table.player("cat"), "garnet", 4, "a prize")
    hosting.pause(table.match, table.host, "lunch")
    table.at(3 * HOUR)
    hosting.resume(table.match, table.host)
    table.at(9 * DAY).advance()
    assert table.match.status == "finished"
    return table


def test_a_hundred_edits_of_a_single_character_are_all_noticed(played):
    chance = random.Random(7)
    editable = [
        "payload",
        "actor",
        "code",
        "field",
        "message",
        "key",
        "salt",
        "inner_salt",
        "receipt_hash",
        "previous_hash",
        "hash",
    ]
    rows = list(played.match.log.all())
    done = 0
    while done < 100:
        row, column = chance.choice(rows), chance.choice(editable)
        text = getattr(row, column)
        if not text:
            continue
        place = chance.randrange(len(text))
        other = chance.choice([letter for letter in "abc019 ~" if letter != text[place]])
        Submission.objects.filter(pk=row.pk).update(**{column: text[:place] + other + text[place + 1 :]})
        found = verify(played.match)
        assert found, f"{column} of row {row.number} was changed unnoticed"
        Submission.objects.filter(pk=row.pk).update(**{column: text})
        done += 1
    assert verify(played.match) == []


@pytest.mark.parametrize(
    "change",
    [
        {"accepted": False},
        {"own_number": 7},
        {"match_time": timedelta(seconds=1)},
        {"received_at": START + timedelta(microseconds=1)},
        {"kind": "command"},
        {"player": None},
        {"user": None},
    ],
    ids=lambda change: next(iter(change)),
)
def test_every_other_column_is_covered_too(played, change):
    Submission.objects.filter(match=played.match, kind="action", accepted=True).update(**change)
    assert verify(played.match)


def test_a_row_taken_out_put_in_or_cut_off_is_noticed(played):
    last = played.match.log.latest("number")
    extra = Submission(
        match=played.match, number=last.number + 1, kind="action", actor="player:ann", payload="{}", accepted=False
    )
    extra.received_at, extra.match_time, extra.previous_hash = START, timedelta(), last.hash
    extra.receipt_hash, extra.hash = extra.receipt(), ""
    extra.hash = extra.row_hash()
    extra.save()
    assert "breaks" in verify(played.match)[0]
    extra.delete()
    played.match.announcements.filter(submission=last).delete()
    Bid.objects.filter(placed_by=last).delete()
    LedgerEntry.objects.filter(submission=last).delete()
    last.delete()
    assert "breaks" in verify(played.match)[0]


def test_settings_that_are_usual_only_since_are_not_those_of_an_old_match(played, monkeypatch):
    before, usual = Position(played.match).config, TinyConfig.defaults
    monkeypatch.setattr(TinyConfig, "defaults", lambda chosen: {**usual(chosen), "chips": 11})
    assert played.match.rules.read_config({}).chips == 11
    assert verify(played.match) == []
    assert Position(played.match).config == before


def test_a_match_that_goes_on_while_it_is_verified_is_no_disagreement(table):
    read_before = table.match
    table.act("ann", "bid", amount=3)
    assert "breaks" in " ".join(verify(read_before))
    assert verify_live(read_before) == []


class TestTheCommand:
    def test_names_what_disagrees_and_fails(self, played, present, capsys):
        healthy = Table(present.__class__(START)).match
        Match.objects.filter(pk=played.match_id).update(seed="00" * 32)
        with pytest.raises(CommandError, match="Differs from its log: 1 of 2"):
            call_command("verify")
        said = capsys.readouterr().out
        assert "The seed is not the one" in said
        assert f"{healthy.public_id}  ok" in said
