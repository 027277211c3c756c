"""Creating matches as drafts, also as duplicates of other matches, and changing and deleting drafts."""

import json
import re
from collections.abc import Iterable
from itertools import count, islice
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet

from accounts.models import FormerName
from matches.engine.errors import ConfigError
from matches.engine.game import AnyGame
from matches.games.registry import UnknownGame, game_of
from matches.models import Match, Player, Submission, clock
from matches.models.usual_hour import UsualHour
from matches.services.belonging import group_of
from matches.services.commands import command, command_row, need_host, need_owner, need_status
from matches.services.errors import CommandRefused, KeyConflict, retrying
from matches.services.hosting.corrections import switch_blood_garnets
from matches.services.locking import lock_row
from matches.services.opening import bot_names
from matches.services.places import free_handle, names_in, unlike
from matches.services.roles import hosted_by, note_insiders, roles_from, roles_of, store_roles, why_not_play
from matches.services.roster import PlayerChange, change_players
from matches.services.signals import match_duplicated
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
    """Create a draft. `config` is checked (`ConfigError`) and stored as given, so that hosts see what they set. The
    settings in full go into the log when the match opens.

    `by` is the person who creates it: they become a host, and the log begins with it. A repeated `key` of theirs, for
    the same game and `purpose`, returns the first match (see `made_before`). The match belongs to `owner`, who is one
    of its hosts; without one, to `by` or else to the first host.
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


def made_before(by: Any, key: str, game: str, purpose: str, title: str = "") -> Match | None:
    """The match that this person made with this key, for the same game, purpose and title (if one is given); None if
    there is none. Must run in a transaction, where it locks the person, so that two clicks take turns.

    Raises `KeyConflict` if they made another match with the key.
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
        raise KeyConflict("You have already made a different match with this form. Open a new form for this one.")
    return row.match


@retrying
def update_draft(match: Match, host: Any, **changes: Any) -> None:
    """Change a draft: `title`, `description`, `joining`, `places`, `open_places`, `usual_hour` and `usual_zone`,
    `closes_when_sent`, `config`.

    The log gets the values before and after. Raises `ConfigError` for settings that cannot be played, `CommandRefused`
    if it is not a draft.
    """
    if unknown := set(changes) - set(_FIELDS):
        raise TypeError(f"a draft has no {', '.join(sorted(unknown))} to change")
    with command(match, host) as writer:
        need_status(writer, Match.Status.DRAFT, otherwise="You can change settings only in drafts.")
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


@retrying
def delete_draft(match: Match, host: Any) -> None:
    """Delete a draft that has no log; other matches can only be cancelled. Only the owner may; raises `NotTheOwner`,
    and `CommandRefused`."""
    with command(match, host, need=need_owner) as writer:
        need_status(writer, Match.Status.DRAFT, otherwise="You can delete only a draft.")
        draft = writer.match
        if draft.log_count:
            raise CommandRefused("This draft has a log, and a log is never erased. Cancel it instead.")
        draft.players.all().delete()
        draft.delete()


def _settings(match: Match) -> dict[str, Any]:
    return {field: getattr(match, field) for field in _FIELDS}


# -- titles of repeated matches: “Night table”, “Night table 2”, “Night table 3” -----------------------------

_LONGEST: int = Match._meta.get_field("title").max_length or 120
_NUMBERED = re.compile(r"(.*\S) (\d{1,3})")  # more digits are a year, or part of a name


def numbered(title: str, others: QuerySet[Any]) -> str:
    """The title with the next number that none of these matches or seasons has."""
    found = _NUMBERED.fullmatch(title)
    base, number = (found[1], int(found[2])) if found else (title, 1)
    base = base[: _LONGEST - 5].rstrip()
    taken = {each.lower() for each in others.filter(title__istartswith=base).values_list("title", flat=True)}
    return next(each for n in count(number + 1) if (each := f"{base} {n}").lower() not in taken)


# -- bots in the places of a match that has not begun --------------------------------------------------------

MOST_PLACES = 100


def add_bots(match: Match, host: Any, places: int) -> int:
    """Add bots in new places until there are `places` players, and return how many. Existing places stay untouched."""
    missing = max(min(places, MOST_PLACES) - match.players.count(), 0)
    found = islice(unlike(bot_names(match.pk), names_in(match)), missing)
    new = [PlayerChange(None, {"is_bot": True, "handle": names.handle, "name": names.name}) for names in found]
    change_players(match, host, new)
    return len(new)


def give_to_bots(match: Match, host: Any, places: Iterable[Player]) -> None:
    """Let bots play in these open places, which keep their handles and names; their invitations no longer work. Raises
    `CommandRefused` if somebody has taken one of them meanwhile; then nothing changes."""
    open_now = {player.pk for player in match.players.all() if player.is_open}
    changes = []
    for place in places:
        if place.pk not in open_now:
            raise CommandRefused(f"{place.handle} is no longer open.", field="places")
        changes.append(PlayerChange(place.pk, {"is_bot": True}))
    change_players(match, host, changes)


# -- duplicates ----------------------------------------------------------------------------------------------
# A new draft with the settings, hosts and players of an earlier match, but with nothing that the match has drawn.

_COPIED = (
    "description",
    "joining",
    "places",
    "open_places",
    "usual_hour",
    "usual_zone",
    "bots_stand_in",
    "closes_when_sent",
)

SEATED, INVITED, NOBODY = "seated", "invited", "nobody"


def without_draws(game: AnyGame, config: dict[str, Any]) -> dict[str, Any]:
    """Settings without those that a host has set in place of a draw, such as a deck: it is secret in the first match,
    but everybody knows it afterwards."""
    drawn = {setting.key for setting in game.settings if setting.draw}
    return {key: value for key, value in config.items() if key not in drawn}


@retrying
def duplicate(match: Match, host: Any, *, people: str = SEATED, key: str = "") -> Match:
    """Create a draft like a match, and return it. `people`: `SEATED`, everybody who played plays again; `INVITED`, they
    get open places with new invitations; `NOBODY`, no players at all. Bots stay bots, open places stay open, and places
    of people who can no longer play become open. A repeated `key` returns the same draft.

    Raises `NotAHost`, `KeyConflict`, and `CommandRefused` if the site can no longer play these settings.
    """
    need_host(match, host)
    if people not in (SEATED, INVITED, NOBODY):
        raise CommandRefused("Choose what happens to the players.", field="people")
    with transaction.atomic():
        if made := made_before(host, key, match.game, f"again:{match.public_id}"):
            return made
        draft = _empty(match, host, key)
        if people != NOBODY:
            players = list(match.players.select_related("user").order_by("position", "pk"))
            alone, handles = group_of(match) is None, _handles_again(match, players)
            again = [_again(draft, player, handles[player.handle], people, alone) for player in players]
            change_players(draft, host, again)
        if match.blood_garnets:
            switch_blood_garnets(draft, host, True)
        match_duplicated.send(Match, source=match, draft=draft, host=host)
        draft.refresh_from_db()
        return draft


def _as_played(match: Match) -> dict[str, Any]:
    """The settings, including what hosts have changed by acting inside the rules."""
    if not (match.state and match.rules.is_known):
        return dict(match.config)
    config = match.rules.decode_state(match.state).config
    is_as_set = config == match.rules.read_config(match.config)
    return dict(match.config if is_as_set else config.write())


def _empty(match: Match, host: Any, key: str) -> Match:
    roles = roles_of(match)
    try:
        return create_match(
            match.game,
            numbered(match.title, hosted_by(host)),
            hosts=_active(roles.acting),
            observers=_active(roles.observers),
            config=without_draws(game_of(match.game), _as_played(match)),
            by=host,
            key=key,
            purpose=f"again:{match.public_id}",
            **{field: getattr(match, field) for field in _COPIED},
        )
    except UnknownGame:
        raise CommandRefused("This site no longer has the rules of that match.") from None
    except ConfigError as error:
        raise CommandRefused(error.told) from None


def _active(people: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(person for person in people if person.is_active)


def _handles_again(match: Match, players: list[Player]) -> dict[str, str]:
    """The handle of each place -> the one in the new match: the same, but a neutral one in place of a name of somebody
    whose account was deleted."""
    others = [player for player in players if player.user is None or player.user.username != player.handle]
    gone, taken = {name for name, _ in FormerName.now(player.handle for player in others)}, names_in(match)
    neutral = {p.handle: free_handle(f"player{p.position + 1}", taken) for p in others if p.handle in gone}
    return {player.handle: player.handle for player in players} | neutral


def _again(draft: Match, player: Player, handle: str, people: str, alone: bool) -> PlayerChange:
    """The same place in the new match, with this handle. If its person does not play, their name is left out too. What
    players bring is copied only from a match that stood `alone`; otherwise its group brought it."""
    plays = people == SEATED and player.user is not None and player.user.is_active
    user = player.user if plays and not why_not_play(draft, player.user) else None
    left = (player.user_id is not None and user is None) or handle != player.handle
    return PlayerChange(
        None,
        {
            "user": user,
            "is_bot": player.is_bot,
            "handle": handle,
            "name": "" if left else player.name,
            "team": player.team if player.team in draft.rules.teams else "",
            "position": player.position,
            **(_brought(player) if alone else {}),
        },
    )


def _brought(player: Player) -> dict[str, Any]:
    return {"garnets": player.garnets, "priority": player.priority, "blood_garnets": player.blood_garnets}
