"""The views of a host's match: for everyone, for each player, and for hosts. Only this module reads a state for
them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Any

import msgspec

from matches.engine.core import FINISHED, GARNET, PRIORITY, RUNNING, balance
from matches.engine.match_time import seconds
from matches.engine.sentences import asset_name
from matches.engine.views import (
    Ask,
    HostsAsk,
    MatchTime,
    PrivateView,
    PublicView,
    Score,
    WhoLeads,
    places_by,
    private_fields,
    public_fields,
)
from matches.games.hosts_match.answers import may_answer
from matches.games.hosts_match.config import NUMBER, TEXT, Asset, Config, Question
from matches.games.hosts_match.state import (
    COUNTED,
    JUDGING,
    NAMED,
    OPEN,
    OVER,
    Answers,
    Booking,
    Closed,
    HostState,
    Posted,
    Stage,
)

NOT_POSTED = Posted("", {}, (), ())


class RoundView(msgspec.Struct, frozen=True):
    """A round that has opened; `closes_at` is when it closes or has closed."""

    number: int
    title: str
    text: str
    closes_at: MatchTime
    questions: tuple[Question, ...]


class RevealedView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is revealed about the answers to a question. `named`: player -> answer, in list order; `counted`: answer ->
    how often it was given, or how much was shared to it."""

    key: str
    ask: str
    kind: str
    named: dict[str, Any] | None = None
    counted: dict[str, int] | None = None


class ResultView(msgspec.Struct, frozen=True):
    """A round with its result. `booked` has only the bookings that everybody may know."""

    number: int
    title: str
    text: str
    result: str
    revealed: tuple[RevealedView, ...]
    booked: tuple[Booking, ...]
    out: tuple[str, ...]


class HostPublic(PublicView, frozen=True, kw_only=True):
    """The board. `round`: the number of the round, from 1, of `rounds` in the match. `stage`: whether it is `waiting`
    to open, `open`, being judged (`judging`), or the play is `over`. `current`: the round that is open or being judged.
    `results`: the rounds with a posted result, in order. `holdings`: asset -> player -> amount, for public assets.
    `out`: who can no longer answer.
    """

    round: int
    rounds: int
    stage: Stage
    current: RoundView | None
    results: tuple[ResultView, ...]
    assets: tuple[Asset, ...]
    holdings: dict[str, dict[str, int]]
    out: tuple[str, ...]

    @property
    def rows(self) -> list[tuple[str, list[tuple[str, int]], bool]]:
        """A row for each player: handle, public holdings, and whether they are out."""
        handles = [line.handle for line in self.players]
        return [
            (handle, [(asset, held[handle]) for asset, held in self.holdings.items()], handle in self.out)
            for handle in handles
        ]

    @property
    def ranking(self) -> dict[str, int]:
        """The ranking by the one public asset, if its leaders are the winners that the hosts have named."""
        found = places_by(next(iter(self.holdings.values()))) if len(self.holdings) == 1 else {}
        first = {player for player, place in found.items() if place == 1}
        return found if first == set(self.winners) else {}

    @property
    def who_leads(self) -> WhoLeads:
        """Who has most of the public asset, if there is exactly one."""
        if len(self.holdings) != 1:
            return WhoLeads()
        asset, held = next(iter(self.holdings.items()))
        if not (most := max(held.values())):
            return WhoLeads()
        leaders = tuple(player for player, amount in held.items() if amount == most)
        lines = {player: asset_name(asset, amount) for player, amount in held.items()}
        return WhoLeads(leaders, f"with {asset_name(asset, most)}", lines)


class AnsweredRound(msgspec.Struct, frozen=True):
    """A closed round with everybody's answers (for hosts), or with a player's own."""

    number: int
    title: str
    questions: tuple[Question, ...]
    answers: dict[str, Answers]

    @property
    def own(self) -> list[tuple[Question, Any]]:
        """The questions, each with the player's own answer."""
        return [(each, answers.get(each.key)) for answers in self.answers.values() for each in self.questions]


class HostPrivate(PrivateView, frozen=True, kw_only=True):
    """The player's own facts. `answers`: those that will count, sealed at `answered_at`. `counted`: closed rounds with
    the player's answers, the latest first. `own`: their balances of the match's own assets. `questions`: those of the
    open round, as they may answer them. `is_out`: whether they can no longer answer."""

    answers: Answers | None
    answered_at: MatchTime | None
    counted: tuple[AnsweredRound, ...]
    own: dict[str, int]
    questions: tuple[Question, ...]
    is_out: bool

    @property
    def said(self) -> list[tuple[Question, Any]]:
        """The questions, each with the answer that will count, or None."""
        return [(each, (self.answers or {}).get(each.key)) for each in self.questions]


class HostView(msgspec.Struct, frozen=True):
    """What hosts may know in order to judge. `answered`: who has answered so far; `judged`: the closed rounds with
    all answers; `holdings`: player -> balances of all assets that can be booked; `config`: the present settings."""

    stage: Stage
    round: int
    answered: tuple[str, ...]
    judged: tuple[AnsweredRound, ...]
    holdings: dict[str, dict[str, int]]
    config: Config


# -- public --------------------------------------------------------------------------------------------


def public_view(state: HostState, next_deadline: timedelta | None) -> HostPublic:
    """The board as everyone may see it."""
    core, config, this = state.core, state.config, state.this
    questions = tuple(each.shown(core.handles) for each in this.questions)
    shows_round = core.phase == RUNNING and state.stage in (OPEN, JUDGING)
    current = RoundView(state.round, this.title, this.text, seconds(state.closes), questions) if shows_round else None
    return HostPublic(
        **public_fields(core, next_deadline),
        round=state.round,
        rounds=len(config.rounds),
        stage=state.stage,
        current=current,
        results=tuple(_result(state, number, each) for number, each in enumerate(state.past, 1) if each.posted),
        assets=config.assets,
        holdings={
            asset: {player: balance(core.purses, player, asset) for player in core.handles}
            for asset in config.shared_assets
        },
        out=state.out,
    )


def _result(state: HostState, number: int, closed: Closed) -> ResultView:
    posted, open_to_all = closed.posted or NOT_POSTED, (PRIORITY, *state.config.shared_assets)
    booked = tuple(each for each in posted.book if state.core.phase == FINISHED or each.asset in open_to_all)
    revealed = tuple(_revealed(closed, state.core.handles))
    return ResultView(number, closed.this.title, closed.this.text, posted.text, revealed, booked, posted.out)


def _revealed(closed: Closed, handles: tuple[str, ...]) -> Iterator[RevealedView]:
    for question in closed.this.questions:
        given = {player: said[question.key] for player, said in closed.answers.items() if question.key in said}
        how = (closed.posted or NOT_POSTED).reveal.get(question.key)
        about = (question.key, question.ask, question.kind)
        if how == NAMED:
            yield RevealedView(*about, named=given)
        elif how == COUNTED:
            yield RevealedView(*about, counted=_counts(question, given.values(), handles))


def _counts(question: Question, given: Iterable[Any], handles: tuple[str, ...]) -> dict[str, int]:
    """Answer -> how often it was given, in the order of the options or else of the answers themselves."""
    found: Counter[str] = Counter()
    for value in given:
        if isinstance(value, Mapping):
            found.update(value)
        else:
            found.update(map(str, value if isinstance(value, list | tuple) else (value,)))
    if question.kind in (TEXT, NUMBER):
        order = sorted(found, key=int if question.kind == NUMBER else None)
    else:
        order = list(question.shown(handles).options or ())
    return {each: found[each] for each in order}


# -- players and hosts ---------------------------------------------------------------------------------


def private_view(state: HostState, player: str, now: timedelta | None = None) -> HostPrivate:
    """What this player may know beyond the board."""
    core, box = state.core, state.sealed.get(player)
    can = may_answer(state, player)
    asked = (Ask("answer", f"Answer round {state.round}.", seconds(state.closes)),) if can and box is None else ()
    idle = "If you do nothing, your answers count as they are." if box else "If you do nothing, you answer nothing."
    own = (each for each in _answered(state, (player,)) if each.answers)
    return HostPrivate(
        **private_fields(core, player, asked, idle if can else "", now),
        answers=box.value if box else None,
        answered_at=seconds(box.at) if box else None,
        counted=tuple(own)[::-1],
        own={asset: balance(state.core.purses, player, asset) for asset in state.config.asset_names},
        questions=tuple(each.shown(core.handles, player) for each in state.this.questions) if can else (),
        is_out=player in state.out,
    )


def _answered(state: HostState, players: tuple[str, ...]) -> Iterator[AnsweredRound]:
    """Yield the closed rounds with the answers of these players."""
    for number, closed in enumerate(state.past, 1):
        questions = tuple(each.shown(state.core.handles) for each in closed.this.questions)
        answers = {player: said for player, said in closed.answers.items() if player in players}
        yield AnsweredRound(number, closed.this.title, questions, answers)


def host_view(state: HostState) -> HostView:
    """What hosts may know: who has answered, and the answers of closed rounds."""
    handles = state.core.handles
    answered = tuple(player for player in handles if player in state.sealed)
    assets = (*state.config.asset_names, GARNET, PRIORITY)
    holdings = {player: {each: balance(state.core.purses, player, each) for each in assets} for player in handles}
    return HostView(state.stage, state.round, answered, tuple(_answered(state, handles)), holdings, state.config)


def hosts_asked(state: HostState) -> HostsAsk | None:
    """What the match waits for its hosts to do, and when to remind them; None if it does not wait."""
    if state.stage == JUDGING:
        text, since = f"Post the result of round {state.round}.", state.past[-1].at
    elif state.stage == OVER and state.core.decisions is None:
        text, since = "Say who has won.", state.ended
    else:
        return None
    return HostsAsk(text, seconds(since), seconds(since + state.config.judge_within))


# -- the end -------------------------------------------------------------------------------------------


def score(state: HostState) -> Score:
    """The published result: the balances of the public asset, if there is exactly one, and what hosts posted."""
    core, shared = state.core, state.config.shared_assets
    scores = {player: balance(core.purses, player, shared[0]) for player in core.handles} if len(shared) == 1 else {}
    results = public_view(state, None).results
    return Score(scores, {"rounds": [_published(each) for each in results]})


def _published(result: ResultView) -> dict[str, Any]:
    revealed = {
        each.key: {"named": each.named} if each.counted is None else {"counted": each.counted}
        for each in result.revealed
    }
    booked = msgspec.to_builtins(result.booked)
    return {"title": result.title, "text": result.result, "revealed": revealed, "booked": booked}
