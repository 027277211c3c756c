"""Every template of a game renders in every phase of matches that bots have played, for everybody."""

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from django.template.loader import get_template, render_to_string
from django.urls import get_resolver

from matches.engine.actions import decode_action
from matches.engine.draw import Draw
from matches.engine.errors import Rejected
from matches.engine.game import AnyGame
from matches.games import registry
from matches.models import Match
from matches.pages import rendering
from matches.pages.context import MatchContext, People
from matches.pages.fragments import template_of
from tests.conformance.mutations import made_up
from tests.conformance.staging import Standing, standings, stored
from tests.conformance.subjects import WITH_FOLDERS, every_game, folder_of
from tests.engine.tiny_game import GAME as TINY
from tests.fixtures.present import START

NOTHING = re.compile(r'(="|\bto |\bof )None\b')
AMOUNT = re.compile(r'<span class="amount\b[^>]*>(?:(?!<span).)*<span class="number">\s*(.*?)\s*</span>', re.S)
NUMBER = re.compile(r"[−+-]?\d+(\.\d+)?")


@pytest.fixture(autouse=True)
def _the_example_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    assert get_resolver().url_patterns  # import views first, or they would keep what is patched here
    monkeypatch.setattr(registry, "all_games", lambda: {**WITH_FOLDERS, TINY.slug: TINY})


def pages_of(standing: Standing) -> Iterator[tuple[str, str]]:
    """Yield everything that the site renders of a position: for everybody, and for each player."""
    game, match = standing.game, stored(standing)
    position = rendering.position_of(match)
    shown = MatchContext(position, START)
    common = shown.context()
    yield from rendering.public_parts(position, START).items()
    yield "summary", rendering.summary(position, START)
    yield "rules", render_to_string(template_of(game.slug, "rules"), {**common, "config": position.config})
    for player in match.players.all():
        own, me = position.private_of(player), shown.people.get(player.handle)
        yield from rendering.private_parts(position, player, START).items()
        mine = {**common, "own": own, "me": me}
        yield "result", _result(game, position, mine | {"people": _with_accounts(shown.people)}, match)
        for action in _actions(standing, player.handle):
            forecast = game.forecast(position.public, own, decode_action(game.actions, action))
            context = {**mine, "action": action, "receipt": None, "at": START, "kind": "good", "forecast": forecast}
            yield "forecast", render_to_string(template_of(game.slug, "forecast"), context)
            yield "receipt", render_to_string(template_of(game.slug, "receipt"), context)


def _with_accounts(people: People) -> People:
    """The same people as if each had an account, with linked names."""
    return People((replace(person, account=person.handle) for person in people), are_linked=True)


def _result(game: AnyGame, position: Any, mine: dict[str, Any], match: Match) -> str:
    if position.public.phase not in ("decision", "finished"):
        return ""
    context = {**mine, "outcome": position.outcome, "over": match.is_over}
    return render_to_string(template_of(game.slug, "result"), context)


def _actions(standing: Standing, player: str) -> Iterator[dict[str, Any]]:
    """What this player's bot would do, and other actions that the rules accept."""
    game, state = standing.game, standing.state
    views = game.public_view(state), game.private_view(state, player)
    tries = [game.bot_action(*views, standing.now, Draw(bytes(32)))]
    tries += [made_up(game.actions, standing.names, Draw(f"{number}".encode().ljust(32, b"~"))) for number in range(12)]
    for action in tries:
        try:
            if action is not None:
                game.submit(state, player, action, standing.now, standing.draw)
                yield action
        except Rejected:
            continue


def bad_amounts(html: str) -> list[str]:
    """Return what is shown as an amount but is not a number."""
    return [text for text in AMOUNT.findall(html) if not NUMBER.fullmatch(text)]


class _Misplaced(HTMLParser):
    """Finds linked names inside something that is itself a link, button, label or summary."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.around: list[str] = []
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a" and self.around and (dict(attrs).get("href") or "").startswith("/people/"):
            self.found.append(self.around[-1])
        if tag in ("a", "button", "label", "summary"):
            self.around.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.around and tag == self.around[-1]:
            self.around.pop()


@every_game
@pytest.mark.django_db
def test_every_part_is_shown_in_every_phase(game: AnyGame) -> None:
    _look_at_everything(game)


def _look_at_everything(game: AnyGame) -> None:
    for standing in standings(game):
        for part, html in pages_of(standing):
            assert not bad_amounts(html), f"{part} of {game.slug} shows an amount that is no number"
            assert not NOTHING.search(html), f"{part} of {game.slug} shows None: what is missing has no word yet"
            assert not _Misplaced(html).found, f"{part} of {game.slug} has a person's name in what is pressed"


@every_game
def test_every_template_can_be_read(game: AnyGame) -> None:
    """Also templates that no match of bots has reached: loading a template reveals unknown tags."""
    top = folder_of(game) / "templates"
    for path in top.rglob("*.html"):
        get_template(path.relative_to(top).as_posix())


@pytest.mark.parametrize("game", [pytest.param(game, id=slug) for slug, game in WITH_FOLDERS.items() if game.questions])
@pytest.mark.django_db
def test_questions_and_their_answers_are_shown(game: AnyGame) -> None:
    for standing in standings(game)[:3]:
        position = rendering.position_of(stored(standing))
        context = MatchContext(position, START).context()
        for number in range(12):
            raw = made_up(game.questions, standing.names, Draw(f"{number}".encode().ljust(32, b"?")))
            try:
                answer = game.ask(raw, position.public, None)
            except Rejected:
                continue
            asked = {**context, "kind": raw["type"], "question": raw, "answer": answer, "own": None, "me": None}
            assert not bad_amounts(render_to_string(template_of(game.slug, "answer"), asked))
