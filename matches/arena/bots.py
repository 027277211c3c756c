"""The bots of an arena that do not come with the games: Python files in processes of their own.

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
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Protocol, cast

from matches.engine.actions import RawAction

_LONGEST_ANSWER = 64 * 1024
MOST_ENDS = 20
"""How often a bot's process may end by itself: to begin one takes far longer than a turn."""
MOST_SLOW = 20
"""How many turns in a row a bot may be too slow for: one that hangs would keep an arena for days."""


class Lost(Exception):
    """The bot has lost its turn. `kind` is one of `KINDS`, `detail` a few words."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind, self.detail = kind, detail


class Unusable(Exception):
    """A file that is not a bot. The message says why, in the words of Python."""


KINDS = ("raised", "too slow", "rubbish", "refused")
"""How a turn can be lost: the bot failed, took too long, said something that is not an action, or broke a rule."""


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


class FileBot:
    """A Python file with a function `choose`, in a process of its own that is ended when it takes longer than
    `seconds` for an answer (`starting` for reading the file), and begun again for the next; unless it has ended by
    itself `MOST_ENDS` times, or was too slow `MOST_SLOW` times in a row."""

    def __init__(self, name: str, path: Path, seconds: float, starting: float = 20.0) -> None:
        self.name, self._path, self._seconds, self._starting = name, path, seconds, starting
        self._child: _Child | None = None
        self._ends = 0
        self._slow = 0

    def begin(self) -> _Child:
        """Its process, which has read the file. Raises `Unusable`, `TimeoutError`."""
        if self._child is not None:
            return self._child
        child = _Child(self._path)
        try:
            said = json.loads(child.line(self._starting))
        except EOFError:
            raise Unusable(f"its process ended with code {child.end()}") from None
        except BaseException:
            child.end()
            raise
        if "unusable" in said:
            child.end()
            raise Unusable(said["unusable"])
        self._child = child
        return child

    def choose(self, public: Any, private: Any, now: float) -> RawAction | None:
        """Ask the process. Raises `Lost`."""
        if self._ends >= MOST_ENDS:
            raise Lost("raised", f"its process ended {MOST_ENDS} times, and was not begun again")
        if self._slow >= MOST_SLOW:
            raise Lost("too slow", f"for {MOST_SLOW} turns in a row, and was not begun again")
        try:
            child = self.begin()
            child.say(json.dumps([public, private, now]).encode())
            answer = json.loads(child.line(self._seconds))
            self._slow = 0
        except Unusable as error:
            self._ends += 1
            raise Lost("raised", str(error)[:100]) from None
        except (BrokenPipeError, EOFError):
            self._ends += 1
            code = self._child.end() if self._child else 0
            self._child = None
            raise Lost("raised", f"its process ended with code {code}") from None
        except TimeoutError:
            self._slow += 1
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

    def end(self) -> int:
        """At once. Returns the code with which it ended."""
        if self._out_is_shut():
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
        self._process.kill()
        with suppress(BrokenPipeError):
            self._in.close()
        self._out.close()
        return self._process.wait()

    def _out_is_shut(self) -> bool:
        """Whether it is ending by itself, so that its own code can be told."""
        ready, _, _ = select.select([self._out.fileno()], [], [], 0)
        return bool(ready) and not os.read(self._out.fileno(), 1)
