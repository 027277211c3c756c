"""What a season tells, in plain sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from matches.engine.sentences import asset_unit, joined

Name = Callable[[str], str]
"""A handle -> the name to show."""

Title = Callable[[str], str]
"""The key of a match -> its title."""

Data = Mapping[str, Any]


def in_words(kind: str, data: Data, name: Name, title: Title) -> str:
    """One announcement in one or a few sentences."""
    return _SENTENCES[kind](data, name, title)


def _because(data: Data) -> str:
    return f" Reason: {data['reason']}" if data.get("reason") else ""


def _season_began(data: Data, name: Name, title: Title) -> str:
    return f"The season has begun with {joined(map(name, data['members']))}."


def _match_began(data: Data, name: Name, title: Title) -> str:
    return f"“{title(data['match'])}” has begun{', as the Death Match' if data['death_match'] else ''}."


def _match_settled(data: Data, name: Name, title: Title) -> str:
    winners = joined(map(name, data["winners"])) if data["winners"] else "nobody"
    said = f"“{title(data['match'])}” is settled. Won by {winners}."
    if data["candidates"]:
        said += f" In danger: {joined(map(name, data['candidates']))}."
    return said


def _match_void(data: Data, name: Name, title: Title) -> str:
    return f"“{title(data['match'])}” was cancelled; everybody has back what they brought."


def _confirm_asked(data: Data, name: Name, title: Title) -> str:
    return f"“{title(data['match'])}” is over. Confirm its settlement, so that the season goes on."


def _opponent_asked(data: Data, name: Name, title: Title) -> str:
    who = name(data["candidate"])
    by = who if data["by"] == "candidate" else "a host"
    return f"{who} goes to the Death Match. The opponent is named by {by}."


def _name_opponent(data: Data, name: Name, title: Title) -> str:
    return f"Name your opponent in the Death Match: {joined(map(name, data['options']))}. If you do not, one is drawn."


def _name_opponent_asked(data: Data, name: Name, title: Title) -> str:
    return f"Name the opponent of {name(data['candidate'])} in the Death Match. If no host does, one is drawn."


def _decision_extended(data: Data, name: Name, title: Title) -> str:
    away = f"The site did not work from {data['from']} until {data['to']}"
    return f"{away}, and the time to name an opponent ended in that. One can be named until {data['ends']} instead."


def _death_match(data: Data, name: Name, title: Title) -> str:
    pair = joined(map(name, data["between"]))
    how = {
        "both_candidates": "They are the candidates.",
        "only_one": "Nobody else could become the opponent.",
        "named": f"The opponent was named by {name(data['by']) if data.get('by') else 'a host'}.",
        "drawn": "The opponent was drawn, because nobody was named in time.",
    }[data["how"]]
    return f"{pair} meet in the Death Match. {how}"


def _result_asked(data: Data, name: Name, title: Title) -> str:
    return f"The Death Match of {joined(map(name, data['between']))} has no single winner. Book who lost."


def _death_match_lost(data: Data, name: Name, title: Title) -> str:
    return f"{name(data['loser'])} has lost the Death Match to {joined(map(name, data['winners']))}."


def _went_out(data: Data, name: Name, title: Title) -> str:
    return f"{name(data['player'])} is out, in place {data['place']}.{_because(data)}"


def _withdrew(data: Data, name: Name, title: Title) -> str:
    return f"{name(data['player'])} has withdrawn.{_because(data)}"


def _person_changed(data: Data, name: Name, title: Title) -> str:
    who = {"person": "Somebody else plays", "bot": "A bot plays", "nobody": "Nobody plays"}[data["who"]]
    return f"{who} as {name(data['player'])} from now on.{_because(data)}"


def _corrected(data: Data, name: Name, title: Title) -> str:
    amount = str(data["amount"])
    sign = "" if amount.startswith(("-", "+")) else "+"
    return f"A host has corrected your account: {sign}{amount} {asset_unit(data['asset'])}.{_because(data)}"


def _growth_switched(data: Data, name: Name, title: Title) -> str:
    if data["match"] is None:
        return "Blood garnets do not grow any more."
    return f"Blood garnets grow by a tenth every 24 hours after the pregame of “{title(data['match'])}”."


def _season_ended(data: Data, name: Name, title: Title) -> str:
    winners = data["winners"]
    if not winners:
        return "The season has ended, and nobody is left in it."
    won = "wins" if len(winners) == 1 else "share the first place"
    return f"The season has ended. {joined(map(name, winners))} {won}."


_SENTENCES: dict[str, Callable[[Data, Name, Title], str]] = {
    "season_began": _season_began,
    "match_began": _match_began,
    "match_settled": _match_settled,
    "match_void": _match_void,
    "confirm_asked": _confirm_asked,
    "opponent_asked": _opponent_asked,
    "name_opponent": _name_opponent,
    "name_opponent_asked": _name_opponent_asked,
    "decision_extended": _decision_extended,
    "death_match": _death_match,
    "result_asked": _result_asked,
    "death_match_lost": _death_match_lost,
    "went_out": _went_out,
    "withdrew": _withdrew,
    "person_changed": _person_changed,
    "corrected": _corrected,
    "growth_switched": _growth_switched,
    "season_ended": _season_ended,
}

REASONS = {
    "opening": "Opening balance",
    "brought": "Brought into the match",
    "returned": "Back from the match",
    "cancelled": "Back from the match, which was cancelled",
    "growth": "Blood garnets grow",
    "correction": "Correction by a host",
    "lost": "Lost on going out",
    "taken_over": "Goes to the winner of the Death Match",
}
"""Why something moved, in words for statements."""
