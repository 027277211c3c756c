"""The preview: what players will see, made from settings and players alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from matches.engine.step import Step
from matches.games.registry import all_games
from matches.models import Match, Submission
from matches.services.creation import create_match
from matches.services.group.queue import submit
from matches.services.hosting import publish
from tests.admin.conftest import BEGIN, Console, browser_of, settings_form, text_of, tiny_draft
from tests.engine.tiny_game import GAME as TINY
from tests.engine.tiny_game import TinyGame
from tests.fixtures.any_game import SLUG

pytestmark = pytest.mark.django_db


def of(console: Console, match: Match, step: str = "") -> str:
    """The preview's page."""
    answer = console.client.get(f"/admin/matches/match/{match.pk}/preview/", {"step": step} if step else {})
    assert answer.status_code == 200, answer.status_code
    return text_of(answer)


def steps(page: str) -> list[str]:
    found = re.search(r'<ol class="preview-steps".*?</ol>', page, re.DOTALL)
    assert found is not None, page
    return [" ".join(re.sub("<[^>]+>", " ", each).split()) for each in re.findall(r"<li>(.*?)</li>", found[0])]


class TestTheSteps:
    def test_each_phase_of_a_match_in_which_nobody_acts_is_a_step(self, console: Console, running: Match) -> None:
        page = of(console, running)
        assert steps(page) == ["Before the auction from the beginning", "Auction after 24 h", "Finished after 2 days"]
        assert 'data-phase="pregame"' in page
        assert 'data-phase="running"' in of(console, running, "2")
        assert "step 3 of 3" in of(console, running, "3")

    def test_one_steps_to_and_fro_by_plain_links(self, console: Console, running: Match) -> None:
        first, second, last = (of(console, running, step) for step in "123")
        assert 'rel="prev"' not in first
        assert 'href="?step=2" rel="next"' in first
        assert 'href="?step=1" rel="prev"' in second
        assert 'href="?step=3" rel="next"' in second
        assert 'rel="next"' not in last

    @pytest.mark.parametrize("step", ["0", "-1", "x", "²", "99999999999", "1.5"])
    def test_a_step_that_is_not_there_is_the_nearest(self, console: Console, running: Match, step: str) -> None:
        assert re.search(r"step [13] of 3", of(console, running, step))

    def test_it_shows_the_board_that_players_will_see(self, console: Console, running: Match) -> None:
        board = of(console, running, "2").split('id="part-board">')[1]
        for seat in "OPQRSTUVWXYZ":
            assert f'data-lot="{seat}"' in board

    def test_it_says_what_it_is(self, console: Console, running: Match) -> None:
        page = of(console, running)
        assert "Preview: only hosts see this page" in page
        assert "nothing here comes from this match's own draws or play" in page


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.slug)
def test_every_step_of_every_game_in_every_preset_can_be_shown(console: Console, host: Any, game: Any) -> None:
    for config in ({}, *game.presets.values()):
        draft = create_match(game.slug, "A draft", hosts=(host,), config=config)
        for step in range(1, len(steps(of(console, draft))) + 1):
            page = of(console, draft, str(step))
            assert f"step {step} of" in page
            assert 'id="part-board"' in page


class TestWhoSitsThere:
    def test_free_places_of_a_draft_have_stand_ins(self, console: Console, draft: Match) -> None:
        page = of(console, draft)
        assert "Player 1" in page
        assert "Stand-ins take the open places." in page

    def test_players_keep_their_names(self, console: Console, running: Match) -> None:
        page = of(console, running)
        assert all(name in page for name in ("ann", "bob", "cat"))
        assert "Stand-ins" not in page

    def test_where_anyone_can_join_all_places_are_taken(self, console: Console, draft: Match) -> None:
        Match.objects.filter(pk=draft.pk).update(joining=Match.Joining.OPEN, places=9)
        page = of(console, draft)
        assert "Player 9" in page
        assert "Player 10" not in page

    def test_more_than_can_play_is_told_in_words(self, console: Console, host: Any, tiny: None) -> None:
        match = tiny_draft(console, host, " ".join(f"p{number}" for number in range(9)))
        page = of(console, match)
        assert "These settings cannot be played: Tiny takes 2 to 8 players; this match has 9." in page
        assert 'id="part-board"' not in page


class TestSecrets:
    def test_it_shows_nothing_that_was_sealed_or_happened(
        self, clock: Any, console: Console, running: Match, players: list[Any], later: Callable[..., None]
    ) -> None:
        def looks() -> list[str]:
            return [masked(of(console, running, step)) for step in "123"]

        before = looks()
        assert submit(running.pk, players[0].pk, {"type": "bid", "seat": "W", "amount": 17}).accepted
        assert looks() == before
        later(hours=49)  # the pregame is over and the bid stands on the real board
        assert "17" in text_of(console.client.get(running.get_absolute_url()))
        clock.move_to(BEGIN)  # each step is shown as if it had just begun, so its instants move with the present
        assert looks() == before

    def test_what_it_draws_is_not_what_the_match_draws(
        self, console: Console, host: Any, tiny: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        opening = TinyGame.open

        def drawn(self: TinyGame, config: Any, roster: Any, draw: Any) -> Step[Any]:
            step = opening(self, config, roster, draw)
            state = msgspec.structs.replace(step.state, sold_for=draw.integer("price", 10**9))
            return msgspec.structs.replace(step, state=state)

        monkeypatch.setattr(TinyGame, "open", drawn)
        shown, real = set(), set()
        for _ in range(2):
            match = tiny_draft(console, host)
            publish(match, host)
            match.refresh_from_db()
            real.add(TINY.decode_state(match.state).sold_for)
            page = of(console, match)
            shown.add(re.search(r"sold for (\d+)", page)[1])  # type: ignore[index]
            assert match.seed not in page
            assert str(TINY.decode_state(match.state).sold_for) not in page
        assert len(real) == 2
        assert len(shown) == 1

    def test_it_changes_nothing(self, console: Console, running: Match) -> None:
        before = Match.objects.values().get(pk=running.pk), Submission.objects.count(), Match.objects.count()
        for step in "123":
            of(console, running, step)
        assert (Match.objects.values().get(pk=running.pk), Submission.objects.count(), Match.objects.count()) == before

    def test_it_is_for_the_hosts_of_the_match(
        self, console: Console, running: Match, other_host: Any, players: list[Any]
    ) -> None:
        address = f"/admin/matches/match/{running.pk}/preview/"
        assert browser_of(other_host).get(address).status_code == 404
        assert browser_of(players[0]).get(address).status_code == 302
        assert console.client.post(address).status_code == 405


def masked(page: str) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"|"X-CSRFToken": "[^"]*"', "", page)


class TestWhen:
    def test_the_console_leads_to_it_until_the_match_is_over(
        self, console: Console, draft: Match, later: Callable[..., None]
    ) -> None:
        assert re.search(r'name="then"\s+value="preview"', console.page())
        Match.objects.filter(pk=draft.pk).update(status=Match.Status.CANCELLED, finished_at=BEGIN)
        page = console.page()
        assert f"{console.address}/preview/" not in page
        assert 'value="preview"' not in page
        answer = console.client.get(f"{console.address}/preview/", follow=True)
        assert "there is nothing left to preview" in text_of(answer)

    def test_rules_that_fail_are_told_and_no_error_page(
        self, console: Console, host: Any, tiny: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        match = tiny_draft(console, host)
        monkeypatch.setattr(TinyGame, "pass_deadline", lambda *arguments: 1 // 0)
        assert "The rules cannot show these settings." in of(console, match)


class TestWhatIsTyped:
    """A draft's form, and a new match's, before it is saved."""

    def test_it_is_shown_and_not_stored(self, console: Console, draft: Match) -> None:
        form = settings_form(title="Day table", variant="F8", stop="5d") | {"_preview": "2"}
        del form["_save"]
        page = text_of(console.client.post(f"{console.address}/settings/", form))
        assert "Nothing of what you typed is saved yet" in page
        assert "Day table" in page
        assert 'data-lot="R"' in page
        assert 'data-lot="O"' not in page
        assert "step 2 of" in page
        draft.refresh_from_db()
        assert (draft.title, draft.config) == ("Night table", {})

    def test_what_was_typed_is_there_again_in_the_form(self, console: Console) -> None:
        form = settings_form(title="New one", chips="33") | {"_preview": "1"}
        page = text_of(console.client.post("/admin/matches/match/add/", form))
        assert "New one" in page
        typed = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))
        assert typed["config-chips"] == "33"
        assert "_preview" not in typed
        back = text_of(console.client.post("/admin/matches/match/add/", {**typed, "_update": "1"}))
        assert 'value="33"' in back
        assert 'value="New one"' in back
        assert not Match.objects.exists()

    def test_a_title_may_still_be_missing(self, console: Console) -> None:
        page = text_of(console.client.post("/admin/matches/match/add/", settings_form(title="") | {"_preview": "1"}))
        assert "New match of" in page
        assert "Player 3" in page

    def test_settings_that_cannot_be_played_are_told_at_their_field(self, console: Console) -> None:
        page = text_of(console.client.post("/admin/matches/match/add/", settings_form(chips="x") | {"_preview": "1"}))
        assert 'id="id_config-chips_error"' in page

    def test_the_game_may_not_be_one_that_is_not_there(self, console: Console) -> None:
        form = settings_form() | {"_preview": "1", "game": "chess"}
        assert SLUG != "chess"
        assert "Which game?" in text_of(console.client.post("/admin/matches/match/add/", form))
