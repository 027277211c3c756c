"""What `manage.py verify` compares besides matches, and which exported files it can prove. Other apps register in
`AppConfig.ready`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Subject:
    """Something with a log of its own. `verify` gives what does not agree with it, a sentence each; `hashes` those of
    the log's rows, in their order."""

    public_id: str
    title: str
    verify: Callable[[], list[str]]
    hashes: Callable[[], list[str]]

    def lost(self, heads: Iterable[str]) -> list[str]:
        """Which published heads (or their first digits) the log does not contain any more, a sentence each."""
        rows = self.hashes()
        return [
            f"The log does not contain the head {head}: it was rewritten, or the head is of another log."
            for head in heads
            if not any(digest.startswith(head.lower()) for digest in rows)
        ]


Find = Callable[[list[str]], Iterable[Subject]]
Prove = Callable[[Any], list[str]]

_finders: list[Find] = []
_provers: dict[str, Prove] = {}

SHORTEST_HEAD = 16


def register(find: Find, file_format: str, prove: Prove) -> None:
    """From now on verify what `find` gives for these public ids (all, if there are none), and prove files whose
    `format` is this one. `prove` raises `ValueError` with a sentence for a file that it cannot read."""
    if find not in _finders:
        _finders.append(find)
    _provers[file_format] = prove


def subjects(ids: list[str]) -> Iterable[Subject]:
    """What other apps have of these public ids; all of it, if there are none."""
    for find in _finders:
        yield from find(ids)


def prove(raw: dict[str, Any]) -> list[str] | None:
    """What does not agree if the log of a decoded file is played again by the rules; None where its rows do not say
    enough for that. Raises `ValueError` with a sentence."""
    played = _provers.get(raw["format"])
    return None if played is None else played(raw)
