"""The announcements and ledger reasons of a season in words."""

from collections.abc import Callable, Mapping
from typing import Any

from matches.engine.sentences import asset_name, asset_unit, joined, unmarked

Name = Callable[[str], str]
"""A handle -> the name to show."""

Title = Callable[[str], str]
"""The key of a match -> its title."""

Data = Mapping[str, Any]

_ONE = ("player", "candidate", "loser", "giver", "receiver")
_SEVERAL = ("members", "winners", "candidates", "between", "options")
"""The keys of announcements that hold a handle, or several."""


def in_words(kind: str, data: Data, name: Name, title: Title) -> str:
    """Return an announcement in one or a few sentences. Templates get its data with names instead of handles, the
    match's title, `host` (who did it) and `because` (the reason, if one was given)."""
    told = {
        **data,
        **{key: name(data[key]) for key in _ONE if key in data},
        **{key: joined(map(name, data[key])) for key in _SEVERAL if key in data},
        "match": f"“{title(data['match'])}”" if data.get("match") else None,
        "by": name(data["by"]) if kind == "death_match" and data.get("by") else data.get("by"),
        "host": f"The host {data['host']}" if data.get("host") else "A host",
        "because": f" Reason: {data['reason']}" if data.get("reason") else "",
    }
    words = _SENTENCES[kind]
    return words.format_map(told) if isinstance(words, str) else words(told, data)


def _match_began(told: Data, data: Data) -> str:
    role = ", as the final" if data.get("final") else ", as the Death Match" if data["death_match"] else ""
    return f"{told['match']} has begun{role}."


def _match_settled(told: Data, data: Data) -> str:
    danger = f" In danger: {told['candidates']}." if data["candidates"] else ""
    return f"{told['match']} is settled. Won by {told['winners']}.{danger}"


def _opponent_asked(told: Data, data: Data) -> str:
    who = told["candidate"]
    by = who if data["by"] == "candidate" else "a host"
    return f"{who} goes to the Death Match. {by[0].upper()}{by[1:]} names the opponent."


def _left_to_draw(told: Data, data: Data) -> str:
    who = told["host"] if data.get("host") else "The site"
    return f"{who} has stopped waiting for somebody to name an opponent, and draws one now.{told['because']}"


def _death_match(told: Data, data: Data) -> str:
    how = {
        "both_candidates": "They are the candidates.",
        "only_one": "Nobody else could become the opponent.",
        "named": f"{told['by'] or told['host']} named the opponent.",
        "drawn": "The site drew the opponent.",
    }[data["how"]]
    return f"{told['between']} meet in the Death Match. {how}{told['because']}"


def _person_changed(told: Data, data: Data) -> str:
    who = {"person": "Somebody else plays", "bot": "A bot plays", "nobody": "Nobody plays"}[data["who"]]
    return f"{who} as {told['player']} from now on.{told['because']}"


def _corrected(told: Data, data: Data) -> str:
    amount = str(data["amount"])
    sign = "" if amount.startswith(("-", "+")) else "+"
    return f"A host has corrected your balance: {sign}{amount} {asset_unit(data['asset'])}.{told['because']}"


def _account_corrected(told: Data, data: Data) -> str:
    """Without the amount: balances are public only as of the last settlement."""
    what = f"{asset_unit(data['asset'])} of {told['player']}"
    return f"{told['host']} has corrected the {what}. The standings show it after the next settlement.{told['because']}"


def _growth_switched(told: Data, data: Data) -> str:
    if data["match"] is None:
        return "Blood garnets no longer grow."
    return f"Blood garnets grow by a tenth every 24 hours after the pregame of {told['match']}."


def _season_ended(told: Data, data: Data) -> str:
    if not data["winners"]:
        return "The season has ended with nobody left in it."
    won = "wins" if len(data["winners"]) == 1 else "share first place"
    return f"The season has ended. {told['winners']} {won}."


_SENTENCES: dict[str, str | Callable[[Data, Data], str]] = {
    "season_began": "The season has begun with {members}.",
    "match_began": _match_began,
    "match_settled": _match_settled,
    "match_void": "{match} was cancelled, so everybody gets back what they brought.",
    "confirm_asked": "{match} is over. Confirm its settlement so that the season continues.",
    "opponent_asked": _opponent_asked,
    "name_opponent": "Name your opponent in the Death Match: {options}. Otherwise the site draws one.",
    "name_opponent_asked": "Name the opponent of {candidate} in the Death Match. Otherwise the site draws one.",
    "decision_extended": "The site was down from {from} until {to}, so the time to name an opponent now ends {ends}.",
    "left_to_draw": _left_to_draw,
    "death_match": _death_match,
    "booking_taken_back": "{host} has taken the result back, so the Death Match of {between} is undecided again.",
    "result_asked": "The Death Match of {between} is undecided. Record who lost.",
    "death_match_lost": lambda told, data: (
        f"{told['loser']} has lost the {'final' if data.get('final') else 'Death Match'} to {told['winners']}."
    ),
    "went_out": "{player} is out (place {place}).{because}",
    "withdrew": "{player} has withdrawn.{because}",
    "person_changed": _person_changed,
    "viewer_named": "A host wants to give you a trusted viewer, who would see what you see. Accept or decline on the "
    "season's page.",
    "viewer_declined": "{player} has declined the trusted viewer.",
    "viewer_withdrawn": "The offer of a trusted viewer to {player} no longer stands.",
    "viewer_accepted": "From now on a trusted viewer sees what {player} sees.",
    "viewer_stopped": "A trusted viewer no longer sees what {player} sees.",
    "account_corrected": _account_corrected,
    "corrected": _corrected,
    "gift_given": "{giver} gives garnets to {receiver}.",
    "gift_received": lambda told, data: f"{told['giver']} gives you {asset_name('garnet', data['amount'])}.",
    "growth_switched": _growth_switched,
    "season_ended": _season_ended,
    "host_announced": lambda told, data: f"{told['host']} announces: {unmarked(data['text'])}",
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
    "taken_back": "A host took back the result of the Death Match",
    "taken_over": "Goes to the winner of the Death Match or final",
}
"""Reasons of ledger entries in words."""
