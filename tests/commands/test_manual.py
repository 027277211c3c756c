"""Every command of this project is in the manual, and says by itself what it is for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = get_commands()
OURS = sorted(name for name, app in COMMANDS.items() if (ROOT / app).is_dir())


def test_the_manual_lists_every_command_and_no_other() -> None:
    manual = (ROOT / "docs" / "running.md").read_text()
    part = manual.partition("## Every command")[2].partition("\n## ")[0]
    rows = " ".join(re.findall(r"^\| ([^|]+) \|", part, re.MULTILINE))
    listed = set(re.findall(r"`(\w+)[^`]*`", rows))
    assert set(OURS) <= listed <= set(COMMANDS)


@pytest.mark.parametrize("name", OURS)
def test_a_command_says_what_it_is_for(name: str) -> None:
    command = load_command_class(COMMANDS[name], name)
    assert len(command.help.split()) > 5
    for action in command.create_parser("manage.py", name)._actions:
        assert action.help, f"{name}: {action.dest}"
