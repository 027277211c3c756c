"""Reads what programs send: a body as one of the API's types, a text."""

from __future__ import annotations

from typing import Any

import msgspec
from django.core.exceptions import ValidationError

from accounts.validators import validate_visible
from matches.api.actions import read_json
from matches.api.replies import ApiError
from matches.engine.errors import MALFORMED


def read_body(body: bytes, kind: Any) -> Any:
    """The body as this type, or one of these types. Raises `ApiError`."""
    try:
        return msgspec.convert(read_json(body), kind)
    except msgspec.ValidationError as error:
        said = str(error).replace("`$.", "`").replace(" - at `$`", "")
        raise ApiError(422, MALFORMED, f"The body is not as it should be: {said}.") from None


def visible(text: str, *, lines: bool = False) -> str:
    """A text that people read, without blanks around it: one line or, with `lines`, several. Raises `ApiError`."""
    try:
        validate_visible(text.strip())
    except ValidationError as error:
        raise ApiError(422, "text_not_visible", error.messages[0]) from None
    if not lines and len(text.splitlines()) > 1:
        raise ApiError(422, "text_not_visible", "Please write one line.")
    return text.strip()
