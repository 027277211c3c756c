"""A game's scenario files, and what the files in `expected/` beside them say of the position that each comes to.

An expected file holds the parts of the printed report that the scenario is about: of an object only the named keys
are compared (of a list, where it names places by number, only these), everything else exactly.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matches.engine.scenario import play, read
from matches.engine.strict_json import loads
from matches.games.registry import game_of


def scenarios_in(folder: Path) -> list[Path]:
    """The scenario files of a game, given the folder of its tests."""
    return sorted((folder / "scenarios").glob("*.json"))


def read_json(path: Path) -> Any:
    return loads(path.read_bytes())


def played(path: Path) -> Any:
    """The report of a scenario, as it is printed."""
    return json.loads(json.dumps(play(read(read_json(path), game_of))))


def rejected_in(paths: Sequence[Path]) -> set[str]:
    """The codes with which scenarios expect actions to be refused."""
    steps = [step for path in paths for step in read_json(path).get("steps", [])]
    return {step["rejected"] for step in steps if "rejected" in step}


def unlike_expected(path: Path) -> Any:
    """Of what the expected file names, what the scenario comes to and what was expected; None where they agree."""
    expected = read_json(path.parent.parent / "expected" / path.name)
    assert expected, f"{path.name} expects nothing"
    found = _named_part(played(path), expected)
    return None if found == expected else {"found": found, "expected": expected}


def not_in_both(folder: Path) -> set[str]:
    """Scenarios without an expected file, and expected files without a scenario."""
    return {path.name for path in (folder / "expected").glob("*.json")} ^ {path.name for path in scenarios_in(folder)}


def _named_part(whole: Any, part: Any) -> Any:
    """Of `whole`, what `part` names."""
    if isinstance(whole, dict) and isinstance(part, dict):
        return {key: _named_part(whole[key], value) for key, value in part.items() if key in whole}
    if isinstance(whole, list) and isinstance(part, dict):
        places = {place: value for place, value in part.items() if int(place) < len(whole)}
        return {place: _named_part(whole[int(place)], value) for place, value in places.items()}
    return whole
