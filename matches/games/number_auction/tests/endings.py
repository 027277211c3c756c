"""The ways in which a match can end that its scenarios must show, with every condition and line."""

from collections.abc import Callable
from typing import Any

from matches.games.number_auction.conditions import CONDITIONS, LINES


def _decided_by(word: str) -> Callable[[Any], bool]:
    return lambda report: bool(report["outcome"]) and report["public"]["result"]["decided_by"] == word


def _somebody_has(key: str, name: str) -> Callable[[Any], bool]:
    return lambda report: any(name in each[key] for each in (report["outcome"] or {"details": {}})["details"].values())


ENDINGS = {
    **{f"decided by {word or 'nothing'}": _decided_by(word) for word in ("lines", "conditions", "points", "")},
    **{f"condition {name} is met": _somebody_has("conditions", name) for name in CONDITIONS},
    **{f"{line} is full alone": _somebody_has("unique_lines", line) for line in LINES},
}
