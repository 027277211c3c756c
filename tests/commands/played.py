"""Running `manage.py play` inside the test, and scenarios for it."""

import io
import json
from pathlib import Path
from typing import Any

from django.core.management import call_command

BIDS = [
    {"at": "1h", "player": "ann", "action": {"type": "bid", "amount": 3}},
    {"at": 7200, "player": "bob", "action": {"type": "bid", "amount": 30}, "rejected": "not_enough_chips"},
    {"at": "3h"},
]
GOOD: dict[str, Any] = {
    "game": "tiny",
    "players": [{"handle": "ann"}, {"handle": "bob", "garnets": 3, "priority": 1}, {"handle": "cat"}],
    "steps": BIDS,
}


class Played:
    """What one run of the command said."""

    def __init__(self, *arguments: str | Path) -> None:
        out, err = io.StringIO(), io.StringIO()
        self.status = 0
        try:
            call_command("play", *map(str, arguments), stdout=out, stderr=err)
        except SystemExit as end:
            self.status = int(end.code or 0)
        self.lines = [json.loads(line) for line in out.getvalue().splitlines()]
        self.text, self.errors = out.getvalue(), err.getvalue()


def refusal(*arguments: str | Path) -> str:
    played = Played(*arguments)
    assert played.status == 2
    (line,) = played.lines
    assert set(line) == {"error"}
    sentence: str = line["error"]
    assert sentence.endswith(".")
    assert not sentence.endswith("..")
    assert "\n" not in sentence
    assert "Traceback" not in played.text + played.errors
    return sentence


def players(*changes: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"handle": f"p{seat}", **change} for seat, change in enumerate((*changes, {}, {}))]
