"""What is handed to the group writer, and what becomes of it."""

from collections.abc import Callable
from typing import NamedTuple

from accounts.models import ApiToken
from matches.services.actions import Answer


class Pass(NamedTuple):
    """A personal token, which is read in the group's transaction, so that one just revoked no longer counts.

    `admit` gets the token of that digest if its person's account is open, else None; it returns the id of the user who
    acts, or raises why nobody does. It runs in the writer's thread, before anything is judged, and must be quick.
    """

    digest: str
    admit: Callable[[ApiToken | None], int]


class Ask(NamedTuple):
    """An action: `match` by id or public id, `who` a user's id or a token, `raw` decoded JSON, `key` the idempotency
    key."""

    match: int | str
    who: int | Pass | None
    raw: object
    key: str = ""


class Locked(Exception):
    """Somebody else has the match just now; nothing of the action was stored."""


Outcome = Answer | Exception
"""An exception is the answer to this action alone: `Locked`, `Refused`, `Match.DoesNotExist`, or what `admit`
raised."""
