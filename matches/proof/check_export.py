#!/usr/bin/env python3
"""Proves files that this site exports of finished matches and seasons. It needs Python 3.11 and nothing else: no
database, no network, none of the site's own code. Read it before you trust it.

    python3 check_export.py match.json --head 5d41402abc4b2a76…

Everything that is done in a match is a row of its log. Each row has a hash over the hash of the row before and the hash
of its own content. So nobody can change, add or remove a row without changing every hash from there on.

`--head` takes a fingerprint that the site published: on the match's page, in its feed, in mail, in your community's
channel. It is the hash of a row. If the log contains it, all rows up to that one are as they were when it was
published. Nothing else can show that a whole log was rewritten, so keep a fingerprint, or ask somebody who has one.

Rows that stay private for ever, such as votes, are blacked out: they prove their hash and their place, nothing else.

It prints what is proved, and exits with 0 (ok: nothing is wrong in any file, and a fingerprint that you gave is that of
the last row), 1 (something is wrong), 2 (a file cannot be read) or 3 (nothing is wrong, but a file is not proved to its
end: its line says up to where).
"""

import argparse
import hashlib
import json
import sys
from collections import Counter

FORMATS, SHORTEST_HEAD = ("genius-match", "genius-season"), 16
OK, WRONG, UNREADABLE, NOT_TO_ITS_END = 0, 1, 2, 3
WORDS = ("ok", "WRONG", "cannot be read", "not proved to its end")
NOT_PROVED = (
    "Not proved: that the rules were followed, and what the file says besides log and seed, such as names, times, "
    "results, and entries of the ledger that are not corrections."
)


class Unreadable(Exception):
    """A file that is not an export."""


def canonical(value):
    """The canonical JSON text of a value, from which hashes are made: sorted keys, no spaces."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which only an escape sequence can hold
        text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return text


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def no_doubles(pairs):
    """Refuse JSON objects with the same name twice, since readers differ in which one counts."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name appears twice in one object")
    return found


def read(data: bytes) -> dict:
    """The export in these bytes. Raises `Unreadable`."""
    try:
        found = json.loads(data, object_pairs_hook=no_doubles)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"It is not JSON: {error}.") from None
    if not isinstance(found, dict) or found.get("format") not in FORMATS or found.get("version") != 1:
        raise Unreadable(f"It is not a version 1 export: its format is not one of {', '.join(FORMATS)}.")
    return found


def check_chain(export):
    """Check that every row's hash covers the row before and its own content."""
    before = ""
    for number, row in enumerate(export["log"], start=1):
        facts = row["facts"]
        if row["previous"] != before or sha256(f"{before}\n{row['content']}") != row["hash"]:
            yield f"The chain of hashes breaks at row {number}."
            return
        if facts is not None and (facts["number"] != number or sha256(canonical(facts)) != row["content"]):
            yield f"The content of row {number} does not match its hash."
            return
        receipt = facts and facts.get("receipt")  # what the player got for an action: a hash of what they sent
        if receipt and receipt != sha256(f"{facts['salt']}\n{facts['payload']}\n{facts['match_time']}"):
            yield f"The receipt of row {number} does not match what was sent."
        before = row["hash"]


def check_published(export):
    """Check that the fingerprints that the file lists as published are hashes of rows with content."""
    rows = export["log"]
    for close in export.get("closes", []):
        row = rows[close["row"] - 1] if 1 <= close["row"] <= len(rows) else None
        if row is None or row["hash"] != close["hash"] or row["facts"] is None:
            yield f"The fingerprint of row {close['row']} is not that of a row with content."
    if "head" in export and (not rows or rows[-1]["hash"] != export["head"]):
        yield "The head is not the hash of the last row."


def commands_of(export):
    """Yield (number of the row, payload) for everything that hosts and the clock did, without refused commands."""
    for row in export["log"]:
        said = row["facts"]
        if said and said["kind"] != "action" and said.get("accepted", True):
            yield said["number"], json.loads(said["payload"])


def promises(export):
    """The rows that promise the seed: (number of the row, hash of the seed)."""
    return [(number, said["seed_hash"]) for number, said in commands_of(export) if "seed_hash" in said]


def check_seed(export):
    """Check that the seed is the one whose hash the log, for everybody to see, promised before anything was drawn."""
    seed = export["seed"]
    if seed and {promised for _, promised in promises(export)} != {hashlib.sha256(bytes.fromhex(seed)).hexdigest()}:
        yield "The seed is not the one whose hash was promised before the start."


def check_ledger(export):
    """Check that every entry names a row with content and moves something, and that corrections match the log."""
    rows, said, moved = export["log"], Counter(), Counter()
    for entry in export["ledger"]:
        number, giver, amount = entry["row"], entry["giver"], entry["amount"]
        facts = rows[number - 1]["facts"] if 1 <= number <= len(rows) else None
        if not facts or not facts.get("accepted", True) or amount <= 0 or giver == entry["receiver"]:
            yield f"An entry of {amount} {entry['asset']} at row {number} is impossible."
        if entry["reason"] == "correction" and export["format"] == "genius-match":
            moved[number, giver or entry["receiver"], entry["asset"], -amount if giver else amount] += 1
    assets = {entry["asset"] for entry in export["ledger"]}
    for number, command in commands_of(export):
        kind = command["what"] if command.get("command") == "undo" else command.get("command")
        if kind == "correct" and command["asset"] in assets:
            said[number, command["player"], command["asset"], command["amount"]] += 1
    if moved != said:
        yield "The corrections in the ledger do not match those in the log."


CHECKS = (check_chain, check_published, check_seed, check_ledger)


def prove(export: dict, heads=()) -> tuple:
    """Check an export. Returns (one of the four statuses above, sentences on what is proved or wrong). `heads` are
    published fingerprints, of this file or of others."""
    try:
        if wrong := [sentence for check in CHECKS for sentence in check(export)]:
            return WRONG, wrong
        rows = export["log"]
        heads = [head for head in heads if len(head) >= SHORTEST_HEAD]
        named = [number for number, row in enumerate(rows, start=1) if any(map(row["hash"].startswith, heads))]
        if empty := [number for number in named if rows[number - 1]["facts"] is None]:
            return WRONG, [f"A fingerprint names row {number}, whose content is blacked out." for number in empty]
        hidden = [str(number) for number, row in enumerate(rows, start=1) if row["facts"] is None]
        promise = [number for number, _ in promises(export)][:1] if export["seed"] else []
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        return WRONG, [f"Something is missing from the file or malformed: {type(error).__name__} {error}."]
    last, count = max(named, default=0), len(rows)
    said = [f"Rows 1 to {count} are a chain."]
    said += [f"Rows 1 to {last} are as they were when the fingerprint of row {last} was published."] if last else []
    said += [f"NOT PROVED: rows {last + 1} to {count}; no fingerprint given here covers them."] if last < count else []
    said += [f"Blacked out, so that only their hash and place are proved: rows {', '.join(hidden)}."] if hidden else []
    said += [f"The seed is the one that row {number} promised." for number in promise]
    return (OK if last == count > 0 else NOT_TO_ITS_END), said


def lost(heads: list, exports: list):
    """Yield a sentence for each of these fingerprints that no log contains."""
    hashes = [row["hash"] for export in exports for row in export["log"]]
    for head in heads:
        if len(head) < SHORTEST_HEAD or not any(digest.startswith(head) for digest in hashes):
            yield f"WRONG: no log here contains the fingerprint {head}: a log was rewritten, or it is another log's."


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Prove exported matches and seasons.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--head", action="append", default=[], help="a published fingerprint (16 or more digits of it)")
    chosen = parser.parse_args(arguments)
    heads, found, exports = [head.lower() for head in chosen.head], set(), []
    for name in chosen.files:
        try:
            with open(name, "rb") as file:
                export = read(file.read())
            status, said = prove(export, heads)
            exports += [export] if status != WRONG else []
        except (OSError, Unreadable) as error:
            export, status, said = {}, UNREADABLE, [str(error)]
        print(f"{name}: {WORDS[status]} ({export.get('title')}). {' '.join(said)}")
        found.add(status)
    if not found <= {UNREADABLE}:
        print(NOT_PROVED)
    for sentence in lost(heads, exports) if found <= {OK, NOT_TO_ITS_END} else ():
        print(sentence)
        found.add(WRONG)
    return next((status for status in (WRONG, UNREADABLE, NOT_TO_ITS_END) if status in found), OK)


if __name__ == "__main__":
    sys.exit(main())
