"""A small file system of its own for a database, which can be full.

It is in memory (tmpfs) and in a mount namespace of this process alone, so nobody else sees it, and it is gone with the
process. That needs the right to mount; where there is none, nothing is said to have been tried.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

_NEW_NAMESPACE, _PRIVATE, _RECURSIVE, _REMOUNT = 0x20000, 1 << 18, 16384, 32
_ROOM = 512 * 2**20
_libc = ctypes.CDLL(None, use_errno=True)


class SmallDisk:
    """Mounted on an empty folder. Raises `OSError` where that is not allowed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        _call(_libc.unshare, _NEW_NAMESPACE)
        _call(_libc.mount, b"none", b"/", None, _RECURSIVE | _PRIVATE, None)
        self._mount(0, _ROOM)

    def fill(self) -> None:
        """Leave no room: it becomes as small as what is in it."""
        used = os.statvfs(self._folder)
        self._mount(_REMOUNT, (used.f_blocks - used.f_bfree) * used.f_frsize)

    def free(self) -> None:
        """Give it its room back."""
        self._mount(_REMOUNT, _ROOM)

    def _mount(self, flags: int, size: int) -> None:
        _call(_libc.mount, b"genius-faults", bytes(self._folder), b"tmpfs", flags, f"size={size}".encode())


def _call(function: ctypes._NamedFuncPointer, *arguments: object) -> None:
    if function(*arguments):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
