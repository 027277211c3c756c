"""The page of a player's own place: excused absences, and coming back."""

import re
from datetime import timedelta

import pytest

from matches.games.registry import all_games
from matches.models import Match, clock
from matches.pages import ahead
from matches.services import hosting
from matches.services.absences import NO_BOTS
from tests.web.conftest import Table, browser


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


def test_a_form_sent_after_one_was_signed_out_leads_back_to_its_page_with_what_was_typed(table: Table) -> None:
    pages = {f"http://testserver{table.url}": table.url, "https://evil.example/x": "/me/", "": "/me/"}
    for referer, page in pages.items():
        answer = browser().post(f"{table.url}hosts/read/", headers={"Referer": referer})
        assert answer["Location"] == f"/accounts/login/?next={page}"
    assert "May I sell it?" in browser().post(f"{table.url}hosts/ask/", {"text": "May I sell it?"}).content.decode()


def test_it_is_said_that_bots_do_not_stand_in_any_more(table: Table) -> None:
    away = {"do": "away", "since": "2026-03-01T14:00", "until": "2026-03-02T14:00", "bot": "on"}
    page = browser(table.users["ann"]).post(f"{table.url}place/", away).content.decode()
    assert NO_BOTS in page


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
