"""A match that bots play beforehand, and what it tells its host."""

from __future__ import annotations

from datetime import timedelta
from itertools import count
from typing import Any

import msgspec
import pytest

from matches.engine.bot_match import bot_match
from matches.engine.draw import Draw
from matches.engine.errors import Rejected
from matches.engine.playing import Unplayable
from matches.engine.preview import filled
from matches.engine.rehearsal import Deadline, Idle, rehearse
from matches.engine.rehearsal_report import MATCHES, Report, report_of
from matches.engine.roster import Entrant
from matches.games.registry import all_games
from tests.engine.tiny_game import GAME, TinyGame

DAY = 86_400
ROSTER = (Entrant("ann"), Entrant("bob"), Entrant("cat"))
SEED = bytes(range(32))


def reported(game: Any = GAME, config: Any = None, roster: Any = ROSTER, enough: Any = lambda which: False) -> Report:
    return report_of(game, config or {}, roster, SEED, enough)


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.slug)
def test_every_game_comes_to_an_end(game: Any) -> None:
    roster, config = filled((), game.sizes.usual[0], game.teams), game.read_config({})
    played = rehearse(game, config, roster, SEED)
    last = list(bot_match(game, config, roster, SEED))[-1]
    assert last.step.state.core.phase == "finished"
    assert played.length == last.at.total_seconds()
    assert [each.at for each in played.deadlines] == sorted(each.at for each in played.deadlines)


def test_bots_look_a_few_times_in_a_round_of_minutes_too() -> None:
    """On the site they look every twenty minutes at most, so they would sleep through it."""
    events = bot_match(GAME, GAME.read_config({"closes": 60}), ROSTER, SEED)
    assert {each.player for each in events if each.at < timedelta(minutes=1)} >= {"ann", "bob", "cat"}


def test_the_report_can_be_stored_and_says_what_came_of_it() -> None:
    report = reported()
    assert msgspec.convert(msgspec.json.decode(msgspec.json.encode(report)), Report) == report
    played = report.played
    assert played.deadlines[0] == Deadline(DAY, "In play", "until")
    assert len(report.endings) == MATCHES
    assert report.endings[0].winners == played.winners
    assert len({ending.winners for ending in report.endings}) > 1, "other draws, other winners"
    assert DAY in report.fixed
    assert report.idle_length is not None
    assert report.idle_length >= DAY


def test_it_names_what_nobody_used() -> None:
    """The tiny game's bots bid, and never take a bid back."""
    report = reported(config={"closes": "2d", "decision_time": "24h"})
    assert "bid" not in report.unused_actions
    assert {"withdraw", "buy_chips"} <= set(report.unused_actions)
    assert "decision_time" in (report.without_effect or ()), "that is the usual value"
    assert "closes" not in (report.without_effect or ())


class Alone(TinyGame):
    """Only ann may bid, and everybody's first try is refused."""

    def act(self, turn: Any, state: Any, player: str, action: Any) -> Any:
        if player != "ann":
            raise Rejected("poor", "You have no purse.")
        return super().act(turn, state, player, action)


def test_it_says_who_could_do_nothing_and_why() -> None:
    played = rehearse(Alone(), GAME.read_config({}), ROSTER, SEED)
    assert played.idle == (Idle("bob", "In play", "You have no purse."), Idle("cat", "In play", "You have no purse."))
    assert {(each.player, each.action, each.message) for each in played.refusals} == {
        ("bob", "bid", "You have no purse."),
        ("cat", "bid", "You have no purse."),
    }
    assert min(each.count for each in played.refusals) > 1


class Lazy(TinyGame):
    """Nobody but ann thinks of bidding, though everybody could."""

    def bot_play(self, public: Any, private: Any, now: timedelta, draw: Draw) -> Any:
        return super().bot_play(public, private, now, draw) if private.handle == "ann" else None


def test_who_only_did_nothing_is_not_one_who_could_not() -> None:
    played = rehearse(Lazy(), GAME.read_config({}), ROSTER, SEED)
    assert played.idle == (Idle("bob", "In play", ""), Idle("cat", "In play", ""))
    assert [handle for handle, done in played.done.items() if "bid" in done] == ["ann"]


class Silent(TinyGame):
    def bot_play(self, public: Any, private: Any, now: timedelta, draw: Draw) -> Any:
        return None


def test_a_part_in_which_nobody_did_anything_is_named_once() -> None:
    played = rehearse(Silent(), GAME.read_config({}), ROSTER, SEED)
    assert (played.quiet, played.idle) == (("In play",), ())


def test_who_had_nothing_left_before_the_last_part_is_named_with_the_moment() -> None:
    """In the real games: the tiny one has only one part."""
    found = 0
    for game in all_games().values():
        config, roster = game.read_config({}), filled((), game.sizes.usual[0], game.teams)
        events = list(bot_match(game, config, roster, SEED))
        for each in rehearse(game, config, roster, SEED).ran_out:
            since = [event.step.state for event in events if event.step and event.at.total_seconds() >= each.at]
            left = [state.core.purses[each.player].get(each.asset, 0) for state in since]
            held = [game.holds(state, each.player).get(each.asset, 0) for state in since]
            assert left[-1] <= held[-1] or since[-1].core.phase == "finished"
            assert left[0] - held[0] <= 0
            assert events[0].step.state.core.purses[each.player][each.asset], "not an item that was won on the way"
            found += 1
    assert found


def test_a_match_without_end_and_one_without_time_are_refused() -> None:
    class Endless(TinyGame):
        def next_deadline(self, state: Any) -> Any:
            return state.core.time + timedelta(days=1)

        def pass_deadline(self, state: Any, draw: Draw) -> Any:
            core = msgspec.structs.replace(state.core, time=self.next_deadline(state))
            return super().correct(msgspec.structs.replace(state, core=core), "ann", "chip", 1, core.time)

    tries = count()
    with pytest.raises(Unplayable):
        reported(Endless(), enough=lambda which: next(tries) > 500)
    with pytest.raises(Unplayable):
        reported(enough=lambda which: True)


def test_where_there_is_time_for_one_match_only_the_report_is_of_that_one() -> None:
    report = reported(enough=lambda which: which == 1, config={"closes": "2d"})
    assert len(report.endings) == 1
    assert report.without_effect is None
