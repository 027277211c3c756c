#!/usr/bin/env python3
"""Proves files that this site exports of matches and seasons that are over. It needs Python 3.11 and nothing else: no
database, no network, none of the site's own code. Read it before you trust it; it has one idea in each function.

    python3 check_export.py match.json
    python3 check_export.py season.json match1.json match2.json
    python3 check_export.py match.json --head 5d41402abc4b2a76…

What is proved:

* The log is a chain: each row has a hash over that of its facts and that of the row before. So nobody can change, take
  out or add a row without changing every hash after it, and the last one, the head.
* `--head` takes a fingerprint that the site published while the match went on: on its page, in its feed, in mail, in
  your community's channel. If the log still contains it, everything up to that moment is as it was then. This is the
  only thing that finds a log which was rewritten as a whole, so keep one, or ask somebody who has.
* The seed is the one whose hash was published before the first draw.
* The rest of the file is what the site summed up at the end of its log (since version 3; people's names since 4).
* Entries of the ledger name rows of the log, corrections have the amounts of the log, balances are sums of entries.

Not proved: that the rules were followed (`manage.py verify` plays the log again by them). Rows that stay private for
ever, such as votes, are there as hashes alone.

It prints a line for each file, and ends with 0 if all agree, 1 if something does not, 2 if a file cannot be read.
"""

import argparse
import hashlib
import json
import sys
from collections import Counter

FORMATS = ("genius-match", "genius-season")
SHORTEST_HEAD = 16
OF_THE_LOG = ("format", "version", "log", "head", "closes", "sha256")


class Unreadable(Exception):
    """A file that is not an export."""


# -- reading -------------------------------------------------------------------------------------------


def canonical(value):
    """The one JSON text that stands for a value: sorted keys, no spaces. Hashes are made of it."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which only an escape sequence can hold
        text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return text


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def no_doubles(pairs):
    """JSON allows a name twice in an object, and readers differ in which one counts."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def read(data: bytes) -> dict:
    """The export in these bytes. Raises `Unreadable`."""
    try:
        found = json.loads(data, object_pairs_hook=no_doubles)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"It is not JSON: {error}.") from None
    if not isinstance(found, dict) or found.get("format") not in FORMATS or found.get("version") not in (1, 2, 3, 4):
        raise Unreadable(f"This is not an export of version 1 to 4; its format would be one of {', '.join(FORMATS)}.")
    return found


# -- the file ------------------------------------------------------------------------------------------


def check_bytes(data, export):
    """The checksum covers all of the file but itself."""
    if "sha256" not in export:
        if (export["format"], export["version"]) != ("genius-season", 1):  # those of old releases have none
            yield "The checksum is missing: something in the file has been changed."
        return
    rest = {name: value for name, value in export.items() if name != "sha256"}
    if sha256(canonical(rest)) != export["sha256"]:
        yield "The checksum is not that of the file: something in it has been changed."
    elif data.strip() != canonical(export).encode():
        yield "The file is not byte for byte what the site wrote."


# -- the log -------------------------------------------------------------------------------------------


def rows_of(export):
    """The rows of the log as (hash, hash of the row before, facts)."""
    return [(digest, previous, facts) for digest, previous, _, facts in chained(export)]


def chained(export):
    """The same with the hash of the facts: (hash, hash of the row before, hash of the facts, facts)."""
    if export["format"] != "genius-season":
        return [(each["hash"], each["previous"], each["content"], each["facts"]) for each in export["log"]]
    found = []
    for each in export["log"]:
        facts = {name: value for name, value in each["row"].items() if name != "previous"}
        found.append((each["hash"], each["row"]["previous"], sha256(canonical(facts)), facts))
    return found


def check_chain(export):
    """Every row's hash is that of its facts, and every row names the one before."""
    before = ""
    for number, (digest, previous, content, facts) in enumerate(chained(export), start=1):
        if previous != before or sha256(f"{previous}\n{content}") != digest:
            yield f"The chain of hashes breaks at row {number}: it does not name the row before."
            return
        named = None if facts is None else (facts["number"], sha256(canonical(facts)))
        if named not in (None, (number, content)):
            yield f"The chain of hashes breaks at row {number}: its facts are not those of its hash."
            return
        before = digest
    if export.get("head", before) != before:
        yield "The head is not the hash of the last row."


def check_receipts(export):
    """A receipt, which a player was given for an action, is a hash of what was sent."""
    for _, _, facts in rows_of(export):
        if facts is None or "receipt" not in facts:
            continue
        if sha256(f"{facts['salt']}\n{facts['payload']}\n{facts['match_time']}") != facts["receipt"]:
            yield f"The receipt of row {facts['number']} is not that of what was sent."


def check_heads(export, heads):
    """The published fingerprints are hashes of rows. Each row has a salt, so nobody could guess a secret from one."""
    hashes = [digest for digest, _, _ in rows_of(export)]
    for close in export.get("closes", []):
        if not 1 <= close["row"] <= len(hashes) or hashes[close["row"] - 1] != close["hash"]:
            yield f"The fingerprint of row {close['row']} is not its hash."
    for head in heads:
        if len(head) < SHORTEST_HEAD or not any(digest.startswith(head) for digest in hashes):
            yield f"The log does not contain the fingerprint {head}: it was rewritten, or that is of another log."


def commands_of(export):
    """What hosts and the clock did that was carried out: (number of the row, what was said)."""
    for number, (_, _, facts) in enumerate(rows_of(export), start=1):
        if facts and facts["kind"] != "action" and facts.get("accepted", True):
            yield number, json.loads(facts["payload"])


def check_sum(export):
    """Everything besides the log, and which rows are private, is what the last row that sums up says."""
    said = list(commands_of(export))
    sums = [(number, each) for number, each in said if "sha256" in each]
    if export.get("opened_at") and not any(each.get("command") == "open" for _, each in said):
        yield "The row with which the match opened is missing."
    if any(each.get("sums_up") for _, each in said) and not sums:
        yield "The row that sums up everything besides the log is missing."
    for number, summed in sums[-1:]:
        rest = {name: value for name, value in export.items() if name not in OF_THE_LOG}
        rest["private"] = [row for row, each in enumerate(rows_of(export)[:number], start=1) if each[2] is None]
        if not summed.get("names") and "cast" in export:
            rest["cast"] = [{**each, "name": ""} for each in export["cast"]]
        if sha256(canonical(rest)) != summed["sha256"]:
            yield "Something besides the log is not what the log sums up at the end."


# -- chance --------------------------------------------------------------------------------------------


def check_seed(export):
    """The seed is the one whose hash stood in the log before anything was drawn, and everybody could see."""
    if not export["seed"]:
        return
    digest = hashlib.sha256(bytes.fromhex(export["seed"])).hexdigest()
    promised = {said["seed_hash"] for _, said in commands_of(export) if "seed_hash" in said}
    if digest != export["seed_hash"] or promised != {digest}:
        yield "The seed is not the one whose hash was published before the start."


# -- the ledger ----------------------------------------------------------------------------------------


def check_ledger(export):
    """Every entry follows from a row that there is, and moves a positive amount between two parties."""
    count = len(export["log"])
    for entry in export["ledger"]:
        if not 1 <= entry["row"] <= count or entry["amount"] <= 0 or entry["giver"] == entry["receiver"]:
            yield f"An entry of {entry['amount']} {entry['asset']} at row {entry['row']} cannot be."


def check_corrections(export):
    """A correction that the log has moved just that, and no other correction did."""
    if export["format"] != "genius-match":
        return
    said, moved = Counter(), Counter()
    for number, command in commands_of(export):
        kind = command["what"] if command.get("command") == "undo" else command.get("command")
        if kind == "correct":
            said[number, command["player"], command["asset"], command["amount"]] += 1
    for entry in export["ledger"]:
        if entry["reason"] == "correction":
            gives = entry["giver"] is not None
            player, amount = (entry["giver"], -entry["amount"]) if gives else (entry["receiver"], entry["amount"])
            moved[entry["row"], player, entry["asset"], amount] += 1
    shown = {entry["asset"] for entry in export["ledger"]} | set(export["balances"])
    if moved != Counter({line: count for line, count in said.items() if line[2] in shown}):
        yield "The corrections in the ledger are not those of the log."


def check_balances(export):
    """A balance is the sum of its entries. The bank, and in a season a match, is nobody: its balance is not shown."""
    sums = Counter()
    for entry in export["ledger"]:
        sums[entry["giver"], entry["asset"]] -= entry["amount"]
        sums[entry["receiver"], entry["asset"]] += entry["amount"]
    if export["format"] == "genius-season":
        held = [(each["handle"], *line) for each in export["cast"] for line in each["account"].items()]
        told = {(who, asset): units(value) for who, asset, value in held}
    else:
        told = {(who, asset): value for asset, held in export["balances"].items() for who, value in held.items()}
        assets = set(export["balances"])
        for who, asset in sums:
            if who is not None and asset in assets:
                told.setdefault((who, asset), 0)
    for (who, asset), value in sorted(told.items()):
        if sums[who, asset] != value:
            yield f"What {who} has of {asset} is not the sum of the entries."


def units(value):
    """Balances of blood garnets are printed with four decimals, and counted in ten-thousandths."""
    if isinstance(value, int):
        return value
    whole, _, decimals = value.partition(".")
    return int(whole + decimals.ljust(4, "0")[:4])


# -- together ------------------------------------------------------------------------------------------


def check_season(season, matches):
    """The log of each match that is at hand contains the head that the season has of it."""
    at_hand = {match["id"]: match for match in matches}
    for each in season.get("matches", []):
        match = at_hand.get(each["id"])
        if match and each["log_head"] not in [digest for digest, _, _ in rows_of(match)]:
            yield f"The log of match {each['key']} is not the one that the season has."


def problems_of(data: bytes, heads=(), matches=()) -> list:
    """What does not agree in an export (its bytes), a sentence each; none if all does. Raises `Unreadable`."""
    export = read(data)
    try:
        chain = [*check_bytes(data, export), *check_chain(export)]
        checks = (check_receipts, check_sum, check_seed, check_ledger, check_corrections, check_balances)
        found = [sentence for check in checks for sentence in check(export)]
        return [*chain, *check_heads(export, heads), *found, *check_season(export, matches)]
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        return [f"Something is missing in the file, or has another form: {type(error).__name__} {error}."]


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Prove exported matches and seasons.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--head", action="append", default=[], help="a published fingerprint (16 digits of it or more)")
    chosen = parser.parse_args(arguments)
    status, read_files = 0, []
    for name in chosen.files:
        try:
            with open(name, "rb") as file:
                data = file.read()
            read_files.append((name, data, read(data)))
        except (OSError, Unreadable) as error:
            print(f"{name}: cannot be read. {error}")
            status = 2
    matches = [export for _, _, export in read_files if export["format"] == "genius-match"]
    for number, (name, data, export) in enumerate(read_files):
        found = problems_of(data, [head.lower() for head in chosen.head] if number == 0 else [], matches)
        print(f"{name}: {' '.join(found) or 'ok'} ({export.get('title')})")
        status = max(status, 1 if found else 0)
    return status


if __name__ == "__main__":
    sys.exit(main())
