"""The journal: a file with a line for everything that was sent and everything that was answered, as it happened."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple


class Attempt(NamedTuple):
    """An action sent once. Times are seconds of one clock; `answered` is None where no answer came, and then `status`
    is 0. `answer`: the JSON body."""

    match: str
    player: str
    key: str
    body: dict[str, Any]
    web: str
    sent: float
    answered: float | None = None
    status: int = 0
    answer: dict[str, Any] = {}


class Journal:
    """Written line by line; each line is in the file before anything further happens."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w", buffering=1)
        self._number = 0

    def sent(self, **facts: Any) -> int:
        """A line about to be answered; its number."""
        self._number += 1
        self._write({"sent": self._number, **facts})
        return self._number

    def answered(self, number: int, **facts: Any) -> None:
        """The answer to that line."""
        self._write({"answered": number, **facts})

    def close(self) -> None:
        self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(f"{json.dumps(line)}\n")


def read(lines: Iterable[str]) -> list[Attempt]:
    """What a journal tells."""
    sent: dict[int, dict[str, Any]] = {}
    answers: dict[int, dict[str, Any]] = {}
    for text in lines:
        line = json.loads(text)
        if "sent" in line:
            sent[line.pop("sent")] = line
        else:
            answers[line.pop("answered")] = line
    attempts = list[Attempt]()
    for number, line in sent.items():
        answer = answers.get(number)
        found = {} if answer is None else {name: answer[name] for name in ("status", "answer")}
        attempts.append(Attempt(sent=line.pop("at"), answered=answer["at"] if answer else None, **line, **found))
    return attempts
