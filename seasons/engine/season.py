"""The rules of a season: matches open and end, deadlines pass, hosts and members give commands.

All times are season time. Before any event at `now` the caller passes every deadline up to and including `now`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

import msgspec

from matches.engine.core import BLOOD_GARNET, GARNET, PRIORITY, balance
from matches.engine.draw import Draw
from matches.engine.errors import NOT_ELIGIBLE, WRONG_PHASE, ConfigError, Rejected
from matches.engine.game import AnyGame
from matches.engine.match_time import DAY
from matches.engine.settings import Entrant, Roster
from seasons.engine import aftermath, commands
from seasons.engine.commands import malformed
from seasons.engine.state import (
    DEATH_MATCH,
    ENDED,
    LEAST_CAST,
    OPPONENT,
    RUNNING,
    CastEntry,
    Growth,
    MatchResult,
    Member,
    SeasonMatch,
    SeasonSettings,
    SeasonState,
    Step,
    Turn,
)

apply = commands.apply

FINALISTS = 2


def begin(settings: SeasonSettings, cast: tuple[CastEntry, ...]) -> Step:
    """Return the step that begins a season, with everybody's opening balances. Raises `ConfigError("cast", …)`."""
    handles = [entry.handle for entry in cast]
    if len(set(handles)) != len(handles):
        raise ConfigError("cast", "each handle must be different")
    if len(cast) < LEAST_CAST:
        raise ConfigError("cast", f"a season has at least {LEAST_CAST} members")
    members = tuple(Member(entry.handle, entry.team) for entry in cast)
    turn = Turn(SeasonState(settings=settings, members=members), timedelta())
    for entry in cast:
        for asset, amount in ((GARNET, entry.garnets), (PRIORITY, entry.priority), (BLOOD_GARNET, entry.blood)):
            turn.move(None, entry.handle, asset, amount, "opening")
    aftermath.publish(turn)
    turn.announce("season_began", members=handles)
    return turn.step()


def open_match(state: SeasonState, key: str, players: Iterable[str], now: timedelta, *, is_final: bool = False) -> Step:
    """Open a match: each player brings all garnets and priority. `is_final`: whoever loses it is out, and the season
    ends. Raises `Rejected`."""
    handles = tuple(players)
    check_players(state, handles, is_final=is_final)
    turn = Turn(state, now)
    brought = aftermath.bring(turn, key, handles)
    is_death_match = state.phase == DEATH_MATCH
    turn.change(matches=(*turn.state.matches, SeasonMatch(key, brought, is_death_match, is_final=is_final)))
    turn.announce("match_began", match=key, death_match=is_death_match, **({"final": True} if is_final else {}))
    return turn.step()


def check_players(state: SeasonState, handles: tuple[str, ...], *, is_final: bool = False) -> None:
    """Raise `Rejected` if a match of the season cannot open with these players now."""
    if is_final or not _is_the_death_match(state, handles):
        commands.need_running(state)
    commands.need_members(state, *handles)
    commands.need_in(state, *handles)
    commands.need_free(state, *handles)
    left = state.handles_in()
    if is_final and not (len(left) == len(handles) == FINALISTS and set(left) == set(handles)):
        raise Rejected(NOT_ELIGIBLE, f"The final is between the last two who are in; {len(left)} are in now.")


def _is_the_death_match(state: SeasonState, handles: tuple[str, ...]) -> bool:
    """Whether these are the two of the Death Match. Raises `Rejected` if it is played, or a result is unconfirmed."""
    if not state.duel or set(handles) != set(state.duel):
        return False
    if any(match.is_death_match or match.result is not None for match in state.matches):
        raise Rejected(WRONG_PHASE, "The Death Match is being played, or a host has yet to confirm a settlement.")
    return True


def due_players(state: SeasonState) -> tuple[str, ...]:
    """Return who plays the next match if nobody is left out: all who are in, or the two of the Death Match."""
    return state.duel or state.handles_in()


def match_is_over(state: SeasonState, key: str, result: MatchResult, now: timedelta) -> Step:
    """Apply the end of a match, finished or cancelled."""
    turn = Turn(state, now)
    aftermath.match_is_over(turn, key, result)
    return turn.step()


def count_blood(state: SeasonState, key: str | None, now: timedelta) -> Step:
    """Let blood garnets grow from the end of this match's pregame (`pregame_over` says when that was), or stop their
    growth (None). Raises `Rejected` after the season's end."""
    if state.phase == ENDED:
        raise Rejected(WRONG_PHASE, "The season has ended, so blood garnets no longer grow.")
    turn = Turn(state, now)
    turn.change(growth=None if key is None else Growth(key))
    turn.announce("growth_switched", match=key)
    return turn.step()


def pregame_over(state: SeasonState, key: str, ended: timedelta, now: timedelta) -> Step:
    """Start the growth of blood garnets if this match's pregame, which ended at `ended`, is the one that counts: at
    each whole day after it, first after `now`."""
    turn = Turn(state, now)
    if state.growth is not None and state.growth.match == key and state.growth.next is None:
        days = (now - ended) // DAY + 1
        turn.change(growth=Growth(key, ended + days * DAY))
    return turn.step()


def change_person(
    state: SeasonState,
    now: timedelta,
    *,
    player: str,
    username: str | None,
    is_bot: bool,
    name: str = "",
    reason: str = "",
) -> Step:
    """Put another person, a bot, or nobody behind a member; the rules only announce it, without names."""
    turn = Turn(state, now)
    who = "bot" if is_bot else "person" if username else "nobody"
    turn.announce("person_changed", player=player, who=who, reason=reason)
    return turn.step()


NAMED, ACCEPTED, DECLINED, WITHDRAWN, STOPPED = "named", "accepted", "declined", "withdrawn", "stopped"


def change_viewer(state: SeasonState, now: timedelta, player: str, did: str) -> Step:
    """Announce that a member's trusted viewer is named, accepted or declined, or stops, or that the offer is withdrawn,
    without saying who it is. Everybody hears of one who is accepted or stops; only the member of an offer, and only the
    hosts of its end."""
    turn = Turn(state, now)
    if did == NAMED:
        turn.tell(player, "viewer_named")
    elif did in (DECLINED, WITHDRAWN):
        turn.tell_hosts(f"viewer_{did}", player=player)
    else:
        turn.announce(f"viewer_{did}", player=player)
    return turn.step()


def extend_decision(state: SeasonState, now: timedelta, *, by: int, **told: str) -> Step:
    """Extend the time to name an opponent by `by` microseconds because of an outage; `told` describes it to everybody.
    Raises `RuntimeError` if nobody is to be named."""
    after = state.after
    if after is None or after.closes is None:
        raise RuntimeError("no opponent is to be named now")
    turn = Turn(state, now)
    turn.change(after=msgspec.structs.replace(after, closes=after.closes + timedelta(microseconds=by)))
    turn.announce("decision_extended", **told)
    turn.tell_hosts("decision_extended", **told)
    return turn.step()


def next_deadline(state: SeasonState) -> timedelta | None:
    """Return the season time of the next deadline, or None."""
    growth = state.growth.next if state.growth else None
    closes = state.after.closes if state.after else None
    return min((each for each in (growth, closes) if each is not None), default=None)


def pass_deadline(state: SeasonState, draw: Draw) -> Step:
    """Pass the next deadline; at the same time growth comes before the draw. Raises `RuntimeError` if there is none."""
    due = next_deadline(state)
    if due is None:
        raise RuntimeError("nothing happens by itself in this season now")
    turn = Turn(state, due)
    if state.growth is not None and state.growth.next == due:
        aftermath.grow(turn, state.growth)
    else:
        aftermath.draw_opponent(turn, draw)
    return turn.step()


def step_of(state: SeasonState | None, kind: str, payload: Any, now: timedelta, draw: Draw) -> Step | None:
    """Return the step of a row of the log, from its kind and payload; None if the rules have none for it. Raises
    whatever they raise."""
    if kind == BEGIN:
        return begin(SeasonSettings.read(payload["settings"]), tuple(CastEntry(**entry) for entry in payload["cast"]))
    found = _STEPS.get(kind)
    return None if state is None or found is None else found(state, payload, now, draw)


BEGIN, DEADLINE, MATCH_OVER = "begin", "deadline", "match_over"

_STEPS: dict[str, Callable[[SeasonState, Any, timedelta, Draw], Step]] = {
    DEADLINE: lambda state, told, now, draw: pass_deadline(state, draw),
    "match_opened": lambda state, told, now, draw: open_match(
        state, told["match"], told["players"], now, is_final=told.get("final", False)
    ),
    "pregame_over": lambda state, told, now, draw: pregame_over(
        state, told["match"], timedelta(microseconds=told["ended"]), now
    ),
    MATCH_OVER: lambda state, told, now, draw: match_is_over(
        state, told["match"], msgspec.convert(told["result"], MatchResult), now
    ),
    "count_blood": lambda state, told, now, draw: count_blood(state, told["match"], now),
    "outage": lambda state, told, now, draw: extend_decision(state, now, **told),
    "person": lambda state, told, now, draw: change_person(state, now, **told),
    "viewer": lambda state, told, now, draw: change_viewer(state, now, told["player"], told["did"]),
    "command": lambda state, told, now, draw: commands.apply(state, told, now),
}


def encode(state: SeasonState) -> bytes:
    """Return the state as JSON bytes."""
    return msgspec.json.encode(state, order="deterministic")


def decode(raw: bytes | str) -> SeasonState:
    """Return the state that `encode` wrote."""
    return msgspec.json.decode(raw, type=SeasonState)


def opponents(state: SeasonState) -> tuple[str, ...]:
    """Return who can be named as the opponent now; nobody if none is to be named."""
    if state.phase != OPPONENT or state.after is None:
        return ()
    return aftermath.eligible(state, state.after)


def receivers(state: SeasonState, giver: str) -> tuple[str, ...]:
    """Return to whom a member can give garnets now; nobody if they cannot give any."""
    playing = state.playing()
    able = state.settings.gifts and state.phase == RUNNING and not state.is_settling()
    if not able or giver not in state.handles_in() or giver in playing:
        return ()
    return tuple(each for each in state.handles_in() if each != giver and each not in playing)


# -- players and settings of a match, checked before anything moves ------------------------------------------

CREDIT = "garnet_credit"


class Entry(msgspec.Struct, frozen=True):
    """A player as a host lists them: a handle, and a team if the match type has teams."""

    handle: str
    team: str | None = None


class Lineup(msgspec.Struct, frozen=True):
    """A match that can open: its settings as typed and as read, and its players with what they bring."""

    raw_config: dict[str, Any]
    config: Any
    roster: Roster


def config_in(state: SeasonState, game: AnyGame, raw: Mapping[str, Any]) -> tuple[dict[str, Any], Any]:
    """Return a match's settings, typed and read, with what the season sets for all matches. Raises `ConfigError`."""
    credit = state.settings.garnet_credit
    if any(setting.key == CREDIT for setting in game.settings):
        if raw.get(CREDIT, credit) is not credit:
            word, on = ("true", "on") if credit else ("false", "off")
            message = f"is {word} in all matches of this season; leave it out, or set it to {word}"
            raise ConfigError(CREDIT, message, told=f"“Garnets on credit” is {on} in all matches of this season.")
        raw = {**raw, CREDIT: credit}
    return dict(raw), game.read_config(raw)


def entries_of(state: SeasonState, game: AnyGame, listed: Sequence[Entry] | None) -> tuple[Entry, ...]:
    """Return the players of a match, by default all who are in. If the match type has teams, entries without one get
    their team of the cast, but only if that gives everybody one of the type's teams."""
    if listed is None:
        listed = tuple(Entry(handle) for handle in state.handles_in())
    filled = tuple(Entry(entry.handle, entry.team or _cast_team(state, game, entry.handle)) for entry in listed)
    return filled if game.teams and all(entry.team for entry in filled) else tuple(listed)


def _cast_team(state: SeasonState, game: AnyGame, handle: str) -> str | None:
    member = state.member(handle)
    return member.team if member is not None and member.team in game.teams else None


def lineup(
    state: SeasonState,
    game: AnyGame,
    raw_config: Mapping[str, Any],
    listed: Sequence[Entry] | None,
    *,
    is_final: bool = False,
) -> Lineup:
    """Return a match that is ready to open now. Raises `Rejected`, with the codes in their order."""
    entries = entries_of(state, game, listed)
    handles = tuple(entry.handle for entry in entries)
    if not game.teams and any(entry.team is not None for entry in entries):
        raise malformed(f"{game.title} has no teams.", "players")
    roster = tuple(
        Entrant(
            entry.handle,
            entry.team,
            balance(state.purses, entry.handle, GARNET),
            balance(state.purses, entry.handle, PRIORITY),
        )
        for entry in entries
    )
    try:
        raw, config = config_in(state, game, raw_config)
        game.check_start(config, roster)
    except ConfigError as error:
        raise malformed(f"{error}.", error.setting) from None
    check_players(state, handles, is_final=is_final)
    return Lineup(raw, config, roster)
