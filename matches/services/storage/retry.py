"""Wraps the writer: tries again if the database asks for it, and turns failures of the rules into errors."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from django.db import OperationalError, connection

from matches.engine.errors import Rejected
from matches.games.registry import RulesUnknown
from matches.infra.db_waits import is_busy
from matches.services.errors import Busy, MatchFault, Refused

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
