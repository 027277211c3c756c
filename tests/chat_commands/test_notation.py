"""What is typed as options becomes an action; and every game's commands are such as a chat server takes."""

import re
from typing import Any

import msgspec

from chat_commands.catalogue import payload
from chat_commands.notation import read_action
from matches.engine.actions import Action


class Coins(msgspec.Struct):
    gold: int = 0
    silver: int = 0


class Row(msgspec.Struct):
    item: str
    auction: str | msgspec.UnsetType = msgspec.UNSET


class Everything(Action, frozen=True, tag="all"):
    """Has a field of each kind."""

    lot: str
    flat: dict[str, int]
    parts: dict[str, Coins]
    rows: tuple[Row, ...] = ()
    names: tuple[str, ...] = ()
    amount: int | msgspec.UnsetType = msgspec.UNSET
    flag: bool = False
    mixed: dict[str, int | str | tuple[str, ...] | dict[str, int]] = {}


def test_options_are_read_by_the_types_of_the_fields() -> None:
    typed = {
        "lot": " Z ",
        "flat": "Z=3, the attic: 2; 17 4",
        "parts": "a: gold=2 silver=1; b: silver=4",
        "rows": "item=ghost auction=a; item=spy",
        "names": "ann, bob",
        "amount": 5,
        "flag": True,
        "mixed": 'bid=-7; target = bob the second; year="1984"; cards=[ann, 2]; split={x 4, y=6}',
    }
    assert read_action(Everything, typed) == {
        "type": "all",
        "lot": "Z",
        "flat": {"Z": 3, "the attic": 2, "17": 4},
        "parts": {"a": {"gold": 2, "silver": 1}, "b": {"silver": 4}},
        "rows": [{"item": "ghost", "auction": "a"}, {"item": "spy"}],
        "names": ["ann", "bob"],
        "amount": 5,
        "flag": True,
        "mixed": {
            "bid": -7,
            "target": "bob the second",
            "year": "1984",
            "cards": ["ann", "2"],
            "split": {"x": 4, "y": 6},
        },
    }
    assert read_action(Everything, {"flat": ""}) == {"type": "all", "flat": {}}


NAME = re.compile(r"[-_a-z0-9]{1,32}")


def characters(part: dict[str, Any]) -> int:
    own = len(part["name"]) + len(part["description"])
    return own + sum(characters(option) for option in part.get("options", ()))


def test_every_command_is_within_the_limits_of_the_chat_server() -> None:
    commands = payload()
    assert len({command["name"] for command in commands}) == len(commands) <= 100
    for command in commands:
        assert characters(command) <= 8000
        assert 1 <= len(command["options"]) <= 25
        for part in (command, *command["options"], *(each for sub in command["options"] for each in sub["options"])):
            assert NAME.fullmatch(part["name"]), part["name"]
            assert 1 <= len(part["description"]) <= 100
        for sub in command["options"]:
            required = [option["required"] for option in sub["options"]]
            assert len(required) <= 25
            assert required == sorted(required, reverse=True)  # the chat server wants these first
            assert len({option["name"] for option in sub["options"]}) == len(required)
