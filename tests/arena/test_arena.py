"""Bots play against each other in memory: who wins, and what becomes of a bot that does not keep to the rules."""

from __future__ import annotations

import io
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from matches.arena import bots
from matches.arena.bots import FileBot, Lost, checked
from matches.arena.playing import Played, play, seating, seeds
from matches.arena.standings import in_words, standings, wilson
from matches.engine.actions import RawAction
from matches.engine.game import AnyGame
from matches.games.registry import all_games, game_of
from tests.architecture.files import ROOT
from tests.fixtures.any_game import SLUG

SEED = bytes(32)


def of_file(tmp_path: Path, body: str, seconds: float = 5.0) -> FileBot:
    path = tmp_path / "mine.py"
    path.write_text(f"import sys\ndef choose(public, private, now):\n    {body}\n")
    return FileBot("mine", path, seconds)


class FunctionBot:
    """A function of this process."""

    def __init__(self, name: str, function: Callable[[Any, Any, float], Any]) -> None:
        self.name, self._function = name, function

    def choose(self, public: Any, private: Any, now: float) -> RawAction | None:
        return checked(self._function(public, private, now))

    def close(self) -> None:
        pass


@pytest.fixture
def game() -> AnyGame:
    return game_of(SLUG)


@pytest.mark.parametrize("slug", list(all_games()))
def test_every_game_is_played_to_its_end(slug: str) -> None:
    """The example among them, which bids in one game, decides in all, and loses no turn in any."""
    game = game_of(slug)
    example = FunctionBot("example", runpy.run_path(str(ROOT / "examples" / "bot.py"), run_name="bot")["choose"])
    players = game.sizes.usual[0]
    match = play(game, game.read_config({}), [None, example], ["built-in", "example"], players, SEED)
    assert set(match.winners) <= set(match.seats)
    assert sorted(match.seats.values()).count("built-in") == (players + 1) // 2
    assert not match.lost


def test_a_bot_sees_what_the_api_shows(game: AnyGame) -> None:
    seen: list[tuple[Any, Any, float]] = []

    def note(public: Any, private: Any, now: float) -> None:
        seen.append((public, private, now))

    match = play(game, game.read_config({}), [FunctionBot("note", note), None], ["note", "built-in"], 8, SEED)
    mine = {handle for handle, name in match.seats.items() if name == "note"}
    assert {private["handle"] for _, private, _ in seen} == mine
    assert {"phase", "players", "board"} <= set(seen[0][0])
    assert [now for _, _, now in seen] == sorted(now for _, _, now in seen)


def test_the_same_seed_plays_the_same_match(game: AnyGame) -> None:
    config = game.read_config({})
    first, again = (play(game, config, [None, None], ["one", "other"], 8, SEED) for _ in range(2))
    assert first == again
    assert play(game, config, [None, None], ["one", "other"], 8, bytes([1] * 32)) != first


def test_seats_go_round_and_are_drawn() -> None:
    found = [seating([None] * 3, ["a", "b", "c"], 8, seed) for seed in seeds(0, 30)]
    assert all(sorted(seats.values()) == [0, 0, 0, 1, 1, 1, 2, 2] for seats in found)
    assert {seats["player1"] for seats in found} == {0, 1, 2}


BAD = {
    "raise KeyError('oops')": ("raised", "KeyError('oops')"),
    "sys.exit()": ("raised", "its process ended with code 0"),
    "while True: pass": ("too slow", "more than 0.3 s"),
    "return 'bid'": ("rubbish", 'no action: "bid"'),
    "return {'amount': 1}": ("rubbish", 'no action: {"amount": 1}'),
    "return {1, 2}": ("raised", "TypeError('Object of type set is not JSON serializable')"),
    "return {'type': 'x' * 100_000}": ("rubbish", "more than 64 KiB"),
}


@pytest.mark.parametrize("body", BAD)
def test_a_bot_that_does_wrong_loses_its_turn_and_the_next_is_a_new_one(body: str, tmp_path: Path) -> None:
    bot = of_file(tmp_path, f"if now:\n        {body}", seconds=0.3 if "while" in body else 5.0)
    try:
        with pytest.raises(Lost) as lost:
            bot.choose({}, {}, 1)
        assert (lost.value.kind, lost.value.detail) == BAD[body]
        assert bot.choose({}, {}, 0) is None
    finally:
        bot.close()


def test_what_a_bot_prints_is_no_answer(tmp_path: Path) -> None:
    bot = of_file(tmp_path, "print('thinking'); return {'type': 'bid'}")
    try:
        assert bot.choose({}, {}, 0) == {"type": "bid"}
    finally:
        bot.close()


def test_a_process_that_always_ends_is_not_begun_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "MOST_ENDS", 2)
    bot = of_file(tmp_path, "import os; os._exit(3)")
    said = []
    for _ in range(4):
        with pytest.raises(Lost) as lost:
            bot.choose({}, {}, 0)
        said.append(lost.value.detail)
    assert said == ["its process ended with code 3"] * 2 + ["its process ended 2 times, and was not begun again"] * 2


def test_a_bot_that_hangs_does_not_keep_the_arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "MOST_SLOW", 2)
    bot = of_file(tmp_path, "while now: pass", seconds=0.3)
    said: list[object] = []
    for now in (1, 0, 1, 1, 1, 0):  # an answer in time between two slow ones, and it may be slow as often again
        try:
            said.append(bot.choose({}, {}, now))
        except Lost as lost:
            said.append((lost.kind, lost.detail))
    slow, given_up = ("too slow", "more than 0.3 s"), ("too slow", "for 2 turns in a row, and was not begun again")
    assert said == [slow, None, slow, slow, given_up, given_up]


UNUSABLE = {
    "def choose(:": "SyntaxError",
    "import nosuch_module": "nosuch_module",
    "x = 1": "no function",
    "exit(4)": "4",
}


@pytest.mark.parametrize("text", UNUSABLE)
def test_a_file_that_is_no_bot_is_said_before_the_first_match(text: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(CommandError, match=f"(?s)mine is not a bot: .*{UNUSABLE[text]}"):
        arena(SLUG, str(path), "built-in", "--matches", "1")


def test_refused_actions_are_counted_with_their_code(game: AnyGame) -> None:
    bold = FunctionBot("bold", lambda public, private, now: {"type": "bid", "seat": "nowhere", "amount": 1})
    match = play(game, game.read_config({}), [bold, None], ["bold", "built-in"], 8, SEED)
    assert {(name, kind) for name, kind, _ in match.lost} == {("bold", "refused")}
    assert match.lost["bold", "refused", "bid: unknown_seat"] > 0


# -- standings -------------------------------------------------------------------------------------


def test_the_interval_is_wilsons() -> None:
    assert wilson(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert wilson(0, 0) == (0.0, 1.0)


def test_standings_count_seats_and_name_those_who_lost_turns() -> None:
    def matches() -> Iterator[Played]:
        for winner in ("p1", "p1", "p2"):
            yield Played({"p1": "a", "p2": "b"}, (winner,), {winner: 1}, (), {("b", "raised", "KeyError"): 2})  # type: ignore[arg-type]

    lines = standings(["a", "b"], matches())
    assert [(line.name, line.seats, line.won, line.tokens) for line in lines] == [("a", 3, 2, 2), ("b", 3, 1, 1)]
    text = "\n".join(in_words(lines))
    assert "66.7%" in text
    assert "b: lost 6 turns: raised, KeyError" in text


# -- the command -----------------------------------------------------------------------------------


def arena(*arguments: str) -> str:
    out = io.StringIO()
    call_command("arena", *arguments, stdout=out)
    return out.getvalue()


def test_the_example_plays_against_the_games_own_bot() -> None:
    text = arena(SLUG, str(ROOT / "examples" / "bot.py"), "built-in", "--matches", "1")
    assert "1 played, 8 players" in text
    assert "lost" not in text  # a good bot loses no turn


@pytest.mark.parametrize(
    "arguments",
    [
        "nosuch built-in",
        f"{SLUG} nosuch.py",
        f"{SLUG} built-in --matches 0",
        f"{SLUG} built-in --players 2",
        f"{SLUG} built-in --matches 1 --seconds nan",
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(arguments: str) -> None:
    with pytest.raises(CommandError):
        arena(*arguments.split())
