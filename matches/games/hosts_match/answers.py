"""Judging players' answers, in the order in which the codes are documented, and sealing them."""

from typing import Any

from matches.engine import sealed_rounds
from matches.engine.actions import Moves
from matches.engine.core import DECISION, RUNNING, Phase, replace, take_sealed
from matches.engine.errors import MALFORMED, NOTHING_TO_WITHDRAW, WRONG_PHASE, Rejected
from matches.engine.sentences import joined
from matches.engine.step import Turn
from matches.games.hosts_match.config import CHOICE, NUMBER, PLAYER, SPLIT, TEXT, Question
from matches.games.hosts_match.state import JUDGING, OPEN, WAITING, Answer, Answers, HostState, Value, Withdraw

UNKNOWN_QUESTION = "unknown_question"
MISSING_ANSWER = "missing_answer"
NOT_AN_OPTION = "not_an_option"
OUT_OF_RANGE = "out_of_range"
TOO_LONG = "too_long"
TOO_MANY = "too_many"
BAD_SPLIT = "bad_split"

REFUSALS = {
    UNKNOWN_QUESTION: "This round does not ask that.",
    MISSING_ANSWER: "You have not answered a question that needs an answer.",
    NOT_AN_OPTION: "You cannot choose that, or you chose it twice.",
    OUT_OF_RANGE: "The number is too small or too large.",
    TOO_LONG: "The text is too long.",
    TOO_MANY: "You chose more than the question allows.",
    BAD_SPLIT: "The amounts do not add up as the question says, or one is below 0.",
}

POSSIBLE: dict[Phase, str] = {
    RUNNING: "The play goes on: answer while a round is open. Nothing is to be decided yet.",
    DECISION: "All rounds are over. Only the candidate and surplus tokens are still to be decided.",
}

_TYPES: dict[str, tuple[Any, str]] = {
    TEXT: (str, "text that can be shown"),
    NUMBER: (int, "a whole number"),
    CHOICE: ((str, tuple), "the name of an option, or a list of names"),
    PLAYER: ((str, tuple), "the handle of a player, or a list of handles"),
    SPLIT: (dict, "whole amounts by name"),
}
_MOST_NAMED, _LONGEST_NAMED = 12, 400


def may_answer(state: HostState, player: str) -> bool:
    """Whether the open round asks this player something."""
    return bool(
        state.core.phase == RUNNING and state.stage == OPEN and state.this.questions and player not in state.out
    )


def answer(turn: Turn, state: HostState, player: str, action: Answer) -> HostState:
    """Seal answers for the open round; they replace earlier ones."""
    asked = {each.key: each.shown(turn.handles, player) for each in state.this.questions}
    if state.stage == OPEN:
        _check_types(asked, action.answers)
    _need_open(state, player)
    given = {key: value for key, value in action.answers.items() if _says_something(value)}
    for key in given:
        if key not in asked:
            raise Rejected(UNKNOWN_QUESTION, f"This round asks {joined(asked or ['nothing'])}.", field=f"answers.{key}")
    for key, question in asked.items():
        if key not in given and not question.optional:
            message = f"“{' '.join(question.ask.split())}” needs an answer."
            raise Rejected(MISSING_ANSWER, message, field=f"answers.{key}")
    for code, judge in _RULES.items():
        for key, question in asked.items():
            if key in given and (message := judge(question, given[key])):
                raise Rejected(code, message, field=f"answers.{key}")
    kept: Answers = {key: _kept(question, given[key]) for key, question in asked.items() if key in given}
    return sealed_rounds.seal(turn, state, player, kept)


def withdraw(turn: Turn, state: HostState, player: str, action: Withdraw) -> HostState:
    """Take sealed answers back."""
    _need_open(state, player)
    if player not in state.sealed:
        raise Rejected(NOTHING_TO_WITHDRAW, "You have answered nothing in this round, so there is nothing to withdraw.")
    turn.touch(player)
    return replace(state, sealed=take_sealed(state.sealed, player))


MOVES: Moves = {Answer: answer, Withdraw: withdraw}


def _need_open(state: HostState, player: str) -> None:
    if state.stage == JUDGING:
        raise Rejected(WRONG_PHASE, f"Round {state.round} is closed, and its hosts judge it. Its answers are final.")
    if state.stage == WAITING:
        raise Rejected(WRONG_PHASE, f"Round {state.round} is not open yet. You can answer when it opens.")
    if player in state.out:
        raise Rejected(WRONG_PHASE, "You are out of this match: you can still read, but no longer answer.")


def _check_types(asked: dict[str, Question], given: dict[str, Value]) -> None:
    """Raise `Rejected` for an answer of a type that its question never takes."""
    for key in asked.keys() & given.keys():
        value, (types, expected) = given[key], _TYPES[asked[key].kind]
        shown = not isinstance(value, str) or all(letter.isprintable() or letter in "\r\n\t" for letter in value)
        if not (isinstance(value, types) and shown):
            raise Rejected(MALFORMED, f"{key}: expected {expected}.", field=f"answers.{key}")


def _says_something(value: Value) -> bool:
    """Whether a value counts as an answer: an empty text or list does not, but sharing out nothing does."""
    return bool(value.strip() if isinstance(value, str) else value != ())


def _names(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


# -- rules ---------------------------------------------------------------------------------------------
# Each function returns a message if an answer breaks its rule, otherwise an empty string.


def _not_an_option(question: Question, value: Any) -> str:
    if question.kind in (TEXT, NUMBER):
        return ""
    options, names = question.options or (), _names(value)
    if len(set(names)) == len(names) and set(names) <= set(options):
        return ""
    these = joined(options, "or") if len(options) <= _MOST_NAMED else f"the {len(options)} options"
    return f"Choose among these, each once: {these[:_LONGEST_NAMED]}."


def _out_of_range(question: Question, value: Any) -> str:
    least, most = question.least or 0, question.most or 0
    fits = question.kind != NUMBER or least <= value <= most
    return "" if fits else f"Answer with a whole number from {least} to {most}."


def _too_long(question: Question, value: Any) -> str:
    fits = question.kind != TEXT or len(_lines(value)) <= (question.longest or 0)
    return "" if fits else f"Answer with at most {question.longest} characters."


def _too_many(question: Question, value: Any) -> str:
    fits = question.kind not in (CHOICE, PLAYER) or len(_names(value)) <= (question.most or 1)
    return "" if fits else f"Choose at most {question.most}."


def _bad_split(question: Question, value: Any) -> str:
    if question.kind != SPLIT:
        return ""
    total, shared = question.total or 0, sum(value.values())
    if min(value.values(), default=0) >= 0 and (shared == total or (shared < total and not question.exactly)):
        return ""
    return f"Share amounts of 0 or more that add up to {'exactly' if question.exactly else 'at most'} {total}."


_RULES = {
    NOT_AN_OPTION: _not_an_option,
    OUT_OF_RANGE: _out_of_range,
    TOO_LONG: _too_long,
    TOO_MANY: _too_many,
    BAD_SPLIT: _bad_split,
}


def _kept(question: Question, value: Any) -> Any:
    """An answer as the state keeps it: names in the order of the options."""
    if question.kind in (TEXT, NUMBER):
        return _lines(value) if question.kind == TEXT else value
    chosen = [each for each in question.options or () if each in _names(value)]
    if question.kind == SPLIT:
        return {each: value[each] for each in chosen}
    return chosen if question.most != 1 else chosen[0]
