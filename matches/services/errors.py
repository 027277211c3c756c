"""The exceptions that services raise.

Exception
└── Refused              `code` for programs, `message` for people, `status` for HTTP
    ├── NotAPlayer       403: acts in a match that is not theirs
    ├── KeyConflict      409: the same idempotency key with another body
    ├── TooManyRefused   429: the log keeps no more refused actions of this player for a while
    ├── TooOften         429: joins, or says to be away, too often in one match
    ├── BotPlays         409: acts where a bot plays for them
    ├── BadKey           400: an idempotency key that cannot be kept
    ├── TooLarge         413: more than any action takes
    ├── Busy             503: the database has too much to do; the same again will do
    ├── MatchFault       503: the rules failed; nothing was stored, hosts are told
    └── CommandRefused   a host's (or joiner's) command that cannot be carried out now
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
    """A request that was understood and not carried out; nothing was changed."""

    code = "refused"
    status = 400
    retry_after: int | None = None
    """Seconds until the same may be worth another try; None where nobody knows."""

    usual = ""
    """What it says where nothing else is said."""

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
    """Whether the match is one that strangers are not to know of."""


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


class CommandRefused(Refused):
    code = "command_refused"
    status = 409


@contextmanager
def refused_by_rules() -> Iterator[None]:
    """Within the block what rules refuse is a command that is refused, with their code."""
    try:
        yield
    except Rejected as rejection:
        raise CommandRefused(rejection.message, code=rejection.code, field=rejection.field) from rejection


# -- trying again ------------------------------------------------------------------------------------------
# Wraps the writer: tries again if the database asks for it, and turns failures of the rules into errors.

P = ParamSpec("P")
R = TypeVar("R")

BUSY = "The site is too busy right now. Nothing was saved. Please try again."

_MOST_TRIES = 5
_RETRYABLE = {"40001", "40P01"}  # serialization failure, deadlock detected


def retrying(function: Callable[P, R]) -> Callable[P, R]:
    """Run the whole function again where PostgreSQL asks for it; never inside a transaction.

    What the database still cannot do after a few tries, or for which it has no time (because somebody
    else keeps a lock), is refused with `Busy`; nothing was stored then.
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

    Rejections and refusals are not failures, and what the database may want to be retried is passed on. Rules that are
    not known here are `MatchFault`, and no fault that is noted: the match goes on where they are known.
    """
    try:
        yield
    except RulesUnknown as error:
        raise MatchFault(str(error), code="rules_unknown") from error
    except (Rejected, Refused, RuleFailure, OperationalError):
        raise
    except Exception as error:
        raise RuleFailure(f"{type(error).__name__}: {error}") from error
