"""Who must have a second factor on this site (`SECOND_FACTOR`), and what they have of it. In which sessions it was
shown: `accounts.second_factor`."""

from functools import cache
from typing import NamedTuple

from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection

FACTORS = ("totp", "webauthn")
"""As allauth stores them: an app, and keys."""

_tables_of_roles: list[str] = []


class Having(NamedTuple):
    """What somebody has. Recovery codes do not count as a factor."""

    is_asked: bool
    factor: bool


def count_as_hosts(*tables: str) -> None:
    """Everybody with a row in one of these tables (by `user_id`) counts as a host, like those who may use the console.
    For `AppConfig.ready`."""
    _tables_of_roles.extend(table for table in tables if table not in _tables_of_roles)


def is_asked_of_some() -> bool:
    """Whether this site asks anybody; where it does not, nothing has to be looked up."""
    return bool(settings.SECOND_FACTOR != "optional")


def what_they_have(user_id: int) -> Having:
    """In one query. Of a person that is not there nothing is asked."""
    with connection.cursor() as cursor:
        cursor.execute(_asks(), [user_id])
        found = cursor.fetchone()
    if found is None:
        return Having(is_asked=False, factor=False)
    is_host, factor = map(bool, found)
    return Having(is_host or settings.SECOND_FACTOR == "everybody", factor)


def lacks_one(user_id: int) -> bool:
    """Whether this person has to have a second factor and has none. Then their programs wait, too."""
    if not is_asked_of_some():
        return False
    having = what_they_have(user_id)
    return having.is_asked and not having.factor


@cache
def _asks() -> str:
    """Ready-made: each page and each action asks, and Django takes ten times as long to write it."""
    quote = connection.ops.quote_name
    person = quote(get_user_model()._meta.db_table)
    factor = quote(apps.get_model("mfa", "Authenticator")._meta.db_table)
    roles = [f"EXISTS (SELECT 1 FROM {quote(table)} WHERE user_id = person.id)" for table in _tables_of_roles]  # noqa: S608
    return (
        f"SELECT {' OR '.join(['person.is_staff', 'person.is_superuser', *roles])}, "  # noqa: S608
        f"EXISTS (SELECT 1 FROM {factor} WHERE user_id = person.id AND type IN ('{FACTORS[0]}', '{FACTORS[1]}')) "
        f"FROM {person} person WHERE person.id = %s"
    )
