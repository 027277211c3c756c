"""How a match stands by its log alone: by its records, its clock, its ledger and its play."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from matches.engine.draw import Draw
from matches.models import LedgerEntry, Match, MatchRecord, Submission
from matches.services.replay import replay
from matches.services.verification import clock_replay

Facts = dict[str, Any]

_WITH_A_NEW_SALT = ("name", "invite_nonce", "nonce", "made_by", "label", "reason", "noted_by")
"""What the records have of these is a hash with each record's own salt, so that two of them cannot be compared."""


def told(match: Match) -> Facts:
    """How the match stands by its log."""
    record = MatchRecord.objects.filter(match=match).order_by("-submission__number").first()
    assert record is not None, "nothing tells how this match stands"
    found: Facts = {}
    for topic, facts in json.loads(record.facts).items():
        if topic != "written":
            _flatten(topic, facts, found)
    found["clock"] = clock_replay.last(match)
    found["play"] = replay(match, Draw(match.chance))[0]
    found["ledger"] = _balances(match)
    return found


def _flatten(topic: str, facts: Any, found: Facts) -> None:
    """Each field of the match by its name, and each field of its other rows by theirs and the row's number."""
    if topic == "match":
        found |= {f"match.{name}": value for name, value in facts.items()}
    elif isinstance(facts, dict) and all(isinstance(row, dict) for row in facts.values()):
        for number, row in facts.items():
            found |= {f"{topic}.{number}.{name}": row[name] for name in row if name not in _WITH_A_NEW_SALT}
    else:
        found[topic] = facts


def _balances(match: Match) -> Counter[tuple[str, str]]:
    """What each player has, as the entries of the log's rows sum up."""
    sums: Counter[tuple[str, str]] = Counter()
    for entry in LedgerEntry.objects.filter(match=match).select_related("giver", "receiver"):
        for player, amount in ((entry.giver, -entry.amount), (entry.receiver, entry.amount)):
            if player is not None:
                sums[player.handle, entry.asset] += amount
    return sums


def changed(before: Facts, after: Facts) -> set[str]:
    """What stands otherwise: names without the numbers of rows, such as `players.user_id`. A row that is new or gone is
    its topic alone."""
    found = set()
    for name in {*before, *after}:
        if before.get(name) != after.get(name):
            parts = name.split(".")
            there_before_and_after = name in before and name in after
            found.add(name if len(parts) < 3 else f"{parts[0]}.{parts[2]}" if there_before_and_after else parts[0])
    return found


def commands_of(match: Match, host: Any, since: int) -> list[tuple[Submission, Facts]]:
    """The commands of this host in the log behind row number `since`, each with its payload."""
    rows = Submission.objects.filter(match=match, number__gt=since, kind=Submission.Kind.COMMAND)
    return [(row, json.loads(row.payload)) for row in rows.filter(actor=f"host:{host.username}").order_by("number")]
