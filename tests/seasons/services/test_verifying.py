"""What is changed behind the back of a season's log is found, and named."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models import F

from matches.engine.canonical import canonical
from matches.games.registry import game_of
from matches.models import Holding, Match, Submission
from matches.services.roles import Roles
from seasons.engine import scenario
from seasons.models import Member, Season, SeasonEntry, SeasonMatch, SeasonNews, SeasonRole, SeasonRow
from seasons.services import people, running
from seasons.services.drafting import add_member, create_season
from seasons.services.scenario_runner import play_season
from seasons.services.verifying import verify
from tests.services.conftest import person

pytestmark = pytest.mark.django_db

_PLAYED = Path(__file__).parents[1] / "scenarios" / "three_matches_in_a_row.json"
_LATER = timedelta(days=99)
_LEDGER, _NEWS = "The ledger is not", "What was told is not"

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
    news = SeasonNews.objects.filter(pk=season.news.order_by("pk")[3].pk)
    first, row = SeasonMatch.objects.filter(season=season, number=1), SeasonRow.objects.filter(season=season, number=4)
    late = (season.started_at or season.created_at) + _LATER
    stranger = person("stranger")

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
        (_changed(entry, at=late), _LEDGER),
        (lambda: entry.delete(), _LEDGER),
        (_changed(ann, status="out"), "The cast is not"),
        (_changed(ann, place=3), "The cast is not"),
        (_changed(ann, position=99), "The cast is not"),
        (_changed(ann, garnets=77), "ann did not begin with"),
        (_changed(ann, blood_garnets=5), "ann did not begin with"),
        (_changed(ann, team="blue"), "ann did not begin with"),
        (_changed(ann, user=stranger, is_bot=False), "somebody else as ann"),
        (_changed(ann, is_bot=False), "somebody else as ann"),
        (_changed(ann, name="Bob"), "somebody else as ann"),
        (rich, "The stored state"),
        (_changed(this, settings={"loser_garnets": "kept"}), "The stored settings"),
        (_changed(this, settings={"unknown": 1}), "The stored settings"),
        (_changed(row, payload="{}"), "breaks at row 4"),
        (_changed(row, user=stranger), "Row 4 of the log is not by"),
        (_changed(news, data={"x": 1}), _NEWS),
        (_changed(news, at=late), _NEWS),
        (lambda: news.delete(), _NEWS),
        (_changed(this, started_at=late), "did not begin when"),
        (_changed(this, ended_at=late), "did not end when"),
        (_changed(this, status="ended"), "its phase is"),
        (_changed(this, status="draft"), "its phase is"),
        (_changed(this, seed="11" * 32), "The seed is not"),
        (_changed(this, next_deadline_at=late), "The next deadline"),
        (_changed(this, awaits_pregame_of=first.get()), "do not wait for the pregame"),
        (_changed(first, number=88), "Match 1 is missing"),
        (_changed(first, opened_at=late), "Match 1 did not open, end or get settled"),
        (_changed(first, over_at=late), "Match 1 did not open, end or get settled"),
        (_changed(first, settled_at=None), "Match 1 did not open, end or get settled"),
        (_changed(first, is_death_match=True), "Match 1 did not open, end or get settled"),
        (another_opening, "Match 1 did not open with"),
        (_changed(Match.objects.filter(in_season__number=1), status="cancelled"), "Match 1 did not end as"),
        (
            lambda: SeasonRole.objects.create(season=season, user=stranger, role="owner", since=late),
            "hosts and observers are not",
        ),
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
    assert f"{match.public_id}  A holding of garnet" in capsys.readouterr().out


def test_who_plays_and_who_hosts_is_what_the_log_says_after_changes_too() -> None:
    hanna, otto, zoe, stranger = person("hanna"), person("otto"), person("zoe"), person("stranger")
    season = create_season("Autumn", hanna)
    ann = add_member(season, hanna, "ann", user=zoe)
    add_member(season, hanna, "bob", is_bot=True)
    running.begin(season, hanna)
    people.set_roles(season, hanna, Roles(hanna, (otto,), ()))
    people.set_roles(season, hanna, Roles(hanna, (), ()))
    people.replace_person(season, hanna, ann, None, "Left us.", is_bot=True)
    assert verify(Season.objects.get(pk=season.pk)) == []

    hosts, zoes = SeasonRole.objects.filter(season=season), Member.objects.filter(pk=ann.pk)
    assert "hosts and observers are not" in _found(season, _changed(hosts.filter(user=hanna), user=stranger))
    assert "hosts and observers are not" in _found(season, _changed(hosts.filter(user=otto), role="cohost"))
    assert "not stored that otto" in _found(season, lambda: hosts.filter(user=otto).delete())
    assert "somebody else as ann" in _found(season, _changed(zoes, user=zoe, is_bot=False))
    assert "somebody else as ann" in _found(season, _changed(zoes, name="Stranger"))
    # A changed username is no forgery: the log has the old one, and nobody has it any more.
    assert _found(season, _changed(type(otto).objects.filter(pk=hanna.pk), username="johanna")) == ""
