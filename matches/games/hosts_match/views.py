"""What everyone, each player and the hosts may know. Only this module shows anything of a state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Any

import msgspec

from matches.engine.core import FINISHED, PRIORITY, RUNNING, balance
from matches.engine.match_time import seconds
from matches.engine.sentences import asset_name, counted
from matches.engine.views import (
    Ask,
    HostsAsk,
    MatchTime,
    PrivateView,
    PublicView,
    Score,
    WhoLeads,
    private_fields,
    public_fields,
)
from matches.games.hosts_match.answers import may_answer
from matches.games.hosts_match.config import CHOICE, NUMBER, SPLIT, TEXT, Asset, Question
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
    Stage,
)


class QuestionView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question. `options`: what can be chosen, or shared between; `least` and `most`: of a number; `most_chosen`: how
    many can be chosen; `total`: what is shared, `exactly` all of it or up to it."""

    key: str
    ask: str
    kind: str
    optional: bool = False
    longest: int = 0
    least: int = 0
    most: int = 0
    options: tuple[str, ...] = ()
    most_chosen: int = 0
    total: int = 0
    exactly: bool = False


class RoundView(msgspec.Struct, frozen=True):
    """A round that has opened; `closes_at` is when it closes or has closed."""

    number: int
    title: str
    text: str
    closes_at: MatchTime
    questions: tuple[QuestionView, ...]


class RevealedView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is revealed of the answers to a question. `named`: player -> answer, in list order; `counts`: how often each
    answer was given, and of what was shared how much went to each."""

    key: str
    ask: str
    kind: str
    named: dict[str, Any] | None = None
    counts: dict[str, int] | None = None


class BookedView(msgspec.Struct, frozen=True):
    """An entry that everybody may know."""

    player: str
    asset: str
    amount: int


class ResultView(msgspec.Struct, frozen=True):
    """A round with its result."""

    number: int
    title: str
    text: str
    result: str
    revealed: tuple[RevealedView, ...]
    booked: tuple[BookedView, ...]
    out: tuple[str, ...]


class HostPublic(PublicView, frozen=True, kw_only=True):
    """The board. `round` counts from 1, the match has `rounds` of them; `stage`: whether it is `waiting` to open,
    `open`, being judged (`judging`), or the play is `over`. `current`: the round that is open or judged; `results`: of
    those whose result is posted, first to last. `holdings`: asset -> player -> amount of what everybody sees; `out`:
    who can answer no more.
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
    def newest_first(self) -> tuple[ResultView, ...]:
        """The results, the latest first."""
        return self.results[::-1]

    @property
    def rows(self) -> list[tuple[str, list[tuple[str, int]], bool]]:
        """Everybody with what they visibly hold, and whether they are out."""
        handles = [line.handle for line in self.players]
        return [
            (handle, [(asset, held[handle]) for asset, held in self.holdings.items()], handle in self.out)
            for handle in handles
        ]

    @property
    def who_leads(self) -> WhoLeads:
        """Who has most of the one asset that everybody sees, if there is one."""
        if len(self.holdings) != 1:
            return WhoLeads()
        asset, held = next(iter(self.holdings.items()))
        most = max(held.values())
        if not most:
            return WhoLeads()
        leaders = tuple(player for player, amount in held.items() if amount == most)
        lines = {player: asset_name(asset, amount) for player, amount in held.items()}
        return WhoLeads(leaders, f"with {asset_name(asset, most)}", lines)


class SaidView(msgspec.Struct, frozen=True):
    """An own answer, with the question."""

    key: str
    ask: str
    kind: str
    answer: Any


class OwnRound(msgspec.Struct, frozen=True):
    """What a player answered in a round that has closed."""

    number: int
    said: tuple[SaidView, ...]


class HostPrivate(PrivateView, frozen=True, kw_only=True):
    """The player's own: `answers` that will count, sealed at `answered_at`; `counted`: their answers of the rounds
    that have closed, the latest first; `own`: what they have of the match's own
    assets; `questions` of the open round as they may answer them; `is_out`: whether they can answer no more."""

    answers: dict[str, Any] | None
    answered_at: MatchTime | None
    counted: tuple[OwnRound, ...]
    own: dict[str, int]
    questions: tuple[QuestionView, ...]
    is_out: bool

    @property
    def said(self) -> list[tuple[QuestionView, Any]]:
        """The questions with the answers that count, None where there is none."""
        return [(each, (self.answers or {}).get(each.key)) for each in self.questions]


class JudgedView(msgspec.Struct, frozen=True):
    """A closed round as its hosts see it: everybody's answers in the order of the questions."""

    number: int
    title: str
    questions: tuple[QuestionView, ...]
    answers: dict[str, Answers]


class HostView(msgspec.Struct, frozen=True):
    """What hosts may know in order to judge. `answered`: who has answered so far; `judged`: the rounds that have
    closed; `holdings`: player -> own assets; `config`: the rounds as they are by now."""

    stage: Stage
    round: int
    answered: tuple[str, ...]
    judged: tuple[JudgedView, ...]
    holdings: dict[str, dict[str, int]]
    config: Any


# -- public --------------------------------------------------------------------------------------------


def public_view(state: HostState, next_deadline: timedelta | None) -> HostPublic:
    """The board as everyone may see it."""
    core, config = state.core, state.config
    shows_round = core.phase == RUNNING and state.stage in (OPEN, JUDGING)
    return HostPublic(
        **public_fields(core, next_deadline),
        round=state.round,
        rounds=len(config.rounds),
        stage=state.stage,
        current=_round(state) if shows_round else None,
        results=tuple(_result(state, number) for number, each in enumerate(state.past, 1) if each.posted),
        assets=config.assets,
        holdings={
            asset: {player: balance(core.purses, player, asset) for player in core.handles}
            for asset in config.shared_assets
        },
        out=state.out,
    )


def _round(state: HostState) -> RoundView:
    this = state.this
    questions = tuple(_question(each, state.core.handles) for each in this.questions)
    return RoundView(state.round, this.title, this.text, seconds(state.closes), questions)


def _question(question: Question, handles: tuple[str, ...], player: str | None = None) -> QuestionView:
    least, most = question.bounds if question.kind == NUMBER else (0, 0)
    chooses = question.kind not in (TEXT, NUMBER)
    return QuestionView(
        key=question.key,
        ask=question.ask,
        kind=question.kind,
        optional=not question.is_needed(handles, player) if player else question.optional,
        longest=question.longest_text if question.kind == TEXT else 0,
        least=least,
        most=most,
        options=question.options_for(handles, player) if chooses else (),
        most_chosen=question.most_chosen if chooses and question.kind != SPLIT else 0,
        total=question.total or 0,
        exactly=bool(question.exactly),
    )


def _result(state: HostState, number: int) -> ResultView:
    closed = state.past[number - 1]
    posted = closed.posted
    if posted is None:
        raise RuntimeError("this round has no result yet")
    is_over = state.core.phase == FINISHED
    seen = [each for each in posted.book if is_over or each.asset in (PRIORITY, *state.config.shared_assets)]
    return ResultView(
        number,
        closed.this.title,
        closed.this.text,
        posted.text,
        tuple(_revealed(closed, state.core.handles)),
        tuple(BookedView(each.player, each.asset, each.amount) for each in seen),
        posted.out,
    )


def _revealed(closed: Closed, handles: tuple[str, ...]) -> Iterable[RevealedView]:
    reveal = closed.posted.reveal if closed.posted else {}
    for question in closed.this.questions:
        given = {player: said[question.key] for player, said in closed.answers.items() if question.key in said}
        how, about = reveal.get(question.key), (question.key, question.ask, question.kind)
        if how == NAMED:
            yield RevealedView(*about, named=given)
        elif how == COUNTED:
            yield RevealedView(*about, counts=counts_of(question, given.values(), handles))


def counts_of(question: Question, given: Iterable[Any], handles: tuple[str, ...]) -> dict[str, int]:
    """How often each answer was given, in the order of the options or of the answers themselves."""
    found: Counter[str] = Counter()
    for value in given:
        if isinstance(value, Mapping):
            found.update(value)
        else:
            found.update(str(each) for each in (value if isinstance(value, list | tuple) else (value,)))
    if question.kind == TEXT:
        order = sorted(found)
    elif question.kind == NUMBER:
        order = sorted(found, key=int)
    else:
        order = list(question.options_for(handles))
    return {each: found[each] for each in order}


# -- players -------------------------------------------------------------------------------------------


def private_view(state: HostState, player: str, now: timedelta | None = None) -> HostPrivate:
    """What this player may know beyond the board."""
    core, box = state.core, state.sealed.get(player)
    can = may_answer(state, player)
    asked = (Ask("answer", f"Answer round {state.round}.", seconds(state.closes)),) if can and box is None else ()
    idle = "If you do nothing, your answers count as they are." if box else "If you do nothing, you answer nothing."
    questions = tuple(_question(each, core.handles, player) for each in state.this.questions) if can else ()
    return HostPrivate(
        **private_fields(core, player, asked, idle if can else "", now),
        answers=box.value if box else None,
        answered_at=seconds(box.at) if box else None,
        counted=tuple(_own_rounds(state, player))[::-1],
        own={asset: balance(core.purses, player, asset) for asset in state.config.asset_names},
        questions=questions,
        is_out=player in state.out,
    )


def _own_rounds(state: HostState, player: str) -> Iterator[OwnRound]:
    for number, closed in enumerate(state.past, 1):
        if (given := closed.answers.get(player)) is not None:
            asked = [each for each in closed.this.questions if each.key in given]
            yield OwnRound(number, tuple(SaidView(each.key, each.ask, each.kind, given[each.key]) for each in asked))


# -- hosts ---------------------------------------------------------------------------------------------


def host_view(state: HostState) -> HostView:
    """What hosts may know: who has answered, and of rounds that have closed what."""
    core = state.core
    return HostView(
        state.stage,
        state.round,
        tuple(player for player in core.handles if player in state.sealed),
        tuple(
            JudgedView(
                number,
                closed.this.title,
                tuple(_question(each, core.handles) for each in closed.this.questions),
                closed.answers,
            )
            for number, closed in enumerate(state.past, 1)
        ),
        {
            player: {asset: balance(core.purses, player, asset) for asset in state.config.asset_names}
            for player in core.handles
        },
        state.config,
    )


def hosts_asked(state: HostState) -> HostsAsk | None:
    """What the match waits for its hosts to do, and when they are reminded."""
    if state.stage == JUDGING:
        text, since = f"Post the result of round {state.round}.", state.past[-1].at
    elif state.stage == OVER and state.core.decisions is None:
        text, since = "Say who has won.", state.core.time
    else:
        return None
    return HostsAsk(text, seconds(since), seconds(since + state.config.judge_within))


# -- the end -------------------------------------------------------------------------------------------


def score(state: HostState) -> Score:
    """The published result: the one asset that everybody saw, and what was posted."""
    core, shared = state.core, state.config.shared_assets
    scores = {player: balance(core.purses, player, shared[0]) for player in core.handles} if len(shared) == 1 else {}
    return Score(scores, {"rounds": [_told(closed, core.handles) for closed in state.past if closed.posted]})


def _told(closed: Closed, handles: tuple[str, ...]) -> dict[str, Any]:
    book: tuple[Booking, ...] = closed.posted.book if closed.posted else ()
    revealed = {each.key: _said(each) for each in _revealed(closed, handles)}
    return {
        "title": closed.this.title,
        "text": closed.posted.text if closed.posted else "",
        "revealed": revealed,
        "booked": [msgspec.to_builtins(each) for each in book],
    }


def _said(revealed: RevealedView) -> dict[str, Any]:
    return {"named": revealed.named} if revealed.named is not None else {"counted": revealed.counts}


def kinds_in_words(question: QuestionView) -> str:
    """What a player may answer, in a few words."""
    if question.kind == TEXT:
        return f"At most {counted(question.longest, 'character')}."
    if question.kind == NUMBER:
        return f"A whole number from {question.least} to {question.most}."
    if question.kind == SPLIT:
        return f"Share {'exactly' if question.exactly else 'up to'} {question.total}."
    what = "option" if question.kind == CHOICE else "player"
    return f"Choose {what if question.most_chosen == 1 else f'up to {question.most_chosen}'}."
