"""Checking and cleaning texts that people write for others."""

import re

from django.core.exceptions import ValidationError

from accounts.validators import validate_visible
from matches.services.errors import Refused

_EMPTY_LINES = re.compile(r"\n{3,}")


class BadText(Refused):
    """A refused text: `text_missing`, `text_too_long` or `text_not_visible`."""

    status = 422


def plain_text(text: str, most: int, *, missing: str, field: str = "text") -> str:
    """The text as it is stored: `\\n` ends a line, no blanks at the ends, no more than one empty line in a row.

    Raises `BadText` if nothing is left (with the sentence `missing`), if it has more than `most` characters, or if it
    has characters that are invisible, change the writing direction, or cannot be stored.
    """
    _check_length(text, most, field, allowed=2 * most)  # browsers send two characters for each line end
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    text = _EMPTY_LINES.sub("\n\n", "\n".join(line.rstrip(" \t") for line in lines).strip())
    if not text:
        raise BadText(missing, code="text_missing", field=field)
    _check_length(text, most, field, allowed=most)
    try:
        for line in text.split("\n"):
            if line:
                validate_visible(line)
        if len(text.splitlines()) != text.count("\n") + 1:  # Python knows other line ends, which are invisible
            raise ValidationError("other line ends")
    except ValidationError:
        raise BadText(
            "It contains characters that nobody can see or that change the writing direction. Please type it again "
            "with letters, digits, symbols, spaces and line breaks only.",
            code="text_not_visible",
            field=field,
        ) from None
    return text


def _check_length(text: str, most: int, field: str, *, allowed: int) -> None:
    if len(text) > allowed:
        raise BadText(
            f"That is {len(text)} characters long, but the limit is {most}. Please shorten it.",
            code="text_too_long",
            field=field,
        )


def nobody_called(username: str) -> str:
    """The sentence about a username that nobody has, without characters that would change the writing direction."""
    return f"There is nobody called {''.join(filter(str.isprintable, username[:40]))}."
