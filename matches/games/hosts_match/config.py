"""What hosts write: the rules, the match's own assets, and rounds of questions; and which of it cannot be played."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Annotated, Literal

import msgspec

from matches.engine.core import BLOOD_GARNET, GARNET, PRIORITY, TOL
from matches.engine.match_time import DAY, parse_duration, seconds, spell
from matches.engine.sentences import joined
from matches.engine.settings import Choice, Data, Flag, Roster, Settings, Span, on_credit, time_to_decide

MOST_ROUNDS = 30
MOST_ASSETS = 6
MOST_QUESTIONS = 20
MOST_OPTIONS = 60
LONGEST_RULES = 20_000
LONGEST_TEXT = 5_000
LONGEST_TITLE = 80
LONGEST_ASK = 500
LONGEST_OPTION = 100
LONGEST_NAME = 30
LARGEST = 10**9

TEXT, NUMBER, CHOICE, PLAYER, SPLIT = "text", "number", "choice", "player", "split"
Kind = Literal["text", "number", "choice", "player", "split"]
OTHERS, ALL = "others", "all"

_KEY = re.compile(r"[a-z0-9_]{1,30}", re.ASCII)
_BELONGS = {
    TEXT: ("longest",),
    NUMBER: ("least", "most"),
    CHOICE: ("options", "most"),
    PLAYER: ("among", "most"),
    SPLIT: ("total", "between", "exactly"),
}
"""Kind of question -> what is said of it besides its key, its text, and whether it is optional."""


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A question; of what is None the kind has a usual value, or it does not belong to the kind."""

    key: str
    ask: str
    kind: Kind = "text"
    optional: bool = False
    longest: int | None = None
    least: int | None = None
    most: int | None = None
    options: tuple[str, ...] | None = None
    among: str | tuple[str, ...] | None = None
    total: int | None = None
    between: str | tuple[str, ...] | None = None
    exactly: bool | None = None

    @property
    def longest_text(self) -> int:
        """How many characters an answer may have."""
        return 2000 if self.longest is None else self.longest

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest number that is taken."""
        return (self.least or 0, 1_000_000 if self.most is None else self.most)

    @property
    def most_chosen(self) -> int:
        """How many may be chosen."""
        return self.most or 1

    @property
    def others_only(self) -> bool:
        """Whether players cannot choose themselves."""
        return (self.kind == PLAYER and self.among is None) or OTHERS in (self.among, self.between)

    def options_for(self, handles: Sequence[str], player: str | None = None) -> tuple[str, ...]:
        """What can be chosen, or shared between, by a player; without one, by anybody."""
        named = self.options if self.kind == CHOICE else self.among or OTHERS if self.kind == PLAYER else self.between
        if isinstance(named, str):
            return tuple(each for each in handles if each != player or not self.others_only)
        found = named or ()
        return tuple(each for each in found if each in handles) if self.kind == PLAYER else found

    def is_needed(self, handles: Sequence[str], player: str) -> bool:
        """Whether an answer of this player must contain it: nobody must choose where nothing is left to choose."""
        has_options = self.kind in (TEXT, NUMBER) or bool(self.options_for(handles, player))
        return not self.optional and has_options


class Round(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round: what everybody reads while it is open, how long that is, and its questions."""

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


class Asset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that is counted in this match alone. `start`: what every player has at first; `shown`: whether
    everybody sees who has how much, or each player their own."""

    name: str
    start: int = 0
    shown: Literal["public", "own"] = "own"

    @property
    def is_public(self) -> bool:
        return self.shown == "public"


# -- reading -------------------------------------------------------------------------------------------
# `Refuse` makes the error at a path; hosts who change a round get the same sentences as hosts who make a match.


def untidy(text: str, longest: int, *, lines: bool = False) -> str:
    """Why a text cannot be shown; empty if it can. `lines`: whether it may have several."""
    if len(text) > longest:
        return f"is {len(text)} characters long; expected at most {longest}"
    if not all(letter.isprintable() or (lines and letter in "\n\t") for letter in text):
        return "has characters that cannot be shown"
    return "" if text == text.strip() else "begins or ends with an empty space"


def round_fault(this: Round) -> tuple[str, str] | None:
    """What is wrong with a round: the path in it, and the message; None if it can be played."""
    for path, text, longest, lines in (
        (".title", this.title, LONGEST_TITLE, False),
        (".text", this.text, LONGEST_TEXT, True),
    ):
        if said := untidy(text, longest, lines=lines):
            return path, said
    try:
        if not this.span:
            return ".length", "must be longer than 0"
    except ValueError as error:
        return ".length", str(error)
    if len(this.questions) > MOST_QUESTIONS:
        return ".questions", f"a round has at most {MOST_QUESTIONS} questions"
    for place, question in enumerate(this.questions):
        if question.key in this.keys[:place]:
            return f".questions[{place}].key", f"two questions of this round have the key {question.key}"
        if found := _question_fault(question):
            return f".questions[{place}]{found[0]}", found[1]
    return None


def _question_fault(question: Question) -> tuple[str, str] | None:
    if not _KEY.fullmatch(question.key):
        return ".key", "expected up to 30 small letters a to z, digits and _"
    if said := untidy(question.ask, LONGEST_ASK, lines=True) or ("" if question.ask else "missing"):
        return ".ask", said
    belongs = _BELONGS[question.kind]
    for name in ("longest", "least", "most", "options", "among", "total", "between", "exactly"):
        if getattr(question, name) is not None and name not in belongs:
            return f".{name}", f"does not belong to a question of the kind {question.kind}"
    return _bounds_fault(question) or _options_fault(question)


def _bounds_fault(question: Question) -> tuple[str, str] | None:
    for name, lowest, highest in (("longest", 1, 2000), ("total", 1, LARGEST)):
        number = getattr(question, name)
        if number is not None and not lowest <= number <= highest:
            return f".{name}", f"expected a whole number from {lowest} to {highest}"
    if question.kind == NUMBER:
        least, most = question.bounds
        if not -LARGEST <= least <= most <= LARGEST:
            return ".most", f"expected whole numbers from {-LARGEST} to {LARGEST}, the most no less than the least"
    elif question.most is not None and not 1 <= question.most <= MOST_OPTIONS:
        return ".most", f"expected a whole number from 1 to {MOST_OPTIONS}"
    return (".total", "missing") if question.kind == SPLIT and question.total is None else None


def _options_fault(question: Question) -> tuple[str, str] | None:
    for name in ("options", "among", "between"):
        found = getattr(question, name)
        if isinstance(found, str) and found not in (OTHERS, ALL):
            return f".{name}", f'expected "{OTHERS}", "{ALL}", or a list of names'
        if not isinstance(found, tuple):
            continue
        if not 1 <= len(found) <= MOST_OPTIONS or len(set(found)) != len(found):
            return f".{name}", f"expected 1 to {MOST_OPTIONS} different names"
        for option in found:
            if said := untidy(option, LONGEST_OPTION) or ("" if option else "is empty"):
                return f".{name}", f"one of them {said}"
    return (".options", "missing") if question.kind == CHOICE and question.options is None else None


class RulesText(Data, frozen=True, kw_only=True):
    """The rules in the host's own words."""

    def read(self, raw: object) -> str:
        text: str = super().read(raw)
        if said := untidy(text.strip(), LONGEST_RULES, lines=True):
            raise self.refuse(said)
        return text.strip()


class Assets(Data, frozen=True, kw_only=True):
    """The match's own assets."""

    def read(self, raw: object) -> tuple[Asset, ...]:
        assets: tuple[Asset, ...] = super().read(raw)
        if len(assets) > MOST_ASSETS:
            raise self.refuse(f"a match has at most {MOST_ASSETS} assets of its own")
        for place, asset in enumerate(assets):
            if said := untidy(asset.name, LONGEST_NAME) or ("" if asset.name else "missing"):
                raise self.refuse_at(f"[{place}].name", said)
            if asset.name.lower() in (GARNET, PRIORITY, TOL, BLOOD_GARNET) or ":" in asset.name:
                raise self.refuse_at(f"[{place}].name", "is the name of something else")
            if asset.name in [each.name for each in assets[:place]]:
                raise self.refuse_at(f"[{place}].name", f"two assets are called {asset.name}")
            if not 0 <= asset.start <= LARGEST:
                raise self.refuse_at(f"[{place}].start", f"expected a whole number from 0 to {LARGEST}")
        return assets


class Rounds(Data, frozen=True, kw_only=True):
    """The rounds in their order; errors say which round and question is wrong."""

    def read(self, raw: object) -> tuple[Round, ...]:
        rounds: tuple[Round, ...] = super().read(raw)
        if not 1 <= len(rounds) <= MOST_ROUNDS:
            raise self.refuse(f"expected 1 to {MOST_ROUNDS} rounds")
        for place, this in enumerate(rounds):
            if found := round_fault(this):
                raise self.refuse_at(f"[{place}]{found[0]}", found[1])
        return tuple(map(tidy, rounds))


def tidy(this: Round) -> Round:
    """The same round, its length spelled in one way."""
    span = this.span
    return msgspec.structs.replace(this, length=float(seconds(span)) if span.microseconds else spell(span))


# -- config --------------------------------------------------------------------------------------------

AT_ONCE, USUAL_HOUR = "at_once", "usual_hour"


class Config(Settings, frozen=True, kw_only=True):
    """The settings of one match."""

    rules: Annotated[
        str,
        RulesText("Rules", "What players read as the rules of this match. Blank lines, lists, *emphasis*, and links."),
    ] = ""
    assets: Annotated[tuple[Asset, ...], Assets("Own assets", "What is counted in this match alone.")] = ()
    rounds: Annotated[tuple[Round, ...], Rounds("Rounds", "In their order, each with its questions.")] = (
        Round("", "", "24h", (Question("answer", "What do you do?"),)),
    )
    opens: Annotated[
        str,
        Choice(
            "Next round opens",
            "When the result of the last is posted, or at the next full day of match time after that.",
            choices=(AT_ONCE, USUAL_HOUR),
        ),
    ] = AT_ONCE
    judge_within: Annotated[
        timedelta, Span("Hosts judge within", "Then hosts are reminded. No deadline of the play.", positive=True)
    ] = 2 * DAY
    winners_decide: Annotated[
        bool, Flag("Winners decide", "Whether winners choose the candidate where hosts name several.")
    ] = True
    garnet_credit: Annotated[bool, on_credit("what hosts book")] = False
    decision_time: Annotated[timedelta, time_to_decide("the candidate and surplus Tokens of Life")] = DAY

    def unusual(self, roster: Roster) -> tuple[str, ...]:
        handles = [entrant.handle for entrant in roster]
        strangers = dict.fromkeys(_named_players(self.rounds, handles)) if handles else {}
        named = f"Questions name {joined(strangers)}, who do not play in this match." if strangers else ""
        return tuple(filter(None, (named, "" if self.rules else "There are no rules yet for players to read.")))

    @property
    def asset_names(self) -> tuple[str, ...]:
        """The names of its own assets."""
        return tuple(asset.name for asset in self.assets)

    @property
    def shared_assets(self) -> tuple[str, ...]:
        """Those of which everybody sees who has how much."""
        return tuple(asset.name for asset in self.assets if asset.is_public)


def _named_players(rounds: Sequence[Round], handles: Sequence[str]) -> Iterator[str]:
    """Those whom questions name as players and who do not play."""
    for question in (question for each in rounds for question in each.questions):
        if isinstance(question.among, tuple):
            yield from (name for name in question.among if name not in handles)


def strangers_in(this: Round, handles: Sequence[str]) -> tuple[str, ...]:
    """Those whom a round's questions name as players and who do not play."""
    return tuple(_named_players((this,), handles))
