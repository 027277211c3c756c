"""Checks and parses what a chat server sends: it must be signed, fresh and well-formed.

The signature is Ed25519 over the timestamp and the raw body. It is checked before anything is parsed.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import Meta, Struct

FRESH_SECONDS = 300
"""The most seconds by which a timestamp may be in the past or future."""

PING, COMMAND, AUTOCOMPLETE = 1, 2, 4

Snowflake = Annotated[str, Meta(pattern=r"^[0-9]{1,20}\Z")]


class NotTaken(Exception):
    """A refused request: 401 if its sender is not proven, else 400."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


class Option(Struct):
    """An option of a command, or a subcommand with options of its own."""

    name: str
    type: int
    value: str | int | float | bool | None = None
    focused: bool = False
    options: list[Option] = []


class Data(Struct):
    """The command that was used."""

    name: str
    options: list[Option] = []


class ChatUser(Struct):
    """The person who used a command."""

    id: Snowflake


class Member(Struct):
    """The user on a server, as a member of it."""

    user: ChatUser


class Interaction(Struct):
    """What a chat server sends when somebody uses a command. Other fields are not read."""

    id: Snowflake
    application_id: Snowflake
    type: int
    data: Data | None = None
    user: ChatUser | None = None
    member: Member | None = None

    @property
    def chat_id(self) -> str:
        """The id of the chat account that sent it, or empty."""
        user = self.member.user if self.member else self.user
        return user.id if user else ""

    @property
    def command(self) -> tuple[str, str, list[Option]]:
        """The names of command and subcommand, and the options."""
        if self.data is None:
            return "", "", []
        if len(self.data.options) == 1 and self.data.options[0].type == 1:
            return self.data.name, self.data.options[0].name, self.data.options[0].options
        return self.data.name, "", self.data.options

    def values(self) -> dict[str, Any]:
        """Name of an option -> what was chosen or typed."""
        return {option.name: option.value for option in self.command[2]}

    def focused(self) -> Iterator[Option]:
        """The option that is being typed."""
        return (option for option in self.command[2] if option.focused)


def check(body: bytes, signature: str, timestamp: str, public_key: str, now: datetime) -> None:
    """Raise `NotTaken` (401) unless the body was signed with that key, at about this time."""
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise NotTaken(401, "bad_signature", "The request is not signed.")
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
        key.verify(bytes.fromhex(signature), timestamp.encode() + body)
    except (InvalidSignature, ValueError, TypeError):
        raise NotTaken(401, "bad_signature", "The signature does not match the request.") from None
    if abs(now.timestamp() - int(timestamp)) > FRESH_SECONDS:
        raise NotTaken(401, "stale", "The request's time is more than five minutes from this site's time.")


def read(body: bytes, application_id: str) -> Interaction:
    """Parse the interaction in a body whose signature is valid. Raises `NotTaken` (400)."""
    try:
        found = msgspec.json.decode(body, type=Interaction)
    except (msgspec.DecodeError, RecursionError):  # a validation error is a decode error
        raise NotTaken(400, "malformed", "This is not an interaction.") from None
    if found.application_id != application_id:
        raise NotTaken(400, "malformed", "This is for another application.")
    if found.type != PING and (found.type not in (COMMAND, AUTOCOMPLETE) or not found.chat_id or found.data is None):
        raise NotTaken(400, "malformed", "This address takes only commands and autocompletion.")
    return found
