"""What hosts type into forms of the console: people by username, lengths of time."""

from __future__ import annotations

from datetime import timedelta

from django.core.exceptions import ValidationError

from accounts.models import User
from matches.engine.match_time import parse_typed
from matches.engine.sentences import sentence


def person(username: str) -> User:
    """Who has this username. Raises `ValidationError`."""
    if (found := User.objects.called(username)) is None:
        raise ValidationError(f"There is nobody called {username[:40]}.")
    return found


def span(text: str, most: timedelta | None = None) -> timedelta:
    """A length of time; with `most`, above zero and no longer than that. Raises `ValidationError`."""
    try:
        found = parse_typed(text)
    except ValueError as error:
        raise ValidationError(sentence(str(error))) from None
    if most is not None and not timedelta() < found <= most:
        raise ValidationError(f"More than 0 and at most {most.days} days.")
    return found
