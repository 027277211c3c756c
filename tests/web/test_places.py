"""The page of a player's own place: excused absences, and coming back."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils.html import strip_tags

from matches.games.registry import all_games
from matches.models import Absence, Match, clock
from matches.pages import ahead
from matches.services import absences, hosting
from matches.services.absences import tend
from matches.services.replay import verify
from tests.web.conftest import Table, browser


def words(page: str) -> str:
    return re.sub(r"\s+", " ", strip_tags(page))


@pytest.mark.django_db
def test_a_player_is_excused_a_bot_plays_and_they_come_back(present) -> None:
    table = Table(present)
    absences.choose(table.match, table.users["dora"], bots_stand_in=True)
    table.open()
    table.users["ann"].time_zone = "Europe/Berlin"
    table.users["ann"].save()
    ann, bob = browser(table.users["ann"]), browser(table.users["bob"])
    address = f"{table.url}place/"
    assert f'href="{address}"' in ann.look(table.url)
    assert f'href="{address}"' not in browser(table.users["eve"]).look(table.url)
    assert "Times are in Europe/Berlin" in ann.look(address)

    now = present.instant + timedelta(hours=1)  # what clocks in Berlin show in winter
    said = {"do": "away", "since": f"{now:%Y-%m-%dT%H:%M}", "until": f"{now + timedelta(hours=9):%Y-%m-%dT%H:%M}"}
    refused = ann.post(address, {**said, "until": said["since"]})
    assert refused.status_code == 409
    assert "An absence has to end after it begins" in refused.content.decode()
    for wrong in ({"do": "away"}, {**said, "since": "tomorrow"}, {"do": "fly"}, {**said, "reason": "\u202e"}):
        assert ann.post(address, wrong).status_code == 400, wrong

    ann.post(address, {**said, "bot": "on", "reason": "A wedding"})
    noted = Absence.objects.get()
    assert (noted.since, noted.until) == (present.instant, present.instant + timedelta(hours=9))
    tend()
    assert "A bot plays for you" in ann.look(address)
    seen = words(bob.look(address))
    assert "a bot plays meanwhile" in seen
    assert "wedding" not in seen
    assert ann.press(table.url, "bid", seat="Z", amount=1).status_code == 409
    assert words(ann.post(address, {"do": "back"}, follow=True).content.decode()).count("You are back.") == 1
    assert not table.player("ann").is_bot

    assert verify(table.match) == []

    hosting.substitute(table.match, table.users["dora"], table.player("ann"), table.users["eve"])
    assert ann.get(address).status_code == 403


def test_before_one_joins_one_sees_what_it_is_when_its_deadlines_fall_and_nothing_that_is_drawn(
    db: None, present: clock.FixedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(present)
    Match.objects.filter(pk=table.match_id).update(joining=Match.Joining.OPEN, places=5)
    hosting.publish(table.match, table.users["dora"], starts_at=present.instant + timedelta(days=1))
    match = table.match
    page = browser(table.users["eve"]).look(table.url)
    assert match.rules.summary in page
    assert "ahead-title" in page
    assert len(re.findall(r"<time", page[page.index("ahead-title") :])) == 3
    board = re.search(r'<div class="board-ahead" inert.*?</section>', page, re.DOTALL)
    assert board
    assert ' id="' not in board[0]
    assert match.seed_hash not in page
    assert "ahead-title" not in browser(table.users["ann"]).look(table.url), "who has joined knows"


def test_what_comes_is_shown_without_what_a_host_has_set_in_place_of_a_draw(
    db: None, present: clock.FixedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[set[str]] = []
    usual = ahead.rehearsed
    monkeypatch.setattr(
        ahead, "rehearsed", lambda match, config, most: (played.append(set(config)), usual(match, config, most))[1]
    )
    for game in all_games().values():
        secret = {setting.key for setting in game.settings if setting.draw}
        match = Match(
            game=game.slug, title="Soon", starts_at=present.instant, places=game.sizes.usual[0], joining="open"
        )
        match.config = dict.fromkeys(secret, "what only its host knows")
        assert ahead.ahead_of(match).deadlines
    assert not any(played)


@pytest.mark.parametrize("game", all_games())
def test_an_example_of_a_board_says_no_hour(game: str, present: clock.FixedTime) -> None:
    """It is drawn once, and shown to everybody for as long as the process runs."""
    board = ahead._example_board(game)
    assert "<section" in board or "<div" in board
    assert "<time" not in board
    assert "data-deadline" not in board
