"""Reading JSON that people wrote by hand, strictly; and writing canonical JSON."""

import json
import math
from typing import Any, NoReturn

import msgspec

# -- strict json -----------------------------------------------------------------------------------
# Refused are what JSON does not have (NaN, Infinity), what nobody means (the same key twice, a number beyond every
# limit) and what cannot be stored (half of a surrogate pair).

MOST_BYTES = 8 * 1024 * 1024
_DEEPEST = 100
_MOST_DIGITS = 300


class NotJson(ValueError):
    """The bytes are not a JSON document; the message is one clear sentence without a full stop."""


def loads(data: bytes, what: str = "the file") -> Any:
    """The value of a JSON document in UTF-8. Raises `NotJson`, whose message calls the document `what`."""
    if len(data) > MOST_BYTES:
        raise NotJson(f"{what} is larger than {MOST_BYTES // 1024 // 1024} MB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotJson(f"{what} is not UTF-8 text: byte {error.start} does not fit") from None
    if not text.strip():
        raise NotJson(f"{what} is empty")
    try:
        value = _decoder.decode(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise NotJson(f"{what} is not JSON: {error.msg.lower()} at {where}") from None
    except RecursionError:
        raise NotJson(_too_deep(what)) from None
    _check(value, what)
    return value


def _too_deep(what: str) -> str:
    return f"{what} is nested more than {_DEEPEST} levels deep"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise NotJson(f"the key {_shown(key)} appears twice in one object")
            seen.add(key)
    return found


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise NotJson(f"the number {digits[:10]}… has more than {_MOST_DIGITS} digits")
    return int(digits)


def _fraction(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise NotJson(f"the number {digits[:20]} is too large")
    return number


def _no_constant(word: str) -> NoReturn:
    raise NotJson(f"{word} is not JSON")


# Made once, since making one takes longer than reading an action.
_decoder = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_whole, parse_float=_fraction, parse_constant=_no_constant
)


def _check(value: Any, what: str) -> None:
    """Refuse values nested too deeply and text that UTF-8 cannot encode. Not recursive, so depth cannot break it."""
    level = [value]
    for _ in range(_DEEPEST):
        below: list[Any] = []
        for each in level:
            if isinstance(each, str):
                _check_text(each)
            elif isinstance(each, list):
                below += each
            elif isinstance(each, dict):
                below += each.keys()
                below += each.values()
        level = below
        if not level:
            return
    raise NotJson(_too_deep(what))


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise NotJson(f"{_shown(text)} contains half of a surrogate pair, which is not text") from None


def _shown(text: str) -> str:
    return json.dumps(text if len(text) <= 60 else text[:60] + "…", ensure_ascii=True)


# -- canonical -------------------------------------------------------------------------------------

_encoder = msgspec.json.Encoder(order="sorted")


def canonical(value: object) -> str:
    """The canonical JSON text of a value: sorted keys, no spaces."""
    try:
        return _encoder.encode(value).decode()
    except UnicodeEncodeError:
        # Half of a surrogate pair is possible in JSON, but not in UTF-8. As an escape sequence it can be stored.
        return json.dumps(value, sort_keys=True, separators=(",", ":"))
