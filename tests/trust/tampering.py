"""Changes what is stored, as somebody might who gets at the database, and undoes it again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import time, timedelta
from itertools import islice
from typing import Any

from django.db import IntegrityError, connection, models, transaction

from tests.fixtures.present import START


def found(verify: Callable[[Any], Iterable[str]], of: models.Model, change: Callable[[], object]) -> list[str] | None:
    """What `verify` says of a match or a season after a change, which is undone; where it gives one sentence after
    another, the first. None where the database itself refuses the change."""
    try:
        with transaction.atomic():
            change()
            said = verify(type(of)._default_manager.get(pk=of.pk))
            sentences = said if isinstance(said, list) else list(islice(said, 1))
            transaction.set_rollback(True)
    except IntegrityError:
        return None
    return sentences


def other(field: Any, value: Any) -> Any:
    """Another value of a field, such as somebody might put there."""
    if field.related_model is not None:
        others = field.related_model._default_manager.exclude(pk=value).order_by("-pk")
        return others.values_list("pk", flat=True).first()
    if field.choices:
        return next(choice for choice, _ in field.choices if choice != value)
    if isinstance(field, models.BooleanField):
        return not value
    if isinstance(field, models.DateTimeField):
        return (value or START) + timedelta(seconds=1)
    if isinstance(field, models.TimeField):
        return time(3)
    if isinstance(field, models.DurationField):
        return (value or timedelta()) + timedelta(seconds=1)
    if isinstance(field, models.JSONField):
        return {**value, "tokens": 7} if isinstance(value, dict) else [*value, 7]
    if isinstance(field, models.DecimalField | models.IntegerField):
        return (value or 0) + 1
    text = str(value or "")
    special = {"usual_hour": "14:00", "seed": "2" * 64}
    return special.get(field.attname, ("y" if text[:1] == "x" else "x") + text[1:])


def erase(row: models.Model) -> None:
    """Delete a row whatever depends on it."""
    meta = row._meta
    with connection.cursor() as cursor:
        cursor.execute(f'DELETE FROM "{meta.db_table}" WHERE "{meta.pk.column}" = %s', [row.pk])  # noqa: S608
