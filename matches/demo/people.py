"""The demo accounts, as which people can sign in. They are recognised by their email addresses."""

import hashlib
import hmac
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import Group

from accounts.models import User
from matches.services.roles import HOSTS

HOST = "dora"
PLAYERS = ("ann", "bob", "cat", "dan")
_DOMAIN = "demo.invalid"
_LETTERS = "23456789bcdfghjkmnpqrstvwxz"


class People(NamedTuple):
    """The demo's host and players, by name."""

    host: User
    players: dict[str, User]


def demo_password() -> str:
    """The password of all demo accounts. It is made from the site's secret key, so each installation has its own, which
    can be printed again."""
    digest = hmac.digest(settings.SECRET_KEY.encode(), b"demo accounts", hashlib.sha256)
    letters = "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:12])
    return "-".join((letters[:4], letters[4:8], letters[8:]))


def find_people() -> People | None:
    """The demo's people, if they have been made."""
    found = {user.email.partition("@")[0]: user for user in User.objects.filter(email__endswith=f"@{_DOMAIN}")}
    if any(name not in found for name in (HOST, *PLAYERS)):
        return None
    return People(found[HOST], {name: found[name] for name in PLAYERS})


def make_people() -> People:
    """The demo's people, created if missing."""
    hashed = make_password(demo_password())
    for name in (HOST, *PLAYERS):
        email = f"{name}@{_DOMAIN}"
        if not User.objects.filter(email=email).exists():
            User.objects.create(
                username=_free_username(name), email=email, display_name=name.capitalize(), password=hashed
            )
    people = find_people()
    if people is None:
        raise RuntimeError("the demo's people are being deleted while they are made")
    _let_host(people.host)
    return people


def renew_password() -> None:
    """Make sure that the demo accounts have the printed password, even if the site has a new secret key."""
    people = find_people()
    if people is not None and not check_password(demo_password(), people.host.password):
        User.objects.filter(email__endswith=f"@{_DOMAIN}").update(password=make_password(demo_password()))


def _free_username(name: str) -> str:
    """The name itself, unless a real person has it or a similar-looking one."""
    return f"demo-{name}" if User.objects.looks_taken(name) else name


def _let_host(user: User) -> None:
    if not user.is_staff:
        user.is_staff = True
        user.save(update_fields=["is_staff"])
    if group := Group.objects.filter(name=HOSTS).first():
        user.groups.add(group)
