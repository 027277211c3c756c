"""Who must have a second factor (setting `SECOND_FACTOR`), and who has one. `accounts.second_factor` knows in which
sessions they have used it."""

from typing import NamedTuple

from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import BooleanField, Exists, ExpressionWrapper, Model, OuterRef, Q

FACTORS = ("totp", "webauthn")
"""The types of allauth that count: authenticator apps and security keys."""

_roles: list[type[Model]] = []


class Having(NamedTuple):
    """Whether somebody must have a second factor, and has one. Recovery codes do not count."""

    is_asked: bool
    factor: bool


def count_as_hosts(role: type[Model]) -> None:
    """Count everybody with a row of this model (by `user`) as a host, like those who may use the admin site. Call it in
    `AppConfig.ready`."""
    _roles.append(role)


def is_asked_of_some() -> bool:
    """Whether this site requires a second factor of anybody; if not, callers need not query."""
    return bool(settings.SECOND_FACTOR != "optional")


def what_they_have(user_id: int) -> Having:
    """Look up a person in one query. Nothing is required of an id that does not exist."""
    users = get_user_model().objects.filter(pk=user_id)
    factors = apps.get_model("mfa", "Authenticator").objects.filter(user=OuterRef("pk"), type__in=FACTORS)
    is_host = Q(is_staff=True) | Q(is_superuser=True)
    for role in _roles:
        is_host |= Q(Exists(role._default_manager.filter(user=OuterRef("pk"))))
    found = users.values_list(ExpressionWrapper(is_host, BooleanField()), Exists(factors)).first()
    if found is None:
        return Having(is_asked=False, factor=False)
    hosts, factor = found
    return Having(hosts or settings.SECOND_FACTOR == "everybody", factor)


def lacks_one(user_id: int) -> bool:
    """Whether this person must have a second factor but has none. Their API tokens do not work meanwhile either."""
    if not is_asked_of_some():
        return False
    having = what_they_have(user_id)
    return having.is_asked and not having.factor
