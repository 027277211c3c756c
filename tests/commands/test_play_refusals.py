"""`manage.py play` on files that are no scenarios: one clear sentence each, and never a traceback."""

from typing import Any

import pytest

from tests.commands.played import players, refusal

SURROGATE = b'{"game": "tiny", "players": [{"handle": "\\ud800"}], "steps": []}'
TEXTS: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "empty"),
    "blanks": (b" \n ", "empty"),
    "no JSON": (b"{game: tiny}", "not JSON"),
    "cut off": (b'{"game": "tiny"', "not JSON"),
    "two documents": (b"{} {}", "not JSON"),
    "not UTF-8": (b'{"game": "\xff"}', "UTF-8"),
    "UTF-16": ('{"game": "tiny"}'.encode("utf-16"), "UTF-8"),
    "NaN": (b'{"game": "tiny", "steps": [{"at": NaN}]}', "NaN"),
    "Infinity": (b'{"at": -Infinity}', "Infinity"),
    "a number without end": (b'{"at": 1e999}', "too large"),
    "too many digits": (b'{"at": ' + b"9" * 5000 + b"}", "digits"),
    "a key twice": (b'{"game": "tiny", "game": "tiny"}', '"game" appears twice'),
    "a key twice inside": (b'{"steps": [{"action": {"type": "bid", "type": "bid"}}]}', '"type" appears twice'),
    "half a surrogate pair": (SURROGATE, "surrogate"),
    "half a pair as a key": (b'{"\\udfff": 1}', "surrogate"),
    "deep": (b"[" * 200 + b"]" * 200, "deep"),
    "bottomless": (b"[" * 200_000, "deep"),
    "huge": (b'"' + b"x" * (8 * 1024 * 1024) + b'"', "larger than"),
    "a list": (b"[]", "expected an object"),
    "a word": (b'"tiny"', "expected an object"),
    "null": (b"null", "expected an object"),
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
    "config of the wrong type": ({"config": []}, "config"),
    "config null": ({"config": None}, "config"),
    "an unknown key of the config": ({"config": {"colour": 1}}, "colour"),
    "a wrong type in the config": ({"config": {"chips": "10"}}, "chips"),
    "a float in the config": ({"config": {"chips": 10.0}}, "chips"),
    "a negative time in the config": ({"config": {"closes": -1}}, "closes"),
    "a seed too short": ({"seed": "00"}, "seed"),
    "a seed that is not hexadecimal": ({"seed": "zz" * 32}, "seed"),
    "a seed of the wrong type": ({"seed": 0}, "seed"),
    "a seed with a line end": ({"seed": "00" * 32 + "\n"}, "seed"),
    "players of the wrong type": ({"players": {}}, "players"),
    "a player of the wrong type": ({"players": ["ann"]}, "players[0]"),
    "a player without a handle": ({"players": [{"garnets": 1}, {"handle": "b"}]}, "players[0].handle"),
    "an empty handle": ({"players": players({"handle": ""})}, "players[0].handle"),
    "a handle with a space": ({"players": players({"handle": "a b"})}, "players[0].handle"),
    "a handle that does not show": ({"players": players({"handle": "a\u200b"})}, "players[0].handle"),
    "a handle too long": ({"players": players({"handle": "x" * 31})}, "players[0].handle"),
    "a handle twice": ({"players": players({}, {"handle": "p0"})}, "players[1].handle"),
    "an unknown key of a player": ({"players": players({"gold": 1})}, "gold"),
    "negative garnets": ({"players": players({"garnets": -1})}, "garnets"),
    "garnets true": ({"players": players({"garnets": True})}, "garnets"),
    "garnets as text": ({"players": players({"garnets": "3"})}, "garnets"),
    "garnets 3.0": ({"players": players({"garnets": 3.0})}, "garnets"),
    "too much priority": ({"players": players({"priority": 10**12})}, "priority"),
    "a team of the wrong type": ({"players": players({"team": None})}, "team"),
    "too few players": ({"players": [{"handle": "ann"}]}, "players"),
    "too many players": ({"players": players(*[{}] * 9)}, "players"),
    "steps of the wrong type": ({"steps": {}}, "steps"),
    "a step of the wrong type": ({"steps": [5]}, "steps[0]"),
    "a step without a time": ({"steps": [{"player": "ann", "action": {}}]}, "steps[0].at"),
    "a negative time": ({"steps": step(at=-1)}, "steps[0].at"),
    "a negative time in parts": ({"steps": step(at="-1h")}, "steps[0].at"),
    "no time": ({"steps": step(at="soon")}, "steps[0].at"),
    "a time of the wrong type": ({"steps": step(at=True)}, "steps[0].at"),
    "a time beyond all measure": ({"steps": step(at=10**20)}, "steps[0].at"),
    "time going back": ({"steps": [{"at": "2h"}, {"at": "90m"}]}, "steps[1].at"),
    "an unknown key of a step": ({"steps": step(when=1)}, "when"),
    "a player who does nothing": ({"steps": [{"at": 0, "player": "ann"}]}, "steps[0].action"),
    "an action of nobody": ({"steps": [{"at": 0, "action": {}}]}, "steps[0].player"),
    "a player of the wrong type in a step": ({"steps": step(player=5)}, "steps[0].player"),
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
