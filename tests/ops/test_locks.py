"""The locks say exactly what is installed, agree with pyproject.toml, and name no place to download from."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-uv.lock")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def pins(name: str) -> dict[str, str]:
    """Distribution -> version of one lock."""
    found = re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", (ROOT / name).read_text(), re.MULTILINE)
    return {canonicalize_name(distribution): version for distribution, version in found}


def asked(groups: list[str]) -> list[Requirement]:
    """The project's own requirements and those of the named groups, with the groups that these include."""
    lines: list[str] = list(PROJECT["project"]["dependencies"])
    todo = list(groups)
    while todo:
        for entry in PROJECT["dependency-groups"][todo.pop()]:
            if isinstance(entry, str):
                lines.append(entry)
            else:
                todo.append(entry["include-group"])
    return [Requirement(line) for line in lines]


@pytest.mark.parametrize(("lock", "groups"), [("requirements.lock", []), ("requirements-dev.lock", ["dev"])])
def test_every_requirement_is_pinned_within_its_bounds(lock: str, groups: list[str]) -> None:
    pinned = pins(lock)
    wrong = [
        f"{requirement}: {pinned.get(canonicalize_name(requirement.name))}"
        for requirement in asked(groups)
        if not requirement.specifier.contains(pinned.get(canonicalize_name(requirement.name), "0"))
    ]
    assert not wrong, f"run `make lock`: {wrong}"


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_hashes_and_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert not re.search(r"://|^\s*--?(index|extra|find|trusted)|^-[ifer]\b|@ ", text, re.MULTILINE)
    blocks = re.split(r"\n(?=[A-Za-z0-9])", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    assert [block.splitlines()[0] for block in blocks if block.strip() and "--hash=sha256:" not in block] == []
