"""The frames of sockets, as types: what they are described by, and held to by the tests.

A frame has no type of its own: which fields it has says what it is.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType


class Said(Struct):
    """What a program may say. `ping` is answered with `pong`, `resync` with a whole frame."""

    type: Literal["ping", "resync"]


class Pong(Struct):
    """The answer to a ping."""

    type: Literal["pong"]


class Error(Struct):
    """Why a frame was not heeded, or why the socket is closed."""

    code: str
    message: str


class Refused(Struct):
    """Something was wrong with what you sent, or the socket ends now."""

    error: Error


class Hint(Struct):
    """Where there is something to ask for. `of` names the part of the site, such as `talk`; the other fields say
    where. `desk`: in one of the matches or seasons that you look after, without saying in which."""

    of: str
    match: str | UnsetType = UNSET


class Hinted(Struct):
    """There is something new beside the match, which has no version."""

    hint: Hint


class Changed(Struct):
    """What has changed; the first frame has everything. `version` is there with `public` and `match`, which everybody
    sees, `private_version` with your own `private`. A version that jumps by more than one is not a fault: changes are
    merged."""

    now: str
    version: int | UnsetType = UNSET
    match: Any = UNSET
    public: Any = UNSET
    private_version: int | UnsetType = UNSET
    private: Any = UNSET


class Present(Struct):
    """You are connected, and hear of what changes from now on."""

    now: str


class Told(Struct):
    """Your notices that you have not read, whenever they have changed."""

    now: str
    notices: list[dict[str, Any]]
    unread: int
