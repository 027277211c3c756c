"""Creating matches as drafts, and changing and deleting drafts."""

from __future__ import annotations

import json
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction

from matches.games.registry import game_of
from matches.models import Match, Submission, clock
from matches.models.usual_hour import UsualHour
from matches.services.commands import command, command_row, need_owner, need_status
from matches.services.errors import CommandRefused, KeyConflict
from matches.services.locking import lock_row
from matches.services.roles import note_insiders, roles_from, store_roles
from matches.services.storage.retry import retrying
from matches.services.writer import Writer

_FIELDS = (
    "title",
    "description",
    "joining",
    "places",
    "open_places",
    "usual_hour",
    "usual_zone",
    "config",
    "closes_when_sent",
)


@retrying
def create_match(
    game: str,
    title: str,
    *,
    hosts: tuple[Any, ...] = (),
    observers: tuple[Any, ...] = (),
    owner: Any = None,
    config: dict[str, Any] | None = None,
    by: Any = None,
    key: str = "",
    purpose: str = "",
    **fields: Any,
) -> Match:
    """A draft. `config` is checked (`ConfigError`) and kept as given, so that hosts see what they
    set; the settings in full go into the log when the match opens.

    `by` is the person who creates it: they become a host, and the log begins with it. The same `key` of theirs a
    second time, for the same game and `purpose`, makes no second match, but returns the first (see `made_before`). It
    belongs to `owner`, one of its hosts, else to who creates it, else to the first host.
    """
    rules = game_of(game)
    rules.read_config(config or {})
    _check_hour(fields.get("usual_hour", ""), fields.get("usual_zone", ""))
    with transaction.atomic():
        if made := made_before(by, key, game, purpose, title):
            return made
        match = Match.objects.create(
            game=game,
            title=title,
            config=config or {},
            rules_version=rules.rules_version,
            created_at=clock.now(),
            **fields,
        )
        acting = (*([by] if by is not None else []), *hosts)
        roles = roles_from(acting, observers, owner=owner)
        store_roles(match, roles)
        note_insiders(match, roles.everybody, match.created_at)
        if by is not None:
            writer = Writer(lock_row(match.pk), match.created_at)
            made_for = {"for": purpose} if purpose else {}
            writer.record(command_row(writer, by, "create", game=game, settings=_settings(match), key=key, **made_for))
            writer.save()
            match.refresh_from_db()
        return match


def _check_hour(hour: str, zone: str) -> None:
    try:
        UsualHour.read(hour, zone)
    except ValueError as error:
        raise CommandRefused(str(error), field="usual_hour") from None


def made_before(by: Any, key: str, game: str, purpose: str = "", title: str = "") -> Match | None:
    """The match that this person made with this key, for the same game, purpose and title (where one is given); None
    if there is none. Must run in a transaction: two clicks come here one after the other.

    Raises `KeyConflict` where they made another match with it: a key belongs to one request.
    """
    if by is None or not key:
        return None
    get_user_model().objects.select_for_update().get(pk=by.pk)
    row = Submission.objects.filter(user_id=by.pk, number=1, key=key).select_related("match").first()
    if row is None:
        return None
    said = json.loads(row.payload)
    was = (said.get("command"), said.get("game"), said.get("for", ""))
    if was != ("create", game, purpose) or (title and said["settings"]["title"] != title):
        raise KeyConflict("This form has already made another match. Open a new form to make one more.")
    return row.match


@retrying
def update_draft(match: Match, host: Any, **changes: Any) -> None:
    """Change a draft: `title`, `description`, `joining`, `places`, `open_places`, `usual_hour` and `usual_zone`,
    `closes_when_sent`, `config`.

    What was and what is stand in the log. Raises `ConfigError` for settings that cannot be played, `CommandRefused`
    for anything but a draft.
    """
    if unknown := set(changes) - set(_FIELDS):
        raise TypeError(f"a draft has no {', '.join(sorted(unknown))} to change")
    with command(match, host) as writer:
        need_status(writer, Match.Status.DRAFT, otherwise="Settings can be changed in drafts only.")
        draft = writer.match
        if "config" in changes:
            draft.rules.read_config(changes["config"])
        before = _settings(draft)
        for field, value in changes.items():
            setattr(draft, field, value)
        _check_hour(draft.usual_hour, draft.usual_zone)
        after = _settings(draft)
        changed = {field: [before[field], after[field]] for field in _FIELDS if before[field] != after[field]}
        if not changed:
            return
        draft.save(update_fields=list(changed))
        writer.record(command_row(writer, host, "update", changes=changed))
        writer.touch_all()
        writer.save()


@retrying
def delete_draft(match: Match, host: Any) -> None:
    """Erase a draft in which nothing was ever logged. Anything else is cancelled, never erased. Raises
    `NotTheOwner`, too: only its owner deletes it."""
    with command(match, host, need=need_owner) as writer:
        need_status(writer, Match.Status.DRAFT, otherwise="Only a draft can be deleted.")
        draft = writer.match
        if draft.log_count:
            raise CommandRefused("This draft has a log, and a log is never erased. Cancel it instead.")
        draft.players.all().delete()
        draft.hosts.clear()
        draft.delete()


def _settings(match: Match) -> dict[str, Any]:
    return {field: getattr(match, field) for field in _FIELDS}
