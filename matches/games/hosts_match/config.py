"""The settings that hosts write: the rules, the match's own assets, and rounds of questions; and what is wrong with
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import chain, count
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from matches.engine.core import BLOOD_GARNET, GARNET, PRIORITY, TOL
from matches.engine.match_time import DAY, parse_duration, seconds, spell
from matches.engine.sentences import joined
from matches.engine.settings import Choice, Data, Flag, Roster, Settings, Span, on_credit, time_to_decide

MOST_ROUNDS, MOST_ASSETS, MOST_QUESTIONS, MOST_OPTIONS = 30, 6, 20, 60
LONGEST_RULES, LONGEST_TEXT, LONGEST_ASK, LONGEST_OPTION, LONGEST_TITLE, LONGEST_NAME = 20_000, 5_000, 500, 100, 80, 30
LARGEST = 10**9

TEXT, NUMBER, CHOICE, PLAYER, SPLIT = "text", "number", "choice", "player", "split"
OTHERS, ALL = ("others",), ("all",)
Whole = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
Names = str | tuple[str, ...]

USES = {
    TEXT: ("longest",),
    NUMBER: ("least", "most"),
    CHOICE: ("options", "most"),
    PLAYER: ("among", "most"),
    SPLIT: ("total", "between", "exactly"),
}
"""Kind of question -> its fields besides `key`, `ask`, `kind` and `optional`."""
_USUAL: dict[str, dict[str, Any]] = {
    TEXT: {"longest": 2000},
    NUMBER: {"least": 0, "most": 1_000_000},
    CHOICE: {"most": 1},
    PLAYER: {"most": 1, "among": OTHERS},
}


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A question. Fields that are left out have the default of its kind, or its kind does not have them."""

    ask: str
    key: Annotated[str, Meta(pattern="^[a-z0-9_]{0,30}$")] = ""
    kind: Literal["text", "number", "choice", "player", "split"] = "text"
    optional: bool = False
    longest: Annotated[int, Meta(ge=1, le=2000)] | None = None
    least: Whole | None = None
    most: Whole | None = None
    options: tuple[str, ...] | None = None
    among: Names | None = None
    total: Annotated[int, Meta(ge=1, le=LARGEST)] | None = None
    between: Names | None = None
    exactly: bool | None = None

    def shown(self, handles: Sequence[str], player: str | None = None) -> Question:
        """The question with all defaults filled in, and with `options` for everything that this player (or anybody) can
        choose or share between. If there is nothing to choose, the answer is optional."""
        usual = {name: value for name, value in _USUAL.get(self.kind, {}).items() if getattr(self, name) is None}
        filled = msgspec.structs.replace(self, **usual)
        if self.kind in (TEXT, NUMBER):
            return filled
        named = names_of(filled.options or filled.among or filled.between)
        if named in (OTHERS, ALL):
            options = tuple(each for each in handles if each != player or named == ALL)
        else:
            options = tuple(each for each in named if self.kind != PLAYER or each in handles)
        optional = self.optional or not options
        return msgspec.structs.replace(filled, options=options, among=None, between=None, optional=optional)


def names_of(names: Names | None) -> tuple[str, ...]:
    """The names as a tuple; empty for None."""
    return (names,) if isinstance(names, str) else names or ()


class Round(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round: what everybody reads while it is open, how long it is open, and its questions."""

    title: str = ""
    text: str = ""
    length: str | float = "24h"
    questions: tuple[Question, ...] = ()

    @property
    def span(self) -> timedelta:
        """Its length in match time."""
        return parse_duration(self.length)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of its questions."""
        return tuple(question.key for question in self.questions)

    def tidy(self) -> Round:
        """The round with its length in canonical form, and with a key for each question."""
        length, questions = self.span, list[Question]()
        for question in self.questions:
            words = "_".join(re.findall(r"[a-z0-9]+", question.ask.lower())[:3])[:24] or "question"
            taken = {*self.keys, *(each.key for each in questions)}
            numbered = (f"{words}_{number}" for number in count(len(questions) + 1))
            key = question.key or next(each for each in chain([words], numbered) if each not in taken)
            questions.append(msgspec.structs.replace(question, key=key))
        spelled = float(seconds(length)) if length.microseconds else spell(length)
        return msgspec.structs.replace(self, length=spelled, questions=tuple(questions))


class Asset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An asset of this match alone. `start`: how much every player has at first; `shown`: whether everybody sees all
    balances (`public`), or each player only their own (`own`)."""

    name: str
    start: Annotated[int, Meta(ge=0, le=LARGEST)] = 0
    shown: Literal["own", "public"] = "own"


# -- reading -------------------------------------------------------------------------------------------

Fault = tuple[str, str]
"""A path in what is read, and a message, which is empty if nothing is wrong there."""


def untidy(text: str, longest: int, *, lines: bool = False) -> str:
    """Why a text cannot be shown; empty if it can. `lines`: whether it may have several lines."""
    if len(text) > longest:
        return f"is {len(text)} characters long; expected at most {longest}"
    if not all(letter.isprintable() or (lines and letter in "\n\t") for letter in text):
        return "has characters that cannot be displayed"
    return "" if text == text.strip() else "begins or ends with a space"


def round_faults(this: Round) -> Iterator[Fault]:
    """Yield the possible faults of a round."""
    yield ".title", untidy(this.title, LONGEST_TITLE)
    yield ".text", untidy(this.text, LONGEST_TEXT, lines=True)
    try:
        yield ".length", "" if this.span else "must be longer than 0"
    except ValueError as error:
        yield ".length", str(error)
    if len(this.questions) > MOST_QUESTIONS:
        yield ".questions", f"a round has at most {MOST_QUESTIONS} questions"
    for place, question in enumerate(this.questions):
        where = f".questions[{place}]"
        if question.key and question.key in this.keys[:place]:
            yield f"{where}.key", f"two questions of this round have the key {question.key}"
        yield from ((f"{where}.{name}", said) for name, said in _question_faults(question))


def _question_faults(question: Question) -> Iterator[Fault]:
    yield "ask", untidy(question.ask, LONGEST_ASK, lines=True) or ("" if question.ask else "missing")
    for name in dict.fromkeys(name for names in USES.values() for name in names):
        if getattr(question, name) is not None and name not in USES[question.kind]:
            yield name, f"does not belong to a question of the kind {question.kind}"
    for kind, name in ((CHOICE, "options"), (SPLIT, "between"), (SPLIT, "total")):
        if question.kind == kind and getattr(question, name) is None:
            yield name, "missing"
    filled = question.shown(())
    if question.kind == NUMBER and (filled.least or 0) > (filled.most or 0):
        yield "most", "expected a number that is not below the least"
    if question.kind in (CHOICE, PLAYER) and not 1 <= (filled.most or 0) <= MOST_OPTIONS:
        yield "most", f"expected a whole number from 1 to {MOST_OPTIONS}"
    for name in ("options", "among", "between"):
        names = names_of(getattr(question, name))
        if getattr(question, name) is not None and not 1 <= len(set(names)) == len(names) <= MOST_OPTIONS:
            yield name, f"expected 1 to {MOST_OPTIONS} different names"
        for each in names:
            yield name, untidy(each, LONGEST_OPTION) or ("" if each else "expected names that are not empty")


def _asset_faults(assets: Sequence[Asset]) -> Iterator[Fault]:
    for place, asset in enumerate(assets):
        path, name = f"[{place}].name", asset.name
        yield path, untidy(name, LONGEST_NAME) or ("" if name else "missing")
        if name.lower() in (GARNET, PRIORITY, TOL, BLOOD_GARNET) or ":" in name:
            yield path, "is already the name of something else; choose another name"
        if name in [each.name for each in assets[:place]]:
            yield path, f"two assets are called {name}"


class Written(Data, frozen=True, kw_only=True):
    """Base of the settings that hosts write."""

    def refuse_first(self, faults: Iterator[Fault]) -> None:
        """Raise `ConfigError` for the first of these faults with a message, if there is one."""
        for path, said in faults:
            if said:
                raise self.refuse_at(path, said)


class RulesText(Written, frozen=True, kw_only=True):
    """A setting for the rules in the host's own words."""

    def read(self, raw: object) -> str:
        text: str = super().read(raw).strip()
        self.refuse_first(iter([("", untidy(text, LONGEST_RULES, lines=True))]))
        return text


class Assets(Written, frozen=True, kw_only=True):
    """A setting for the match's own assets."""

    def read(self, raw: object) -> tuple[Asset, ...]:
        assets: tuple[Asset, ...] = super().read(raw)
        if len(assets) > MOST_ASSETS:
            raise self.refuse(f"a match has at most {MOST_ASSETS} assets of its own")
        self.refuse_first(_asset_faults(assets))
        return assets


class Rounds(Written, frozen=True, kw_only=True):
    """A setting for the rounds. Errors say which round and question is wrong."""

    def read(self, raw: object) -> tuple[Round, ...]:
        rounds: tuple[Round, ...] = super().read(raw)
        if not 1 <= len(rounds) <= MOST_ROUNDS:
            raise self.refuse(f"expected 1 to {MOST_ROUNDS} rounds")
        for place, this in enumerate(rounds):
            self.refuse_first((f"[{place}]{path}", said) for path, said in round_faults(this))
        return tuple(this.tidy() for this in rounds)


# -- config --------------------------------------------------------------------------------------------

AT_ONCE, USUAL_HOUR = "at_once", "usual_hour"


class Config(Settings, frozen=True, kw_only=True):
    """The settings of one match."""

    rules: Annotated[
        str,
        RulesText("Rules", "What players read. You can use blank lines, lists, *emphasis* and links."),
    ] = ""
    assets: Annotated[tuple[Asset, ...], Assets("Own assets", "What players hold only in this match.")] = ()
    rounds: Annotated[tuple[Round, ...], Rounds("Rounds", "In order, each with its questions.")] = (
        Round(questions=(Question("What do you do?", "answer"),)),
    )
    opens: Annotated[
        str,
        Choice(
            "Next round opens",
            "When hosts post the result of the round before, or at the start of the match's next day.",
            choices=(AT_ONCE, USUAL_HOUR),
            said=("at once", "at the start of the next day"),
        ),
    ] = AT_ONCE
    judge_within: Annotated[
        timedelta, Span("Hosts judge within", "Hosts get a reminder after this time, but no deadline.", positive=True)
    ] = 2 * DAY
    winners_decide: Annotated[
        bool, Flag("Winners decide", "Whether winners choose the candidate when hosts name several.")
    ] = True
    garnet_credit: Annotated[bool, on_credit("what hosts record")] = False
    decision_time: Annotated[timedelta, time_to_decide("the candidate and surplus Tokens of Life")] = DAY

    def unusual(self, roster: Roster) -> tuple[str, ...]:
        handles = [entrant.handle for entrant in roster]
        strangers = dict.fromkeys(name for each in self.rounds for name in strangers_in(each, handles) if handles)
        who = "somebody who does" if len(strangers) == 1 else "people who do"
        named = f"The questions name {who} not play in this match: {joined(strangers)}." if strangers else ""
        return tuple(filter(None, (named, "" if self.rules else "There are no rules yet for players to read.")))

    @property
    def asset_names(self) -> tuple[str, ...]:
        """The names of the match's own assets."""
        return tuple(asset.name for asset in self.assets)

    @property
    def shared_assets(self) -> tuple[str, ...]:
        """The names of its own assets whose balances are public."""
        return tuple(asset.name for asset in self.assets if asset.shown == "public")


def strangers_in(this: Round, handles: Sequence[str]) -> tuple[str, ...]:
    """The names in a round's questions that should be players but are not."""
    named: Any = (names_of(question.among) for question in this.questions)
    return tuple(name for names in named if names not in (OTHERS, ALL) for name in names if name not in handles)
