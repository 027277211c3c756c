"""`manage.py play` on files that are no scenarios: one clear sentence each, and never a traceback."""

from typing import Any

import pytest

from tests.commands.played import players, refusal

SURROGATE = b'{"game": "tiny", "players": [{"handle": "\\ud800"}], "steps": []}'
TEXTS: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "empty"),
    "no JSON": (b"{game: tiny}", "not JSON"),
    "two documents": (b"{} {}", "not JSON"),
    "not UTF-8": (b'{"game": "\xff"}', "UTF-8"),
    "NaN": (b'{"game": "tiny", "steps": [{"at": NaN}]}', "NaN"),
    "a number without end": (b'{"at": 1e999}', "too large"),
    "a key twice": (b'{"game": "tiny", "game": "tiny"}', '"game" appears twice'),
    "half a surrogate pair": (SURROGATE, "surrogate"),
    "bottomless": (b"[" * 200_000, "deep"),
    "huge": (b'"' + b"x" * (8 * 1024 * 1024) + b'"', "larger than"),
    "a list": (b"[]", "expected an object"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_no_json_is_refused_in_one_sentence(name: str, write: Any) -> None:
    content, expected = TEXTS[name]
    assert expected in refusal(write(content))


def step(**changes: Any) -> list[dict[str, Any]]:
    return [{"at": 0, "player": "ann", "action": {"type": "withdraw"}, **changes}]


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown key": ({"stepz": []}, "stepz"),
    "no game": ({"game": None}, "game"),
    "another game": ({"game": "chess"}, "chess"),
    "a game of the wrong type": ({"game": ["tiny"]}, "game"),
    "a seed too short": ({"seed": "00"}, "seed"),
    "a seed that is not hexadecimal": ({"seed": "zz" * 32}, "seed"),
    "a seed with a line end": ({"seed": "00" * 32 + "\n"}, "seed"),
    "a player without a handle": ({"players": [{"garnets": 1}, {"handle": "b"}]}, "players[0].handle"),
    "a handle with a space": ({"players": players({"handle": "a b"})}, "players[0].handle"),
    "a handle that does not show": ({"players": players({"handle": "a\u200b"})}, "players[0].handle"),
    "a handle twice": ({"players": players({}, {"handle": "p0"})}, "players[1].handle"),
    "an unknown key of a player": ({"players": players({"gold": 1})}, "gold"),
    "negative garnets": ({"players": players({"garnets": -1})}, "garnets"),
    "too much priority": ({"players": players({"priority": 10**12})}, "priority"),
    "too few players": ({"players": [{"handle": "ann"}]}, "players"),
    "too many players": ({"players": players(*[{}] * 9)}, "players"),
    "a step without a time": ({"steps": [{"player": "ann", "action": {}}]}, "steps[0].at"),
    "a negative time": ({"steps": step(at=-1)}, "steps[0].at"),
    "a time beyond all measure": ({"steps": step(at=10**20)}, "steps[0].at"),
    "time going back": ({"steps": [{"at": "2h"}, {"at": "90m"}]}, "steps[1].at"),
    "an unknown key of a step": ({"steps": step(when=1)}, "when"),
    "a player who does nothing": ({"steps": [{"at": 0, "player": "ann"}]}, "steps[0].action"),
    "an action of nobody": ({"steps": [{"at": 0, "action": {}}]}, "steps[0].player"),
    "an expectation of nothing": ({"steps": [{"at": 0, "accepted": True}]}, "steps[0].accepted"),
    "accepted false": ({"steps": step(accepted=False)}, "steps[0].accepted"),
    "rejected true": ({"steps": step(rejected=True)}, "steps[0].rejected"),
    "both expectations": ({"steps": step(accepted=True, rejected="x")}, "steps[0].accepted"),
    "run_out of the wrong type": ({"run_out": 1}, "run_out"),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_impossible_scenario_is_refused_by_its_key(name: str, write: Any) -> None:
    changes, key = WRONG[name]
    assert key in refusal(write(**changes))
