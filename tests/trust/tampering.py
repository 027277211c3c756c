"""Changes what is stored, as somebody might who gets at the database, and undoes it again."""

from collections.abc import Callable
from typing import Any

from django.db import connection, models, transaction


def found(verify: Callable[[Any], list[str]], of: models.Model, change: Callable[[Any], object]) -> str:
    """What `verify` says of a match or a season after a change, which is undone."""
    with transaction.atomic():
        change(of)
        said = verify(type(of)._default_manager.get(pk=of.pk))
        transaction.set_rollback(True)
    return " ".join(said)


def erase(row: models.Model) -> None:
    """Delete a row whatever depends on it."""
    meta = row._meta
    with connection.cursor() as cursor:
        cursor.execute(f'DELETE FROM "{meta.db_table}" WHERE "{meta.pk.column}" = %s', [row.pk])  # noqa: S608


def exchange(rows: list[models.Model], *fields: str) -> None:
    """What the first of these rows has in some fields the last one has now, and the other way round."""
    one, other = rows[0], rows[-1]
    manager = type(one)._default_manager
    for row, source in ((one, other), (other, one)):
        manager.filter(pk=row.pk).update(**{name: getattr(source, name) for name in fields})
