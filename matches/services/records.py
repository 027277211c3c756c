"""The record of a match: what is stored of it and does not follow from its log, such as titles, names, accounts, hosts.

Every transaction with commands ends with a record, which the hash of its last row covers (`models.MatchRecord`). So
whatever is changed past the log differs from the latest record.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from matches.models import (
    Absence,
    Announcement,
    Insider,
    Invitation,
    LedgerEntry,
    Leniency,
    Match,
    MatchRecord,
    MatchRole,
    Player,
    Submission,
)
from matches.models.submission import new_salt
from matches.services.storage import log, sql

MATCH_FIELDS = (
    "public_id",
    "game",
    "rules_version",
    "title",
    "description",
    "config",
    "seed_hash",
    "status",
    "joining",
    "places",
    "open_places",
    "usual_hour",
    "usual_zone",
    "starts_at",
    "start_problem",
    "created_at",
    "opened_at",
    "is_demo",
    "speed",
    "blood_garnets",
)
PLAYER_FIELDS = (
    "handle",
    "name",
    "user_id",
    "is_bot",
    "team",
    "position",
    "garnets",
    "priority",
    "blood_garnets",
    "invite_nonce",
)
INVITATION_FIELDS = (
    "player_id",
    "nonce",
    "made_at",
    "made_by",
    "sent_to_id",
    "times_sent",
    "label",
    "takes_over",
    "instead_of_id",
    "expires_at",
    "used_at",
    "used_by_id",
    "revoked_at",
)
LENIENCY_FIELDS = ("bots_stand_in",)
ABSENCE_FIELDS = ("player_id", "user_id", "since", "until", "reason", "noted_by", "bot")
ANNOUNCEMENT_FIELDS = ("audience", "kind", "data", "at", "match_time")
LEDGER_FIELDS = ("giver_id", "receiver_id", "asset", "amount", "reason", "note", "at", "match_time")

Facts = dict[str, Any]


# Back from the row, up to the first that has a record: as quick in a long log as in a short one.
_SEALED_BEFORE = (
    "match_id = %s AND number < %s"
    " AND EXISTS (SELECT 1 FROM matches_matchrecord WHERE submission_id = matches_submission.id)"
    " ORDER BY number DESC LIMIT 1"
)


def seal(match: Match, row: Submission) -> None:
    """Make the record of a match that is locked, after `row`, the last one of its log: the row's hash covers it from
    now on, and the match gets the new head, which the caller stores. Done once more, it replaces what was sealed in
    the same transaction."""
    before = sql.select(Submission, ("number",), _SEALED_BEFORE, match.pk, row.number)
    since = before[0][0] if before else 0
    salt = new_salt()
    facts = log.canonical({**facts_of(match, salt), "written": _hash_of(_lines(match, since, row.number))})
    was_shown = match.closed_head == row.hash
    row.record_hash = _hash(salt, facts)
    row.hash = match.log_head = log.row_hash(row)
    if was_shown:
        match.closed_head = row.hash
    sql.update(row, ("record_hash", "hash"))
    record = MatchRecord(submission_id=row.pk, match=match, salt=salt, facts=facts)
    is_there = bool(sql.select(MatchRecord, ("submission_id",), "submission_id = %s", row.pk))
    record.save(force_insert=not is_there, force_update=is_there)


def seal_again(match: Match) -> None:
    """Seal a match to which the transaction that made it or wrote to its log has added something since. What is over
    stays as it was published."""
    if match.is_over:
        raise ValueError(f"{match} is over: nothing in it is sealed anew")
    row = match.log.select_related("player").order_by("-number").first()
    if row is not None:
        present = Match.objects.get(pk=match.pk)
        seal(present, row)
        Match.objects.filter(pk=match.pk).update(log_head=present.log_head, closed_head=present.closed_head)
        match.log_head, match.closed_head = present.log_head, present.closed_head


def _hash(salt: str, facts: str) -> str:
    return hashlib.sha256(f"{salt}\n{facts}".encode()).hexdigest()


# -- what is in it -------------------------------------------------------------------------------------


def facts_of(match: Match, salt: str) -> Facts:
    """The record of a match as it is, but for what its rows have written. Names and texts of people are in it as
    hashes with `salt`, so that a person's name can go while the log stays."""
    return {
        # What older records do not have is there only where it was chosen.
        "match": _fields(match, MATCH_FIELDS) | ({"closes_when_sent": True} if match.closes_when_sent else {}),
        "players": {
            str(each.pk): {**_fields(each, PLAYER_FIELDS), **_hidden(each, salt, "name", "invite_nonce")}
            for each in _of(match, Player)
        },
        "hosts": sorted(each.user_id for each in _of(match, Match.hosts.through)),
        "roles": {str(each.user_id): each.role for each in _of(match, MatchRole)},
        "insiders": {str(each.user_id): [_plain(each.since), each.played_id] for each in _of(match, Insider)},
        "invitations": {
            str(each.pk): {**_fields(each, INVITATION_FIELDS), **_hidden(each, salt, "nonce", "made_by", "label")}
            for each in _of(match, Invitation)
        },
        "leniency": {str(each.pk): _fields(each, LENIENCY_FIELDS) for each in _of(match, Leniency)},
        "absences": {
            str(each.submission_id): {**_fields(each, ABSENCE_FIELDS), **_hidden(each, salt, "reason", "noted_by")}
            for each in _of(match, Absence)
        },
    }


def _of(match: Match, model: type[Any]) -> list[Any]:
    """The match's rows of a model."""
    return sql.fetch(model, "match_id = %s", match.pk)


def _fields(row: Any, names: Iterable[str]) -> Facts:
    return {name: _plain(getattr(row, name)) for name in names}


def _hidden(row: Any, salt: str, *names: str) -> Facts:
    return {name: hashlib.sha256(f"{salt}\n{name}\n{getattr(row, name)}".encode()).hexdigest() for name in names}


def _plain(value: Any) -> Any:
    """A stored value as JSON has it, the same on every database."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, timedelta):
        return value // timedelta(microseconds=1)
    if value is None or isinstance(value, bool | int | dict | list):
        return value
    return format(value, ".4f") if hasattr(value, "quantize") else str(value)


def _hash_of(lines: list[Any]) -> str:
    return hashlib.sha256(log.canonical(lines).encode()).hexdigest()


def _lines(match: Match, since: int, until: int) -> list[Any]:
    """All that commands in these rows of the log told and posted, in one order: name of the table, number of the row,
    and what is in it."""
    commands = sql.fetch(Submission, _COMMANDS, match.pk, Submission.Kind.COMMAND, since, until)
    numbers = {row.pk: row.number for row in commands}
    found: list[Any] = []
    tables: tuple[tuple[type[Any], tuple[str, ...]], ...]
    tables = (Announcement, ANNOUNCEMENT_FIELDS), (LedgerEntry, LEDGER_FIELDS)
    for model, names in tables:
        # Asked for by these rows alone: a match may have told a lot.
        for each in sql.fetch(model, _OF_COMMANDS, match.pk, Submission.Kind.COMMAND, since, until):
            if each.match_id == match.pk:
                values = [_plain(getattr(each, name)) for name in names]
                found.append([model.__name__, numbers[each.submission_id], *values])
    return sorted(found, key=log.canonical)


_COMMANDS = "match_id = %s AND kind = %s AND player_id IS NULL AND number > %s AND number <= %s"
_OF_COMMANDS = f"submission_id IN (SELECT id FROM matches_submission WHERE {_COMMANDS})"  # noqa: S608 - no value in it


# -- comparing -----------------------------------------------------------------------------------------


def compare(match: Match) -> list[str]:
    """What differs between the records, the rows that cover them, and what is stored now; a sentence each."""
    rows = {row.pk: row for row in match.log.exclude(record_hash="").order_by("number")}
    kept = {record.submission_id: record for record in match.records.all()}
    found, since, last = [], 0, None
    written = _lines(match, 0, match.log_count)
    for pk, row in rows.items():
        record = kept.pop(pk, None)
        if record is None or _hash(record.salt, record.facts) != row.record_hash:
            found.append(f"The record at row {row.number} is not the one that the log covers.")
            continue
        facts = json.loads(record.facts)
        if facts["written"] != _hash_of([line for line in written if since < line[1] <= row.number]):
            found.append(f"What was told or posted in rows {since + 1} to {row.number} has been changed.")
        since, last = row.number, (record, facts)
    if kept:
        found.append("There are records that the log does not cover.")
    return found if last is None else [*found, *_compare_with(match, since, *last)]


def _compare_with(match: Match, number: int, record: MatchRecord, facts: Facts) -> list[str]:
    """What is stored now against the latest record, after row `number`."""
    now = json.loads(log.canonical(facts_of(match, record.salt)))
    then = {**facts, "match": {**facts["match"], "status": now["match"]["status"]}}  # `lives` compares the status
    # Superusers may have looked in since: whoever else may not play now does nobody any harm.
    now["insiders"] = {user: now["insiders"].get(user) for user in then["insiders"]}
    return [
        f"{what} since row {number}, and the log does not say so."
        for topic, called in _CALLED.items()
        for what in _differing(called, then[topic], now[topic])
    ]


_CALLED = {
    "match": "The match's {0} has been changed",
    "players": "The {1} of player {0} has been changed",
    "hosts": "The hosts have been changed",
    "roles": "The roles have been changed",
    "insiders": "Who may never play here has been changed",
    "invitations": "The {1} of invitation {0} has been changed",
    "leniency": "What it allows for absences and delays ({1}) has been changed",
    "absences": "The {1} of the absence at row {0} has been changed",
}


def _differing(called: str, then: Any, now: Any) -> list[str]:
    if then == now:
        return []
    if "{" not in called:
        return [called]
    found = []
    for key in sorted({*then, *now}):
        was, has = then.get(key), now.get(key)
        if was == has:
            continue
        if isinstance(was, Mapping) and isinstance(has, Mapping) and "{1}" in called:
            fields = [field for field in was if was[field] != has.get(field)]
            found += [called.format(_name(was, key), _in_words(field)) for field in fields]
        elif "{1}" in called:
            found.append(called.format(_name(was or has, key), "row"))
        else:
            found.append(called.format(_in_words(key)))
    return found


_WORDS = {
    "user_id": "account",
    "is_bot": "mark as a bot",
    "seed_hash": "seed",
    "player_id": "player",
    "sent_to_id": "receiver",
    "used_by_id": "user",
    "instead_of_id": "place",
    "played_id": "place",
}
"""Names of fields in words, where they differ."""


def _name(facts: Mapping[str, Any], key: str) -> str:
    return str(facts.get("handle", key))


def _in_words(field: str) -> str:
    return _WORDS.get(field, field.replace("_", " "))


def life_then(match: Match) -> str | None:
    """The status of the match at its latest record; None where it has none."""
    record = match.records.order_by("-submission__number").first()
    return None if record is None else str(json.loads(record.facts)["match"]["status"])
