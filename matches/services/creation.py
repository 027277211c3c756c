"""New matches, as drafts."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from matches import clock
from matches.models import Match
from matches.registry import game_of


def create_match(
    game: str,
    title: str,
    *,
    hosts: tuple[Any, ...] = (),
    config: dict[str, Any] | None = None,
    **fields: Any,
) -> Match:
    """A draft. `config` is checked (`ConfigError`) and kept as given, so that hosts see what they
    set; the settings in full go into the log when the match opens."""
    rules = game_of(game)
    rules.read_config(config or {})
    with transaction.atomic():
        match = Match.objects.create(
            game=game,
            title=title,
            config=config or {},
            rules_version=rules.rules_version,
            created_at=clock.now(),
            **fields,
        )
        match.hosts.set(hosts)
        return match
