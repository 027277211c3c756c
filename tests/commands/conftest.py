"""Scenario files to play, and the tiny game among the registered ones."""

import json
from pathlib import Path
from typing import Any

import pytest

from matches.games import registry
from tests.commands.played import GOOD
from tests.engine.tiny_game import GAME as TINY


@pytest.fixture(autouse=True)
def _tiny_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {**registry.all_games(), TINY.slug: TINY}
    monkeypatch.setattr(registry, "all_games", lambda: known)


@pytest.fixture
def write(tmp_path: Path) -> Any:
    """A function that writes a file: a scenario with some keys changed, or bytes as they are."""
    count = iter(range(1000))

    def write(content: Any = None, **changes: Any) -> Path:
        path = tmp_path / f"{next(count)}.json"
        if not isinstance(content, bytes):
            content = json.dumps({**GOOD, **changes} if content is None else content).encode()
        path.write_bytes(content)
        return path

    return write
