"""What an endpoint says of itself, beyond its methods and parameters: what the description of the API is made from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from matches.api.codes import Codes

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


class About(NamedTuple):
    """One method of an address.

    `summary`: a line. `answer`: the type of a good answer, or a tuple of several; `body`: of what is posted. `codes`:
    what it refuses a request with, beside what every address may say. `needs`: the scope of the token (`read`,
    `act`), empty where none is needed. `has_key`: whether it takes an Idempotency-Key; `has_etag`: whether it can
    answer 304.
    """

    summary: str
    answer: Any
    body: Any = None
    codes: Codes = {}
    needs: str = ""
    has_key: bool = False
    has_etag: bool = False


def described(**methods: About) -> Callable[[Endpoint], Endpoint]:
    """What each method of an endpoint does, by its name (`GET`, `POST`)."""

    def decorate(view: Endpoint) -> Endpoint:
        view.described = methods  # type: ignore[attr-defined]
        return view

    return decorate
