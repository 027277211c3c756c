"""Creates files and folders that only their owner can read: they hold sealed bids, seeds and the secret key."""

import os
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

_OTHERS = 0o077


def make_private_folder(folder: Path, *, is_ours: bool = False) -> None:
    """Make a folder (0700) with its parents. Close an existing, possibly shared one to others only if it `is_ours`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if is_ours:
        _close(folder)


def make_private(first: str | Path, *others: str | Path) -> None:
    """Make `first`, an empty file (0600), and its folder, unless it exists; close all the files to others."""
    make_private_folder(Path(first).parent)
    with suppress(FileExistsError):
        # An existing file is never opened: closing it again would drop SQLite's locks.
        os.close(os.open(first, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    for path in (first, *others):
        _close(path)


def kept(path: Path, make: Callable[[], str]) -> str:
    """Return the one line in this file, readable by its owner only; made by `make` if missing. Raises `OSError`."""
    draft = path.parent / f".{path.stem}-{os.getpid()}-{secrets.token_hex(4)}"
    if not path.exists():
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(make() + "\n")
        try:
            os.link(draft, path)  # atomic, and never over a file that another process has just made
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    make_private(path)
    return path.read_text().strip()


def _close(path: str | Path) -> None:
    with suppress(FileNotFoundError, PermissionError):  # not there, or not ours
        mode = stat.S_IMODE(os.stat(path).st_mode)
        if mode & _OTHERS:
            os.chmod(path, mode & ~_OTHERS)
