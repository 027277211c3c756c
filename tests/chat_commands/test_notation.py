"""What is typed as options becomes an action; and every game's commands are such as a chat server takes."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import pytest
from django.core.management import CommandError, call_command

from chat_commands import chat_api
from chat_commands.catalogue import payload
from chat_commands.notation import NotRead, bare, completed, fields_of, read_action, spelled
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


FIELDS = {field.encode_name: bare(field.type) for field in fields_of(Everything)}


def test_options_are_read_by_the_types_of_the_fields() -> None:
    typed = {
        "lot": " Z ",
        "flat": "Z=3, the attic: 2; 17 4",
        "parts": "a: gold=2 silver=1; b: silver=4",
        "rows": "item=ghost auction=a; item=spy",
        "names": "ann, bob",
        "amount": 5,
        "flag": True,
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
    }
    assert read_action(Everything, {"flat": ""}) == {"type": "all", "flat": {}}


def test_names_are_spelled_as_the_match_does_whatever_was_typed() -> None:
    names = ["Mill", "O", "ann", "Ann"]
    for read, meant in (
        ("o", "O"),
        ("Ann", "Ann"),
        ("x", "x"),
        ({"mill": 3, "o": 1}, {"Mill": 3, "O": 1}),
        (["ANN", "mill"], ["ANN", "Mill"]),
        ([{"item": "o"}], [{"item": "o"}]),
        (5, 5),
    ):
        assert spelled(read, names, "lots") == meant


def test_nobody_guesses_which_of_two_amounts_is_meant() -> None:
    for typed in ("Z=3, Z=4", "Z=3, Z=3"):
        with pytest.raises(NotRead, match="flat: “Z” is there twice"):
            read_action(Everything, {"flat": typed})
    with pytest.raises(NotRead, match="parts: “a” is there twice"):
        read_action(Everything, {"parts": "a: gold=1; a: gold=2"})
    with pytest.raises(NotRead, match="bids: “Z” is there twice"):
        spelled({"Z": 3, "z": 4}, ["Z"], "bids")


@pytest.mark.parametrize(
    ("field", "text"),
    [("flat", "Z"), ("flat", "Z=x"), ("flat", f"Z={'9' * 400}"), ("parts", "a"), ("parts", "a: gold"), ("rows", "x")],
)
def test_what_cannot_be_read_is_said(field: str, text: str) -> None:
    with pytest.raises(NotRead, match=f"^{field}: "):
        read_action(Everything, {field: text})


def test_the_last_name_is_completed() -> None:
    names = ["a", "ab", "B"]
    assert completed(FIELDS["lot"], "A", names, 25) == ["a", "ab"]
    assert completed(FIELDS["flat"], "x=1,a", names, 25) == ["x=1, a=", "x=1, ab="]
    assert completed(FIELDS["parts"], "", names, 2) == ["a: ", "ab: "]
    assert completed(FIELDS["names"], "x, b", names, 25) == ["x, B"]
    assert completed(FIELDS["flat"], "a=1", names, 25) == ["a=1"]


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


def test_the_command_prints_or_registers_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], settings: Any
) -> None:
    call_command("register_chat_commands", dry_run=True)
    assert json.loads(capsys.readouterr().out) == payload()
    with pytest.raises(CommandError, match="DISCORD_BOT_TOKEN"):
        call_command("register_chat_commands")
    sent: list[Any] = []
    settings.CHAT_BOT_TOKEN = "a token"

    def call(*args: Any, bot_token: str) -> tuple[int, str]:
        sent.append((*args, bot_token))
        return (200 if len(sent) == 1 else 401), "no"

    monkeypatch.setattr(chat_api, "call", call)
    call_command("register_chat_commands")
    assert sent == [("PUT", "/applications/4711/commands", payload(), "a token")]
    assert "Registered: /genius, /" in capsys.readouterr().out
    with pytest.raises(CommandError, match="401"):
        call_command("register_chat_commands")
