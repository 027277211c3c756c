"""What is changed behind the back of a season's log is found, and named."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models import F

from matches.engine.strict_json import canonical
from matches.games.registry import game_of
from matches.models import Holding, Match, Submission
from seasons.engine import scenario
from seasons.models import Member, Season, SeasonEntry, SeasonMatch, SeasonRow
from seasons.services.scenario_runner import play_season
from seasons.services.verification import verify

pytestmark = pytest.mark.django_db

_PLAYED = Path(__file__).parents[1] / "scenarios" / "three_matches_in_a_row.json"
_LEDGER = "The ledger does not match the log"

Plant = Callable[[], object]


def _changed(rows: Any, **fields: Any) -> Plant:
    return lambda: rows.update(**fields)


def _found(season: Season, plant: Plant) -> str:
    """What is found after something was planted, which is undone."""
    with transaction.atomic():
        plant()
        found = " ".join(verify(Season.objects.get(pk=season.pk)))
        transaction.set_rollback(True)
    return found


def test_what_is_changed_in_a_played_season_is_named() -> None:
    play_season(scenario.read(json.loads(_PLAYED.read_text()), game_of), keep=True)
    season = Season.objects.get()
    assert verify(season) == []
    this, ann = Season.objects.filter(pk=season.pk), Member.objects.filter(season=season, handle="ann")
    entry = SeasonEntry.objects.filter(pk=season.ledger.order_by("pk")[3].pk)
    first, row = SeasonMatch.objects.filter(season=season, number=1), SeasonRow.objects.filter(season=season, number=4)

    def rich() -> None:
        state = json.loads(season.state)
        state["purses"]["ann"]["garnet"] = 99
        this.update(state=json.dumps(state))

    def another_opening() -> None:
        opened = first.get().match.log.filter(payload__contains='"command":"open"').get()
        payload = json.loads(opened.payload)
        payload["players"][0]["garnets"] += 3
        Submission.objects.filter(pk=opened.pk).update(payload=canonical(payload))

    plants: list[tuple[Plant, str]] = [
        (_changed(entry, amount=F("amount") + 1), _LEDGER),
        (_changed(entry, note="x"), _LEDGER),
        (lambda: entry.delete(), _LEDGER),
        (_changed(ann, status="out"), "The cast does not match the log"),
        (_changed(ann, place=3), "The cast does not match the log"),
        (rich, "The stored state"),
        (_changed(row, payload="{}"), "breaks at row 4"),
        (_changed(this, status="ended"), "its phase is"),
        (_changed(this, status="draft"), "its phase is"),
        (_changed(this, seed="11" * 32), "The seed is not"),
        (_changed(first, number=88), "Match 1 is missing"),
        (another_opening, "Match 1 did not open with"),
        (_changed(Match.objects.filter(in_season__number=1), status="cancelled"), "Match 1 did not end as"),
    ]
    for number, (plant, sentence) in enumerate(plants):
        assert sentence in _found(season, plant), (number, sentence)
    assert verify(season) == []


def test_the_holdings_of_a_settled_match_are_compared_with_its_own_log(capsys: Any) -> None:
    play_season(scenario.read(json.loads(_PLAYED.read_text()), game_of), keep=True)
    match = SeasonMatch.objects.get(number=1).match
    Holding.objects.filter(player__match=match, asset="garnet").update(amount=F("amount") + 1)
    with pytest.raises(CommandError, match="1 of 4"):
        call_command("verify")
    assert f"{match.public_id}  A balance of garnet" in capsys.readouterr().out
