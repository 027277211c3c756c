"""The exceptions that services raise, and retries when the database asks for them.

Exception
└── Refused              `code` for programs, `message` for people, `status` for HTTP
    ├── NotAPlayer       403: acts in a match in which they do not play
    ├── KeyConflict      409: the same idempotency key with another body
    ├── TooManyRefused   429: the log takes no more refused actions of this player for a while
    ├── BotPlays         409: acts while a bot plays for them
    ├── BadKey           400: an idempotency key that cannot be stored
    ├── TooLarge         413: larger than any action
    ├── Busy             503: the database is too busy; the same request may succeed later
    ├── MatchFault       503: the rules failed; nothing was stored, hosts are told
    └── CommandRefused   409: a host's (or joiner's) command that cannot be carried out now
        └── TooOften     429: joins, or says to be away, too often in one match
"""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from django.db import OperationalError, connection

from matches.engine.errors import Rejected
from matches.games.registry import RulesUnknown
from matches.infra.db_waits import is_busy


class Refused(Exception):
    """A request that was understood but not carried out. Nothing was changed."""

    code = "refused"
    status = 400
    retry_after: int | None = None
    """Seconds until it may be worth trying again; None if unknown."""

    usual = ""
    """The message if none is given."""

    def __init__(self, message: str = "", *, code: str | None = None, field: str | None = None) -> None:
        self.message = message or self.usual
        super().__init__(self.message)
        self.field = field
        if code is not None:
            self.code = code


class NotAPlayer(Refused):
    code = "not_a_player"
    status = 403
    is_hidden = False
    """Whether strangers must not learn that the match exists."""


class KeyConflict(Refused):
    code = "key_reused"
    status = 409
    usual = "This Idempotency-Key was used for something else. Use a new key for a new request."


class TooManyRefused(Refused):
    code = "too_many_refused"
    status = 429


class BadKey(Refused):
    code = "bad_key"


class TooLarge(Refused):
    code = "too_large"
    status = 413


class Busy(Refused):
    code = "busy"
    status = 503
    retry_after = 2


class MatchFault(Refused):
    code = "match_fault"
    status = 503
    retry_after = 60


class CommandRefused(Refused):
    code = "command_refused"
    status = 409


@contextmanager
def refused_by_rules() -> Iterator[None]:
    """Turn `Rejected` from the rules into `CommandRefused` with the same code, message and field."""
    try:
        yield
    except Rejected as rejection:
        raise CommandRefused(rejection.message, code=rejection.code, field=rejection.field) from rejection


# -- trying again, and failures of the rules ---------------------------------------------------------------

P = ParamSpec("P")
R = TypeVar("R")

BUSY = "The site is too busy right now. Nothing was saved. Please try again."

_MOST_TRIES = 5
_RETRYABLE = {"40001", "40P01"}  # serialization failure, deadlock detected


def retrying(function: Callable[P, R]) -> Callable[P, R]:
    """Run the whole function again if PostgreSQL asks for it, except inside a transaction.

    Raises `Busy` if the database still fails after a few tries, or does not get a lock in time. Nothing was stored
    then.
    """

    @functools.wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        for attempt in range(1, _MOST_TRIES + 1):
            try:
                return function(*args, **kwargs)
            except OperationalError as error:
                if connection.in_atomic_block:
                    raise
                if getattr(error.__cause__, "sqlstate", None) in _RETRYABLE:
                    if attempt < _MOST_TRIES:
                        continue
                elif not is_busy(error):
                    raise
                raise Busy(BUSY) from error
        raise AssertionError("unreachable")

    return wrapper


class RuleFailure(Exception):
    """The rules raised an unexpected exception, or the database refused what the rules posted."""


@contextmanager
def as_rule_failure() -> Iterator[None]:
    """Turn any exception from the rules or the database constraints into `RuleFailure`.

    Rejections and refusals pass, as do errors of the database that `retrying` handles. Rules that this site does not
    know raise `MatchFault` instead, so that no fault is noted and the match goes on once they are known.
    """
    try:
        yield
    except RulesUnknown as error:
        raise MatchFault(str(error), code="rules_unknown") from error
    except (Rejected, Refused, RuleFailure, OperationalError):
        raise
    except Exception as error:
        raise RuleFailure(f"{type(error).__name__}: {error}") from error
