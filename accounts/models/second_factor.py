"""Who must have a second factor (setting `SECOND_FACTOR`), and who has one. `accounts.second_factor` knows in which
sessions they have used it."""

from functools import cache
from typing import NamedTuple

from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection

FACTORS = ("totp", "webauthn")
"""The types of allauth that count: authenticator apps and security keys."""

_tables_of_roles: list[str] = []


class Having(NamedTuple):
    """Whether somebody must have a second factor, and has one. Recovery codes do not count."""

    is_asked: bool
    factor: bool


def count_as_hosts(*tables: str) -> None:
    """Count everybody with a row in one of these tables (by `user_id`) as a host, like those who may use the admin
    site. Call it in `AppConfig.ready`."""
    _tables_of_roles.extend(table for table in tables if table not in _tables_of_roles)


def is_asked_of_some() -> bool:
    """Whether this site requires a second factor of anybody; if not, callers need not query."""
    return bool(settings.SECOND_FACTOR != "optional")


def what_they_have(user_id: int) -> Having:
    """Look up a person in one query. Nothing is required of an id that does not exist."""
    with connection.cursor() as cursor:
        cursor.execute(_asks(), [user_id])
        found = cursor.fetchone()
    if found is None:
        return Having(is_asked=False, factor=False)
    is_host, factor = map(bool, found)
    return Having(is_host or settings.SECOND_FACTOR == "everybody", factor)


def lacks_one(user_id: int) -> bool:
    """Whether this person must have a second factor but has none. Their API tokens do not work meanwhile either."""
    if not is_asked_of_some():
        return False
    having = what_they_have(user_id)
    return having.is_asked and not having.factor


@cache
def _asks() -> str:
    """The SQL of `what_they_have`, made once: it runs on each page and action, and the ORM takes ten times as long."""
    quote = connection.ops.quote_name
    person = quote(get_user_model()._meta.db_table)
    factor = quote(apps.get_model("mfa", "Authenticator")._meta.db_table)
    roles = [f"EXISTS (SELECT 1 FROM {quote(table)} WHERE user_id = person.id)" for table in _tables_of_roles]  # noqa: S608
    return (
        f"SELECT {' OR '.join(['person.is_staff', 'person.is_superuser', *roles])}, "  # noqa: S608
        f"EXISTS (SELECT 1 FROM {factor} WHERE user_id = person.id AND type IN ('{FACTORS[0]}', '{FACTORS[1]}')) "
        f"FROM {person} person WHERE person.id = %s"
    )
