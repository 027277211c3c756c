"""The contract that every match type fulfils; each has its own folder under `games/`.

Everything here is pure: the same arguments give the same answer, and nothing is kept between calls.
Match times are `timedelta` since the opening, amounts are whole.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, ClassVar, Generic, TypeVar, get_args, get_origin

import msgspec

from matches.engine import bots, decisions
from matches.engine.actions import Action, Decision, RawAction, decode_action
from matches.engine.core import DECISION, FINISHED, GARNET, PREGAME, PRIORITY, Core, Phase, State
from matches.engine.draw import Draw
from matches.engine.errors import NOT_A_PLAYER, WRONG_PHASE, ConfigError, Rejected
from matches.engine.match_type import MatchType
from matches.engine.purchases import book_correction
from matches.engine.sealed_rounds import PublicInRounds
from matches.engine.sentences import NO_PLAYER, Name
from matches.engine.settings import Roster, Setting, Settings, Span, settings_of
from matches.engine.step import Announcement, Step, Turn
from matches.engine.story import Story, by_scores
from matches.engine.views import HostsAsk, Outcome, PrivateView, Progress, PublicView, Remedy, Score, tokens_of_life

C = TypeVar("C", bound=Settings)
S = TypeVar("S", bound=State[Any])
Public = TypeVar("Public", bound=PublicView)
Private = TypeVar("Private", bound=PrivateView)


class Game(MatchType, ABC, Generic[C, S, Public, Private]):
    """A match type, with the types of its config, state and views. Subclasses are stateless; the one instance of a
    folder is its `GAME`.

    For each event, rules collect what happens on a `Turn` and return the game's own part of the new state.
    """

    config_type: ClassVar[type[Settings]]
    state_type: ClassVar[type[Any]]
    public_type: ClassVar[type[PublicView]]
    private_type: ClassVar[type[PrivateView]]
    """The type arguments of `Game[…]`; `__init_subclass__` sets them."""

    def __init_subclass__(cls) -> None:
        for base in getattr(cls, "__orig_bases__", ()):
            if get_origin(base) is Game:
                cls.config_type, cls.state_type, cls.public_type, cls.private_type = get_args(base)

    # -- what a game answers ---------------------------------------------------------------------

    @abstractmethod
    def open(self, config: C, roster: Roster, draw: Draw) -> Step[S]:
        """The state at match time 0. The roster has already been checked."""

    def act(self, turn: Turn, state: S, player: str, action: Action) -> S:
        """Apply a player's decoded action, which is possible in the present phase. Raises `Rejected`.

        `turn.now` is before the next deadline: the caller has already passed every deadline that was due.
        """
        after: S = self.moves[type(action)](turn, state, player, action)
        return after

    @abstractmethod
    def play_deadline(self, state: S) -> timedelta | None:
        """The next match time at which the play changes without an action; None while the match waits for its hosts.
        Called only before the decisions."""

    def closes_before(self, state: S) -> timedelta | None:
        """A match time before the next deadline at which something closes for players without an event; None if there
        is none, or it has passed. An outage over it delays it, too."""
        return None

    @abstractmethod
    def advance(self, turn: Turn, state: S, draw: Draw) -> S:
        """Apply what happens at exactly that deadline. When the play is over, begin the decisions."""

    def finish(self, turn: Turn, state: S) -> S:
        """Apply whatever else this game does at the end of the match, once everything is decided."""
        return state

    @abstractmethod
    def public_view(self, state: S) -> Public:
        """What everyone may know."""

    @abstractmethod
    def private_view(self, state: S, player: str, now: timedelta | None = None) -> Private:
        """What this player may know beyond the public view, and what they may do.

        Without `now`, it is as at the match's last event. At `now`, when no deadline is due, it leaves out what has
        ended since then, such as something asked of the player (`private_fields` does that) or a time for sealed bids.
        """

    @abstractmethod
    def score(self, state: S) -> Score:
        """The scores of a finished match."""

    @abstractmethod
    def bot_play(self, public: Public, private: Private, now: timedelta, draw: Draw) -> RawAction | None:
        """What a bot with these views does at match time `now`, during the play: an action as JSON, or None to wait.

        `draw` is made from the bot's own seed, never from the match's. The same purpose always gives the same
        result, so a purpose must name the moment that it is about (a slot of time, a round, a lot). Otherwise the bot
        would repeat its first choice for the whole match.
        """

    def bots_look_every(self, config: C) -> timedelta:
        """The shortest time between two looks of a bot, in match time; each wait is one to three times as long. An
        eighth of the shortest round, turn or time to decide, so that no bot sleeps through one."""
        lengths = [each.key for each in self.settings if isinstance(each, Span) and each.positive]
        spans = [getattr(config, key, timedelta()) for key in (*lengths, "decision_time")]
        return min(span / 8 for span in (*spans, 8 * bots.LOOKS_EVERY) if span)

    # -- only for games with settings that hosts may change in a running match (`amendable`) -----

    def judge_change(self, turn: Turn, state: S, config: C) -> None:
        """Raise `ConfigError` with the key, or a path into it (`rounds[1].auctions`), if what differs in this new
        config concerns something that has already begun. `turn` is at the present moment. May announce public facts,
        but must not reveal anything about what begins later."""

    def changes_closed(self, state: S) -> str:
        """A sentence that tells hosts what can no longer be changed; empty if there is nothing to say."""
        return ""

    # -- only for games whose hosts act inside the rules (`host_actions`) ------------------------

    def hosts_asked(self, state: S) -> HostsAsk | None:
        """What the match waits for its hosts to do; None if it does not wait for them."""
        return None

    def host_view(self, state: S) -> Any:
        """What hosts may know beyond the public view while they act inside the rules."""
        return None

    def host_words(self, state: S, action: Action, name: Name) -> Sequence[str]:
        """Sentences shown before a host confirms an action: what it will do, and who will read what."""
        return ()

    def host_play(self, state: S, draw: Draw) -> RawAction | None:
        """What a stand-in for the hosts does where the match waits for them, in rehearsals, demos and tests: an action
        as JSON, or None if it does not wait."""
        return None

    def is_rehearsed(self, state: S) -> bool:
        """Whether a rehearsal ends here, before the match does, since all that follows is up to the hosts."""
        return False

    sealed_in: ClassVar[Phase | None] = None
    """The phase in which the state's `sealed` is a box of submissions (`engine.core.Sealed`), if there is one."""

    def sealed(self, state: S) -> Mapping[str, Any] | None:
        """Player -> the sealed submission that now counts, JSON-able; None if this phase has no sealed submissions."""
        if state.core.phase != self.sealed_in:
            return None
        boxes: Any = state
        return {player: msgspec.to_builtins(box.value, str_keys=True) for player, box in boxes.sealed.items()}

    def holds(self, state: S, player: str) -> Mapping[str, int]:
        """The player's holds: asset -> how much of it they have committed and not yet paid."""
        return {}

    def answer(self, question: Action, public: Public | None, private: Private | None) -> Any:
        """The answer to a decoded question: a frozen struct, which the template `answer.html` shows and the API
        gives as JSON. Raises `Rejected`, with the field.

        It is made from views alone, so it tells the asker nothing that they may not know. `private` is the asker's
        own view, None for spectators. Both are None before the opening, and if the question is about the game and
        not about a match.
        """
        raise NotImplementedError(f"{self.title} has questions, and no answers")

    def forecast(self, public: Public, private: Private, action: Action) -> Any:
        """What an action that the rules accept would lead to, for the template `forecast.html`; None if there is
        nothing to say. It is made from the player's own views alone."""
        return None

    def prospects(self, public: Public, private: Private) -> Any:
        """What a player may want to weigh before acting, for the template tag `prospects` in the player's own parts.
        It is made from the player's own views alone."""
        return None

    def lots(self, view: Public, kind: str, field: str) -> Sequence[str]:
        """The names that a field of an action may contain, in the order of the board, such as the open lots.

        `kind` is the action's type. If the field maps names to amounts, these are its keys. Empty if there is nothing
        to choose from, and for decisions, whose options are in `PrivateView.asked`."""
        return ()

    def remedy(self, public: Public, private: Private, action: Action, refused: Rejected) -> Remedy | None:
        """What the player could do to make a refused action possible, such as buying what is missing; None if nothing
        would. It is made from the player's own views alone."""
        return None

    def advice(self, public: Public, private: Private, item: Announcement) -> str:
        """A sentence that helps a player to act on an announcement; empty if there is nothing to add. It is made from
        the player's own views alone, as they are by now."""
        return ""

    def progress_of_play(self, view: Public) -> Progress:
        """Where the match stands before the decisions, for titles and pictures of it."""
        if isinstance(view, PublicInRounds) and view.phase != PREGAME:
            return Progress(f"Round {view.round}", "closes")
        return Progress("Before the start" if view.phase == PREGAME else "In play", "until")

    def story(self, view: Public, outcome: Outcome, told: Sequence[Announcement], name: Name) -> Story:
        """The turning points of a finished match, and a line about each player. `told` holds the announcements to
        everyone, in order; in a very long match only the last ones."""
        return by_scores(outcome, name)

    # -- the same for all: settings --------------------------------------------------------------

    @property
    def settings(self) -> tuple[Setting, ...]:
        """What hosts can set, in the order of their form."""
        return settings_of(self.config_type)

    def own_assets(self, config: C) -> Sequence[str]:
        """The assets of a match with these settings, besides garnets, priority and tokens."""
        return self.assets

    def read_config(self, raw: object) -> C:
        """A typed config from JSON. Raises `ConfigError` that names the key."""
        config_type: Any = self.config_type
        config: C = config_type.read(raw)
        return config

    def amend(self, state: S, changes: Mapping[str, Any], now: timedelta) -> Step[S]:
        """Apply a host's change of settings at match time `now`, when no deadline is due.

        `changes` holds the whole new value of each changed key as JSON (for a list, the whole list). Raises
        `ConfigError` with the key, or a path into it, if a change concerns what has begun or cannot be played.
        """
        self.need_amendable(changes)
        config = self.read_config({**state.config.write(), **changes})
        turn = Turn(state.core, now)
        self.judge_change(turn, state, config)
        return self._noting_changes(state, turn.step(msgspec.structs.replace(state, config=config)))

    def need_amendable(self, keys: Iterable[object]) -> None:
        """Raise `ConfigError` for a setting that is fixed once a match has begun."""
        for key in keys:
            if key not in self.amendable:
                raise ConfigError(str(key), "cannot be changed once the match has begun")

    # -- the same for all: play ------------------------------------------------------------------

    def submit(self, state: S, player: str, raw: object, now: timedelta, draw: Draw) -> Step[S]:
        """Apply a submission (decoded JSON). Raises `Rejected`, checking in the order
        `not_a_player`, `malformed`, `unknown_action`, `malformed`, `wrong_phase`, then the game's own."""
        if player not in state.core.handles:
            raise Rejected(NOT_A_PLAYER, NO_PLAYER)
        action = decode_action(self.actions, raw)
        if state.core.phase not in action.phases:
            raise Rejected(WRONG_PHASE, self._not_now(state))
        turn = Turn(state.core, now)
        if isinstance(action, Decision):
            decisions.decide(turn, draw, player, action)
        else:
            state = self.act(turn, state, player, action)
        return self._step(turn, state)

    def act_as_host(self, state: S, raw: object, now: timedelta, draw: Draw) -> Step[S]:
        """Apply a host's action inside the rules (decoded JSON). Raises `Rejected`, in the order of `submit`."""
        action = decode_action(self.host_actions, raw)
        if state.core.phase not in action.phases:
            raise Rejected(WRONG_PHASE, self._not_now(state))
        turn = Turn(state.core, now)
        after = self.host_moves[type(action)](turn, state, action, draw)
        return self._noting_changes(state, self._step(turn, after))

    def next_deadline(self, state: S) -> timedelta | None:
        """The next match time at which the state changes without an action; None when the match is finished, or waits
        for its hosts."""
        if state.core.phase in (DECISION, FINISHED):
            return decisions.window_closes(state.core)
        return self.play_deadline(state)

    def pass_deadline(self, state: S, draw: Draw) -> Step[S]:
        """Apply what happens at exactly the deadline that `next_deadline` gives. Raises `RuntimeError` if there is
        none."""
        due = self.next_deadline(state)
        if due is None:
            raise RuntimeError("this match has no deadline now")
        turn = Turn(state.core, due)
        if state.core.phase == DECISION:
            decisions.close_window(turn, draw)
        else:
            state = self.advance(turn, state, draw)
        return self._step(turn, state)

    def _not_now(self, state: S) -> str:
        """The sentence that says what is possible in the present phase."""
        return self.possible.get(state.core.phase) or _OVER[state.core.phase]

    def _step(self, turn: Turn, state: S) -> Step[S]:
        if turn.phase == FINISHED:
            state = self.finish(turn, state)
        return turn.step(state)

    def correct(self, state: S, player: str, asset: str, amount: int, now: timedelta) -> Step[S]:
        """Apply a host's correction at match time `now`: the bank gives a positive `amount`, or takes a negative one.

        Raises `Rejected` if it would take more than the player has free.
        """
        if player not in state.core.handles:
            raise Rejected(NOT_A_PLAYER, "Only this match's players have balances in it.", field="player")
        turn = Turn(state.core, now)
        book_correction(turn, player, asset, amount, held=self.holds(state, player).get(asset, 0))
        return self._noting_changes(state, turn.step(state))

    def _noting_changes(self, state: S, step: Step[S]) -> Step[S]:
        """The step, with every view that differs marked as changed. Needed only for hosts' changes, as rules mark views
        themselves."""
        after = step.state
        changed = {p for p in state.core.handles if self.private_view(state, p) != self.private_view(after, p)}
        public = (self.public_view(state), self.outcome(state)) != (self.public_view(after), self.outcome(after))
        return msgspec.structs.replace(step, public=step.public or public, touched=step.touched | changed)

    def bot_action(self, public: Public, private: Private, now: timedelta, draw: Draw) -> RawAction | None:
        """What a bot with these views does at match time `now`, in any phase: an action as JSON, or None to wait."""
        if public.phase in (DECISION, FINISHED):
            return bots.decision(private, draw) if private.asked else None
        return self.bot_play(public, private, now, draw)

    # -- the same for all: what is shown ---------------------------------------------------------

    def progress(self, view: Public) -> Progress:
        """Where the match stands, for titles and pictures of it."""
        if view.phase == DECISION:
            return Progress("Decisions", "open until")
        return Progress("Finished", "") if view.phase == FINISHED else self.progress_of_play(view)

    def outcome(self, state: S) -> Outcome | None:
        """The published result; None until the match is finished."""
        core = state.core
        if core.phase != FINISHED:
            return None
        scores, details = self.score(state)
        return Outcome(core.winners, tokens_of_life(core), core.candidates, dict(scores), dict(details))

    def ask(self, raw: object, public: Public | None, private: Private | None) -> Any:
        """The answer to a question (decoded JSON). Raises `Rejected`, checking in the order `malformed`,
        `unknown_question`, `malformed`, then the game's own."""
        return self.answer(decode_action(self.questions, raw, "question"), public, private)

    # -- the same for all: what is stored --------------------------------------------------------

    def encode_state(self, state: S) -> bytes:
        """The state as JSON bytes."""
        return msgspec.json.encode(state)

    def decode_state(self, raw: bytes | str) -> S:
        """The state that `encode_state` wrote."""
        state: S = msgspec.json.decode(raw, type=self.state_type)
        return state


AnyGame = Game[Any, Any, Any, Any]

_OVER = {
    DECISION: "Play is over. Only the decisions after it are still open.",
    FINISHED: "The match is finished.",
}
"""Phase -> what is possible once the play is over, for games that do not say it more exactly in `possible`."""


def opening_core(
    roster: Roster, *, phase: Phase, stock: Mapping[str, int], garnet_credit: bool = False
) -> tuple[Core, Turn]:
    """The core at match time 0, and a turn on which each player has been given their opening
    balances: the garnets and priority that they bring, and `stock` (asset -> amount)."""
    core = Core(roster=roster, phase=phase, garnet_credit=garnet_credit)
    turn = Turn(core, timedelta())
    for entrant in roster:
        turn.earn(entrant.handle, GARNET, max(entrant.garnets, 0), "opening")
        turn.pay(entrant.handle, GARNET, max(-entrant.garnets, 0), "opening")
        turn.earn(entrant.handle, PRIORITY, entrant.priority, "opening")
        for asset, amount in stock.items():
            turn.earn(entrant.handle, asset, amount, "opening")
    turn.touch_all()
    return core, turn
