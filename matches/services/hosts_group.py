"""The group of users who may host matches in the admin (they must be staff too). Updated after every migration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.apps import AppConfig
from django.contrib.auth.management import create_permissions

HOSTS = "Hosts"

_MAY = {
    "match": ("view", "add", "change"),
    "submission": ("view",),
    "ledgerentry": ("view",),
    "holding": ("view",),
    "announcement": ("view",),
    "bid": ("view",),
}


def make_hosts_group(app_config: AppConfig, using: str = "default", **kwargs: Any) -> None:
    """A receiver of `post_migrate`: the group exists and may at least what hosting takes."""
    let_hosts(app_config, _MAY, using)


def let_hosts(app_config: AppConfig, may: Mapping[str, Sequence[str]], using: str = "default") -> None:
    """Let the group do this with models of an app (model -> verbs). Nothing that an administrator has added is taken
    away."""
    from django.contrib.auth.models import Group, Permission

    # Django makes permissions in a receiver of the same signal, which may come after this one.
    create_permissions(app_config, verbosity=0, using=using)
    wanted = [f"{verb}_{model}" for model, verbs in may.items() for verb in verbs]
    group, _ = Group.objects.using(using).get_or_create(name=HOSTS)
    permissions = Permission.objects.using(using).filter(content_type__app_label=app_config.label, codename__in=wanted)
    group.permissions.add(*permissions)
