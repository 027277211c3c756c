"""Announcements in plain sentences, for the feed and for notices.

`SENTENCES` has those of the engine and of the platform. A game has sentences for its own kinds of announcement
(`Game.sentences`), and may replace those of the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any

from matches.engine.actions import DECISIONS
from matches.engine.ledger import PRIORITY, TOL
from matches.engine.match_time import spell

Name = Callable[[str], str]
"""A handle -> the name to show."""

Data = Mapping[str, Any]
"""What an announcement says."""

Sentence = Callable[[Data, Name], str]
"""One kind of announcement in words."""


def joined(parts: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *most, last = list(parts) or ["nobody"]
    return f"{', '.join(most)} and {last}" if most else last


def counted(count: int | Decimal, one: str, many: str = "") -> str:
    """`1 vote`, `2 votes`."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def asset_name(asset: str, amount: int | Decimal) -> str:
    """An asset as people call it: `3 garnets`, `1 Token of Life`."""
    return f"{amount} {asset_unit(asset, amount)}"


def asset_unit(asset: str, amount: int | Decimal | None = None) -> str:
    """The word that follows an amount: `garnet` after 1, `garnets` after any other."""
    one, many = _ASSETS.get(asset) or _unknown_asset(asset)
    return one if amount == 1 else many


_ASSETS = {
    TOL: ("Token of Life", "Tokens of Life"),
    PRIORITY: ("priority", "priority"),
    **{coin: (f"{coin} coin", f"{coin} coins") for coin in ("gold", "silver", "bronze")},
}


def _unknown_asset(asset: str) -> tuple[str, str]:
    word = asset.removeprefix("item:").replace("_", " ")
    # An item is called what its match calls it; the plural of such a name is unknown.
    return (word, word) if asset.startswith("item:") else (word, f"{word}s")


# -- decisions ---------------------------------------------------------------------------------


def _candidate_decided(data: Data, name: Name) -> str:
    who, votes = name(data["player"]), data.get("votes") or {}
    if data["how"] == "only_one":
        return f"{who} is the Elimination Candidate: there was no other choice."
    if data["how"] == "named":
        return f"{name(data['by'])} named {who} as Elimination Candidate."
    if data["how"] == "voted":
        most, total = votes[data["player"]], sum(votes.values())
        return f"{who} is the Elimination Candidate, with {most} of {counted(total, 'vote')}."
    if votes:
        return f"{who} is the Elimination Candidate, by a draw among those with most votes ({_tally(votes, name)})."
    return f"{who} is the Elimination Candidate, by a draw: nobody decided."


def _tally(votes: Mapping[str, int], name: Name) -> str:
    return ", ".join(f"{name(handle)} {count}" for handle, count in votes.items())


def _decision_asked(data: Data, name: Name) -> str:
    return f"It is up to you to {DECISIONS[data['action']]}."


def _vote_drawn(data: Data, name: Name) -> str:
    return f"You did not vote in time, so your vote was drawn: it went to {name(data['player'])}."


def _votes_drawn(data: Data, name: Name) -> str:
    if data["count"] == 1:
        return "One vote was missing and has been drawn."
    return f"{data['count']} votes were missing and have been drawn, each separately."


def _tokens_given(data: Data, name: Name) -> str:
    giver, to, parts = name(data["player"]), data["to"], []
    if to:
        tokens = "a Token of Life" if len(to) == 1 else "a Token of Life each"
        receivers = joined(name(handle) for handle in to)
        drawn = data["how"] == "drawn"
        parts.append(f"{giver} gave {tokens} to {receivers}{', drawn by chance' if drawn else ''}.")
    if data["lapsed"]:
        tokens = asset_name(TOL, data["lapsed"])
        parts.append(f"{tokens} of {giver} lapsed: there was nobody left to give to.")
    return " ".join(parts)


def _match_finished(data: Data, name: Name) -> str:
    winners, candidates = data["winners"], data["candidates"]
    won = f"won by {joined(map(name, winners))}" if winners else "and nobody has won"
    text = f"The match is finished, {won}."
    if candidates:
        role = "Elimination Candidate" + ("s" if len(candidates) > 1 else "")
        text += f" {role}: {joined(map(name, candidates))}."
    return text


# -- what the platform announces ---------------------------------------------------------------


def _because(text: str, data: Data) -> str:
    reason = str(data.get("reason") or "").strip()
    return f"{text}: {reason.rstrip('.')}." if reason else f"{text}."


def fixed_in_words(what: str, by: str) -> str:
    """Says that a host (`name`, empty if unknown) has set something that is otherwise drawn."""
    return f"{by or 'A host'} has set {what}: it is not drawn."


def _match_opened(data: Data, name: Name) -> str:
    text = f"The match has begun. Everything drawn in it comes from a seed whose SHA-256 is {data['seed_hash']}."
    return " ".join([text, *(fixed_in_words(what, by) for what, by in data.get("fixed", {}).items())])


def _blood_garnets_switched(data: Data, name: Name) -> str:
    if not data["on"]:
        return "Blood garnets no longer grow in this match. What has grown stays."
    return "Blood garnets grow in this match: each day after the pregame every player has 1.1 times as many."


def _match_not_opened(data: Data, name: Name) -> str:
    return " ".join(["The match could not begin.", *map(str, data.get("problems", ()))])


def _start_put_off(data: Data, name: Name) -> str:
    are_open = counted(data["open_places"], "place is", "places are")
    return f"The start is put off by a day: {are_open} still open."


def _open_places_settled(data: Data, name: Name) -> str:
    who = joined(map(name, data["handles"]))
    if data["choice"] == "bots":
        return f"Some places were still open, so bots play in them: {who}."
    return f"The match begins without its open places: {who}."


def _deadline_extended(data: Data, name: Name) -> str:
    real = timedelta(seconds=data.get("takes", data["by"]))  # `by` is match time
    return _because(f"A host has moved the deadline by {spell(real)}", data)


def _balance_corrected(data: Data, name: Name) -> str:
    whose = f" of {name(data['player'])}" if "player" in data else ""
    amount = Decimal(str(data["amount"]))
    what = asset_name(data["asset"], abs(amount))
    return _because(f"A host has corrected a balance{whose} by {what} {'less' if amount < 0 else 'more'}", data)


def _decision_by_host(data: Data, name: Name) -> str:
    host = f"{data['host']}, a host," if "host" in data else "A host"
    whose = f"in place of {name(data['player'])}" if "player" in data else "in a player's place"
    return _because(f"{host} has decided {whose}", data)


SENTENCES: Mapping[str, Sentence] = {
    "candidate_decided": _candidate_decided,
    "decision_asked": _decision_asked,
    "vote_drawn": _vote_drawn,
    "votes_drawn": _votes_drawn,
    "tokens_given": _tokens_given,
    "match_finished": _match_finished,
    "match_opened": _match_opened,
    "blood_garnets_switched": _blood_garnets_switched,
    "match_not_opened": _match_not_opened,
    "start_put_off": _start_put_off,
    "open_places_settled": _open_places_settled,
    "match_paused": lambda data, name: _because("The match is paused and its clock stands still", data),
    "match_resumed": lambda data, name: "The match goes on.",
    "deadline_extended": _deadline_extended,
    "deadline_closed_early": lambda data, name: _because("A host has ended the current deadline early", data),
    "match_cancelled": lambda data, name: _because("The match is cancelled", data),
    "balance_corrected": _balance_corrected,
    "decision_by_host": _decision_by_host,
}
