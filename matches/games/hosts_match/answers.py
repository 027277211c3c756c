"""Judges what players answer, in the order of the codes, and keeps it under seal."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from matches.engine import sealed_rounds
from matches.engine.actions import Moves
from matches.engine.core import DECISION, RUNNING, Phase, replace, take_sealed
from matches.engine.errors import MALFORMED, NOTHING_TO_WITHDRAW, WRONG_PHASE, Rejected
from matches.engine.sentences import counted, joined
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
    MISSING_ANSWER: "A question that must be answered has no answer.",
    NOT_AN_OPTION: "That cannot be chosen, or it is chosen twice.",
    OUT_OF_RANGE: "The number is too small or too large.",
    TOO_LONG: "The text is too long.",
    TOO_MANY: "More is chosen than the question allows.",
    BAD_SPLIT: "The amounts do not add up as the question says, or one is below 0.",
}
"""The codes of these rules, beside those of the engine, and what they mean."""

POSSIBLE: dict[Phase, str] = {
    RUNNING: "The play goes on: answer while a round is open. Nothing is to be decided yet.",
    DECISION: "All rounds are over. Only the candidate and surplus tokens are still to be decided.",
}


def answer(turn: Turn, state: HostState, player: str, action: Answer) -> HostState:
    """Seal answers for the open round; they replace earlier ones."""
    if state.stage == OPEN:
        _check_types(state, action.answers)
    _need_open(state, player)
    given = {key: value for key, value in action.answers.items() if _says_something(value)}
    for rule in (_unknown, _missing, _options, _ranges, _lengths, _counts, _splits):
        for key, code, message in rule(state, player, given):
            raise Rejected(code, message, field=f"answers.{key}")
    return sealed_rounds.seal(turn, state, player, _written(state, given))


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
        raise Rejected(WRONG_PHASE, "You are out of this match: you can read on, and answer no more.")


def _check_types(state: HostState, given: dict[str, Value]) -> None:
    """Refuse an answer of a type that its question never takes."""
    for question in state.this.questions:
        value = given.get(question.key)
        if value is None:
            continue
        if not isinstance(value, _TYPES[question.kind]):
            raise Rejected(
                MALFORMED, f"{question.key}: expected {_EXPECTED[question.kind]}.", field=f"answers.{question.key}"
            )
        if isinstance(value, str) and not all(letter.isprintable() or letter in "\r\n\t" for letter in value):
            message = f"{question.key}: the text has characters that cannot be shown."
            raise Rejected(MALFORMED, message, field=f"answers.{question.key}")


_TYPES: dict[str, Any] = {TEXT: str, NUMBER: int, CHOICE: (str, tuple), PLAYER: (str, tuple), SPLIT: dict}
_EXPECTED = {
    TEXT: "text",
    NUMBER: "a whole number",
    CHOICE: "the name of an option, or a list of names",
    PLAYER: "the handle of a player, or a list of handles",
    SPLIT: "whole amounts by name",
}

_MOST_NAMED, _LONGEST_NAMED = 12, 400

Given = dict[str, Value]
Faults = Iterator[tuple[str, str, str]]
"""Key, code and message of what breaks a rule."""


def _says_something(value: Value) -> bool:
    """Whether it is an answer: an empty text or list is none, but sharing nothing is one."""
    return bool(value.strip() if isinstance(value, str) else value != ())


def _unknown(state: HostState, player: str, given: Given) -> Faults:
    for key in given:
        if key not in state.this.keys:
            asked = joined(state.this.keys) if state.this.keys else "nothing"
            yield key, UNKNOWN_QUESTION, f"This round asks {asked}."


def _missing(state: HostState, player: str, given: Given) -> Faults:
    for question in state.this.questions:
        if question.key not in given and question.is_needed(state.core.handles, player):
            yield question.key, MISSING_ANSWER, f"“{' '.join(question.ask.split())}” needs an answer."


def _asked(state: HostState, given: Given, *kinds: str) -> Iterator[tuple[Question, Any]]:
    for question in state.this.questions:
        if question.kind in kinds and question.key in given:
            yield question, given[question.key]


def _options(state: HostState, player: str, given: Given) -> Faults:
    for question, value in _asked(state, given, CHOICE, PLAYER, SPLIT):
        options, names = question.options_for(state.core.handles, player), _names(value)
        if len(set(names)) < len(names) or not set(names) <= set(options):
            these = joined(options, "or") if len(options) <= _MOST_NAMED else f"the {len(options)} options"
            yield question.key, NOT_AN_OPTION, f"Choose among these, each once: {these[:_LONGEST_NAMED]}."


def _names(value: Value) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value) if isinstance(value, tuple | dict) else ()


def _ranges(state: HostState, player: str, given: Given) -> Faults:
    for question, value in _asked(state, given, NUMBER):
        least, most = question.bounds
        if not least <= value <= most:
            yield question.key, OUT_OF_RANGE, f"Answer with a whole number from {least} to {most}."


def _lengths(state: HostState, player: str, given: Given) -> Faults:
    for question, value in _asked(state, given, TEXT):
        if len(_lines(value)) > question.longest_text:
            yield question.key, TOO_LONG, f"Answer with at most {counted(question.longest_text, 'character')}."


def _counts(state: HostState, player: str, given: Given) -> Faults:
    for question, value in _asked(state, given, CHOICE, PLAYER):
        if len(_names(value)) > question.most_chosen:
            yield question.key, TOO_MANY, f"Choose at most {question.most_chosen}."


def _splits(state: HostState, player: str, given: Given) -> Faults:
    for question, value in _asked(state, given, SPLIT):
        total, shared = question.total or 0, sum(value.values())
        if min(value.values(), default=0) < 0 or shared > total or (question.exactly and shared != total):
            most = f"exactly {total}" if question.exactly else f"at most {total}"
            yield question.key, BAD_SPLIT, f"Share amounts of 0 or more that add up to {most}."


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _written(state: HostState, given: Given) -> Answers:
    """The answers as they are kept: in the order of the questions and of their options."""
    return {
        question.key: _kept(question, given[question.key], state.core.handles)
        for question in state.this.questions
        if question.key in given
    }


def _kept(question: Question, value: Any, handles: tuple[str, ...]) -> Any:
    if question.kind == TEXT:
        return _lines(value)
    if question.kind == NUMBER:
        return value
    options = [each for each in question.options_for(handles) if each in _names(value)]
    if question.kind == SPLIT:
        return {option: value[option] for option in options}
    return options if question.most_chosen > 1 else options[0]


def closes_at(state: HostState) -> timedelta | None:
    """When what players can answer now closes; None if there is nothing."""
    return state.closes if state.core.phase == RUNNING and state.stage == OPEN and state.this.questions else None


def may_answer(state: HostState, player: str) -> bool:
    """Whether this player can answer now."""
    return closes_at(state) is not None and player not in state.out
