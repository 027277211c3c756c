"""What a season tells, in plain sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from matches.engine.sentences import asset_name, asset_unit, joined, unmarked

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


def _match_settled(data: Data, name: Name, title: Title) -> str:
    winners = joined(map(name, data["winners"])) if data["winners"] else "nobody"
    said = f"“{title(data['match'])}” is settled. Won by {winners}."
    if data["candidates"]:
        said += f" In danger: {joined(map(name, data['candidates']))}."
    return said


def _opponent_asked(data: Data, name: Name, title: Title) -> str:
    who = name(data["candidate"])
    by = who if data["by"] == "candidate" else "a host"
    return f"{who} goes to the Death Match. {by[0].upper()}{by[1:]} names the opponent."


def _decision_extended(data: Data, name: Name, title: Title) -> str:
    away = f"The site was down from {data['from']} until {data['to']}"
    return f"{away}, so the time to name an opponent now ends {data['ends']}."


def _death_match(data: Data, name: Name, title: Title) -> str:
    pair = joined(map(name, data["between"]))
    how = {
        "both_candidates": "They are the candidates.",
        "only_one": "Nobody else could become the opponent.",
        "named": f"{name(data['by']) if data.get('by') else _host(data)} named the opponent.",
        "drawn": "The opponent was drawn.",
    }[data["how"]]
    return f"{pair} meet in the Death Match. {how}{_because(data)}"


def _host(data: Data) -> str:
    return f"The host {data['host']}" if data.get("host") else "A host"


def _left_to_draw(data: Data, name: Name, title: Title) -> str:
    who = _host(data) if data.get("host") else "The season"
    return f"{who} no longer waits for somebody to name an opponent and draws one now.{_because(data)}"


def _taken_back(data: Data, name: Name, title: Title) -> str:
    pair = joined(map(name, data["between"]))
    return f"{_host(data)} has taken a booking back, so the Death Match of {pair} is undecided again."


def _person_changed(data: Data, name: Name, title: Title) -> str:
    who = {"person": "Somebody else plays", "bot": "A bot plays", "nobody": "Nobody plays"}[data["who"]]
    return f"{who} as {name(data['player'])} from now on.{_because(data)}"


def _corrected(data: Data, name: Name, title: Title) -> str:
    amount = str(data["amount"])
    sign = "" if amount.startswith(("-", "+")) else "+"
    return f"A host has corrected your account: {sign}{amount} {asset_unit(data['asset'])}.{_because(data)}"


def _account_corrected(data: Data, name: Name, title: Title) -> str:
    """Balances are public as of the last settlement, and so is the amount."""
    what = f"{asset_unit(data['asset'])} of {name(data['player'])}"
    return f"{_host(data)} has corrected the {what}. The standings show it after the next settlement.{_because(data)}"


def _growth_switched(data: Data, name: Name, title: Title) -> str:
    if data["match"] is None:
        return "Blood garnets no longer grow."
    return f"Blood garnets grow by a tenth every 24 hours after the pregame of “{title(data['match'])}”."


def _season_ended(data: Data, name: Name, title: Title) -> str:
    winners = data["winners"]
    if not winners:
        return "The season has ended with nobody left in it."
    won = "wins" if len(winners) == 1 else "share first place"
    return f"The season has ended. {joined(map(name, winners))} {won}."


def _role_of_match(data: Data) -> str:
    if data.get("final"):
        return ", as the final"
    return ", as the Death Match" if data["death_match"] else ""


def _gift_received(data: Data, name: Name, title: Title) -> str:
    return f"{name(data['giver'])} gives you {asset_name('garnet', data['amount'])}."


_SENTENCES: dict[str, Callable[[Data, Name, Title], str]] = {
    "season_began": lambda data, name, title: f"The season has begun with {joined(map(name, data['members']))}.",
    "match_began": lambda data, name, title: f"“{title(data['match'])}” has begun{_role_of_match(data)}.",
    "match_settled": _match_settled,
    "match_void": lambda data, name, title: (
        f"“{title(data['match'])}” was cancelled, so everybody gets back what they brought."
    ),
    "confirm_asked": lambda data, name, title: (
        f"“{title(data['match'])}” is over. Confirm its settlement so that the season continues."
    ),
    "opponent_asked": _opponent_asked,
    "name_opponent": lambda data, name, title: (
        f"Name your opponent in the Death Match: {joined(map(name, data['options']))}. Otherwise the site draws one."
    ),
    "name_opponent_asked": lambda data, name, title: (
        f"Name the opponent of {name(data['candidate'])} in the Death Match. Otherwise the site draws one."
    ),
    "decision_extended": _decision_extended,
    "left_to_draw": _left_to_draw,
    "death_match": _death_match,
    "booking_taken_back": _taken_back,
    "result_asked": lambda data, name, title: (
        f"The Death Match of {joined(map(name, data['between']))} has no single winner. Book who lost."
    ),
    "death_match_lost": lambda data, name, title: (
        f"{name(data['loser'])} has lost the Death Match to {joined(map(name, data['winners']))}."
    ),
    "went_out": lambda data, name, title: f"{name(data['player'])} is out, in place {data['place']}.{_because(data)}",
    "withdrew": lambda data, name, title: f"{name(data['player'])} has withdrawn.{_because(data)}",
    "person_changed": _person_changed,
    "viewer_named": lambda data, name, title: (
        "A host wants to give you a trusted viewer, who would see what you see. Accept or decline on the season's page."
    ),
    "viewer_declined": lambda data, name, title: f"{name(data['player'])} has declined the trusted viewer.",
    "viewer_accepted": lambda data, name, title: f"From now on a trusted viewer sees what {name(data['player'])} sees.",
    "viewer_stopped": lambda data, name, title: f"A trusted viewer no longer sees what {name(data['player'])} sees.",
    "account_corrected": _account_corrected,
    "corrected": _corrected,
    "gift_given": lambda data, name, title: f"{name(data['giver'])} gives garnets to {name(data['receiver'])}.",
    "gift_received": _gift_received,
    "growth_switched": _growth_switched,
    "season_ended": _season_ended,
    "host_announced": lambda data, name, title: f"{_host(data)} announces: {unmarked(data['text'])}",
}

REASONS = {
    "opening": "Opening balance",
    "brought": "Brought into the match",
    "returned": "Back from the match",
    "cancelled": "Back from the match, which was cancelled",
    "gift": "A gift",
    "growth": "Blood garnets grow",
    "correction": "Correction by a host",
    "lost": "Lost when going out",
    "taken_back": "The result of the Death Match was taken back",
    "taken_over": "Goes to the winner of the Death Match",
}
"""Why something moved, in words for statements."""
