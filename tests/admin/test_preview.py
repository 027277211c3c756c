"""The preview: what players will see, made from settings and players alone."""

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
from tests.admin.conftest import BEGIN, Console, settings_form, text_of, tiny_draft
from tests.engine.tiny_game import GAME as TINY
from tests.engine.tiny_game import TinyGame
from tests.fixtures.chosen import one_in

pytestmark = pytest.mark.django_db


def of(console: Console, match: Match, step: str = "") -> str:
    """The preview's page."""
    answer = console.client.get(f"/admin/matches/match/{match.pk}/preview/", {"step": step} if step else {})
    assert answer.status_code == 200, answer.status_code
    return text_of(answer)


def steps(page: str) -> list[str]:
    found = re.search(r'<ol class="[^"]*preview-steps".*?</ol>', page, re.DOTALL)
    assert found is not None, page
    return [" ".join(re.sub("<[^>]+>", " ", each).split()) for each in re.findall(r"<li>(.*?)</li>", found[0])]


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.slug)
def test_every_step_of_every_game_in_every_preset_can_be_shown(console: Console, host: Any, game: Any) -> None:
    """As it is usually played, and in half of the presets, in each run others."""
    for config in ({}, *one_in(2, list(game.presets.values()))):
        draft = create_match(game.slug, "A draft", hosts=(host,), config=config)
        for step in range(1, len(steps(of(console, draft))) + 1):
            page = of(console, draft, str(step))
            assert f"step {step} of" in page
            assert 'id="part-board"' in page


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


def masked(page: str) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"|"X-CSRFToken": "[^"]*"', "", page)


class TestWhatIsTyped:
    """A draft's form, and a new match's, before it is saved."""

    def test_it_is_shown_and_not_stored(self, console: Console, draft: Match) -> None:
        form = settings_form(title="Day table", variant="F8", stop="5d") | {"_preview": "2"}
        del form["_save"]
        page = text_of(console.client.post(f"{console.address}/settings/", form))
        assert "Nothing you typed is saved yet" in page
        assert "Day table" in page
        assert 'data-lot="R"' in page
        assert 'data-lot="O"' not in page
        assert "step 2 of" in page
        draft.refresh_from_db()
        assert (draft.title, draft.config) == ("Night table", {})

    def test_settings_that_cannot_be_played_are_told_at_their_field(self, console: Console) -> None:
        page = text_of(console.client.post("/admin/matches/match/add/", settings_form(chips="x") | {"_preview": "1"}))
        assert 'id="id_config-chips_error"' in page
