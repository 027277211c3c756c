"""A style sheet, read into its rules: as much of CSS as the tests here need."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tests.architecture.files import File

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_QUOTED = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_PIECE = re.compile(r"[^{};]*[{};]")


class Rule(NamedTuple):
    """What stands before and between a pair of braces. `around`: the same of the rules about it, outermost first."""

    path: str
    line: int
    around: tuple[str, ...]
    head: str
    declarations: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.head[:60]}"


def rules(file: File) -> Iterator[Rule]:
    """Every rule of a sheet, at-rules too, in the order in which they end."""
    text = _COMMENT.sub(lambda found: "\n" * found.group(0).count("\n"), file.text)
    text = _QUOTED.sub(lambda found: re.sub("[{};:]", " ", found.group(0)), text)  # these would lead astray
    open_rules: list[tuple[int, str, list[tuple[str, str]]]] = []
    for piece in _PIECE.finditer(text):
        words, end = " ".join(piece.group(0)[:-1].split()), piece.group(0)[-1]
        line = text.count("\n", 0, piece.end() - 1) + 1 - piece.group(0)[:-1].lstrip().count("\n")
        if end == "{":
            open_rules.append((line, words, []))
            continue
        if words and open_rules and ":" in words:
            name, value = words.split(":", 1)
            open_rules[-1][2].append((name.strip(), value.strip()))
        if end == "}":
            began, head, declarations = open_rules.pop()
            around = tuple(each[1] for each in open_rules)
            yield Rule(file.path, began, around, head, tuple(declarations))
