"""Templates of one's own: a match's settings under a name, for its owner alone."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import transaction

from accounts.validators import validate_visible
from matches.engine.errors import ConfigError
from matches.games.registry import game_of
from matches.models import Match, OwnTemplate, clock
from matches.services.commands import need_host
from matches.services.creation import create_match
from matches.services.drafts import settings_file
from matches.services.drafts.duplicates import without_draws
from matches.services.drafts.numbered import next_title
from matches.services.drafts.settings_file import MatchSettings
from matches.services.errors import CommandRefused
from matches.services.storage.retry import retrying

MOST = 50
_LONGEST: int = OwnTemplate._meta.get_field("name").max_length or 80


@retrying
def save_template(match: Match, host: Any, name: str, *, replace: bool = False) -> OwnTemplate:
    """Keep the settings of a match that one hosts. With `replace` they take the place of those of the same name.

    What hosts have set in place of a draw is left out. Raises `NotAHost`, `CommandRefused`.
    """
    need_host(match, host)
    document = settings_file.written(match)
    document["config"] = without_draws(game_of(match.game), match.config)
    with transaction.atomic():
        same = _named(host, checked := _checked(name))
        if same is not None and not replace:
            raise CommandRefused(
                f"You have a template “{same}” already. Replace it, or choose another name.", field="name"
            )
        if same is None and host.match_templates.count() >= MOST:
            raise CommandRefused(f"You have {MOST} templates: delete one first.")
        kept = same or OwnTemplate(owner=host)
        kept.name, kept.document, kept.saved_at = checked, document, clock.now()
        kept.save()
        return kept


@retrying
def rename_template(owner: Any, pk: int, name: str) -> OwnTemplate:
    """Give one's own template another name. Raises `CommandRefused`."""
    with transaction.atomic():
        same = _named(owner, checked := _checked(name))
        kept = _own(owner, pk)
        if same is not None and same.pk != kept.pk:
            raise CommandRefused(f"You have a template “{same}” already. Choose another name.", field="name")
        kept.name = checked
        kept.save(update_fields=["name"])
        return kept


@retrying
def delete_template(owner: Any, pk: int) -> None:
    """Delete one's own template; matches that were made from it stay as they are. Deleting twice does no harm."""
    OwnTemplate.objects.filter(owner=owner, pk=pk).delete()


def make_from_template(owner: Any, pk: int, *, key: str = "") -> Match:
    """A draft with the settings of one's own template. Raises `CommandRefused`, `BadSettings`."""
    kept = _own(owner, pk)
    return make_from_settings(owner, settings_file.read(kept.document), key=key)


@retrying
def make_from_settings(host: Any, found: MatchSettings, *, key: str = "") -> Match:
    """A draft with settings that were read; the same `key` a second time returns the same draft."""
    fields = dict(found.fields)
    title = next_title(fields.pop("title"), host)
    try:
        return create_match(found.game, title, config=found.config, by=host, key=key, **fields)
    except ConfigError as error:
        raise CommandRefused(f"The setting {error.key} cannot be played: {error.message}.") from None


def _own(owner: Any, pk: int) -> OwnTemplate:
    kept = OwnTemplate.objects.filter(owner=owner, pk=pk).first()
    if kept is None:
        raise CommandRefused("That template no longer exists.")
    return kept


def _named(owner: Any, name: str) -> OwnTemplate | None:
    """The template of that name, whatever its capitals. Its owner's row is locked, so that two clicks make one."""
    get_user_model().objects.select_for_update().get(pk=owner.pk)
    return OwnTemplate.objects.filter(owner=owner, name__iexact=name).first()


def _checked(name: str) -> str:
    name = " ".join(name.split())
    if not name:
        raise CommandRefused("A template needs a name.", field="name")
    if len(name) > _LONGEST:
        raise CommandRefused(f"A name has up to {_LONGEST} letters.", field="name")
    try:
        validate_visible(name)
    except ValidationError as error:
        raise CommandRefused(error.messages[0], field="name") from None
    return name
