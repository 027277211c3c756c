"""The bots of an arena: those that come with the games, functions, and Python files in processes of their own.

A bot is asked `choose(public, private, now)`: the two views as the API gives them, and the match time in seconds. It
answers with an action as the API takes it, or with None to wait.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Protocol, cast

from matches.engine.actions import RawAction

_LONGEST_ANSWER = 64 * 1024

Choose = Callable[[dict[str, Any], dict[str, Any], float], Any]


class Lost(Exception):
    """The bot has lost its turn. `kind` is one of `KINDS`, `detail` a few words."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind, self.detail = kind, detail


KINDS = ("raised", "too slow", "rubbish", "refused")
"""How a turn can be lost: the bot failed, took too long, said what is no action, or broke a rule."""


class Bot(Protocol):
    """What an arena asks."""

    name: str

    def choose(self, public: Any, private: Any, now: float) -> RawAction | None:
        """An action, or None. Raises `Lost`."""

    def close(self) -> None:
        """It is not needed any more."""


def checked(answer: Any) -> RawAction | None:
    """What a bot answered, if it is an action or None. Raises `Lost`."""
    if answer is None or (isinstance(answer, dict) and isinstance(answer.get("type"), str)):
        return answer
    raise Lost("rubbish", f"no action: {json.dumps(answer)[:60]}")


class FunctionBot:
    """A function of this process. Nothing limits its time."""

    def __init__(self, name: str, function: Choose) -> None:
        self.name, self._function = name, function

    def choose(self, public: Any, private: Any, now: float) -> RawAction | None:
        """Ask the function. Raises `Lost`."""
        try:
            answer = self._function(public, private, now)
        except Exception as error:
            raise Lost("raised", repr(error)[:100]) from error
        return checked(answer)

    def close(self) -> None:
        """Nothing to do."""


class FileBot:
    """A Python file with a function `choose`, in a process of its own that is ended when it takes longer than
    `seconds` for an answer (`starting` for reading the file), and begun anew for the next."""

    def __init__(self, name: str, path: Path, seconds: float, starting: float = 20.0) -> None:
        self.name, self._path, self._seconds, self._starting = name, path, seconds, starting
        self._child: _Child | None = None

    def choose(self, public: Any, private: Any, now: float) -> RawAction | None:
        """Ask the process. Raises `Lost`."""
        try:
            if self._child is None:
                self._child = _Child(self._path)
                self._child.line(self._starting)
            self._child.say(json.dumps([public, private, now]).encode())
            answer = json.loads(self._child.line(self._seconds))
        except (BrokenPipeError, EOFError):
            self.close()
            raise Lost("raised", "its process ended") from None
        except TimeoutError:
            self.close()
            raise Lost("too slow", f"more than {self._seconds:g} s") from None
        except ValueError:
            self.close()
            raise Lost("rubbish", f"more than {_LONGEST_ANSWER // 1024} KiB") from None
        if "raised" in answer:
            raise Lost("raised", str(answer["raised"])[:100])
        return checked(answer.get("action"))

    def close(self) -> None:
        """End the process."""
        if self._child is not None:
            self._child.end()
            self._child = None


class _Child:
    """A process that answers each line with a line."""

    def __init__(self, path: Path) -> None:
        command = [sys.executable, "-I", str(Path(__file__).with_name("child.py")), str(path)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
        self._in, self._out = cast(IO[bytes], self._process.stdin), cast(IO[bytes], self._process.stdout)

    def say(self, line: bytes) -> None:
        """Raises `BrokenPipeError` where nobody listens any more."""
        self._in.write(line + b"\n")
        self._in.flush()

    def line(self, seconds: float) -> bytes:
        """The next line. Raises `TimeoutError`, `EOFError` at the end, `ValueError` for too much."""
        found, until, number = b"", time.monotonic() + seconds, self._out.fileno()
        while not found.endswith(b"\n"):
            ready, _, _ = select.select([number], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise TimeoutError
            part = os.read(number, _LONGEST_ANSWER)
            if not part:
                raise EOFError
            found += part
            if len(found) > _LONGEST_ANSWER:
                raise ValueError("too long")
        return found

    def end(self) -> None:
        """At once."""
        self._process.kill()
        with suppress(BrokenPipeError):
            self._in.close()
        self._out.close()
        self._process.wait()
