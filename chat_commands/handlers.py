"""Carries out slash commands with the API's services, permissions and sentences, and completes what is being typed."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from accounts.models import User, second_factor
from chat_commands import linking, sentences
from chat_commands.catalogue import MATCH, SITE, game_of_command
from chat_commands.notation import NotRead, bare, completed, fields_of, read_action, spelled
from chat_commands.signatures import Interaction
from matches.engine.game import AnyGame
from matches.infra import rate_limits
from matches.models import Match, Player
from matches.queries.access import NOT_SHOWN, MatchHidden, RulesNotHere, Viewer, access_match, is_legible, legible
from matches.queries.lists import my_open_matches
from matches.queries.matches import Position
from matches.services.deadlines import advance_if_due
from matches.services.errors import Refused
from matches.services.group.queue import submit

_MOST_CHOICES = 25
_LONGEST_CHOICE = 100
_MOST_MATCHES = 15
_INSIST = 1.5  # seconds for a busy match; the chat server waits 3 for an answer

Reply = dict[str, Any]


def answer(interaction: Interaction, now: datetime) -> Reply:
    """Return the answer to a command."""
    if rate_limits.action_rates().take(f"chat:{interaction.chat_id}"):
        return sentences.message(rate_limits.TOO_FAST)
    command, sub, _ = interaction.command
    user = linking.person_of(interaction.chat_id)
    if (command, sub) == (SITE, "link"):
        return sentences.message(_link(interaction, now))
    if user is None:
        return sentences.message(sentences.NOT_LINKED)
    if rate_limits.action_rates().take(user.pk):
        return sentences.message(rate_limits.TOO_FAST)
    if (command, sub) != (SITE, "unlink") and second_factor.lacks_one(user.pk):
        return sentences.message(sentences.SECOND_FACTOR)
    game = game_of_command(command)
    if game is not None and sub in game.actions:
        return sentences.message(_act(interaction, user, game, sub))
    if command != SITE or sub not in _OF_SITE:
        return sentences.message("This site does not know that command.")
    try:
        return sentences.message(_OF_SITE[sub](user, interaction.values()))
    except Unclear as unclear:
        return sentences.message(str(unclear))
    except Refused as refused:
        return sentences.message(sentences.plain(refused.message))


def _link(interaction: Interaction, now: datetime) -> str:
    try:
        user = linking.link(interaction.chat_id, str(interaction.values().get("code") or "")[:40], now)
    except linking.NotLinked as problem:
        return str(problem)
    name = sentences.plain(user.username)
    return f"Linked. You now act here as {name}. To end the link, type /genius unlink."


def _act(interaction: Interaction, user: User, game: AnyGame, kind: str) -> str:
    """Submit an action and return its outcome in words. The interaction's id is the idempotency key."""
    given = interaction.values()
    try:
        player = part_in(user, game.slug, str(given.pop(MATCH, None) or ""))
        action = read_action(game.actions[kind], given)
        for field, value in action.items():
            if field != "type" and isinstance(value, str | dict | list):
                action[field] = spelled(value, _names(player, game, kind, field), field)
    except (Unclear, NotRead) as problem:
        return sentences.plain(str(problem))
    try:
        submitted = submit(player.match_id, player.user_id, action, f"chat-{interaction.id}", insist=_INSIST)
    except Refused as refused:
        return sentences.plain(refused.message)
    return sentences.outcome(submitted, action)


# -- the site's own commands --------------------------------------------------------------------------


def _viewer(user: User, given: Mapping[str, Any]) -> Viewer:
    """The match that the option names, as this person sees it, after passing what is due. Raises `Unclear`."""
    public_id = str(given.get(MATCH) or "")[:16]
    try:
        viewer = access_match(public_id, user, everybody=True)
        if advance_if_due(viewer.match):
            viewer = access_match(public_id, user, everybody=True)
    except (MatchHidden, RulesNotHere):
        raise Unclear("There is no such match. Choose one from the list.") from None
    if not is_legible(viewer.match):
        raise Unclear(NOT_SHOWN)
    return viewer


def _purse(user: User, given: Mapping[str, Any]) -> str:
    viewer = _viewer(user, given)
    if viewer.player is None:
        raise Unclear("You do not play in that match.")
    return sentences.purse(Position(viewer.match), viewer.player)


def _unlink(user: User, given: Mapping[str, Any]) -> str:
    linking.unlink(user)
    return "The link has ended. Nobody can act in your name here any more."


_OF_SITE: Mapping[str, Callable[[User, Mapping[str, Any]], str]] = {
    "unlink": _unlink,
    "matches": lambda user, given: sentences.my_matches(my_open_matches(user, _MOST_MATCHES)),
    "purse": _purse,
    "board": lambda user, given: sentences.board(Position(_viewer(user, given).match)),
}


# -- completing ---------------------------------------------------------------------------------------


def choices(interaction: Interaction) -> Reply:
    """Return completions of the option that is being typed; none for people whose chat account is not linked."""
    found = [each for each in _choices(interaction) if 0 < len(each[1]) <= _LONGEST_CHOICE]
    shown = [{"name": name[:_LONGEST_CHOICE], "value": value} for name, value in found[:_MOST_CHOICES]]
    return {"type": 8, "data": {"choices": shown}}


def _choices(interaction: Interaction) -> list[tuple[str, str]]:
    user = linking.person_of(interaction.chat_id)
    option = next(interaction.focused(), None)
    if user is None or option is None or rate_limits.action_rates().take(f"chat:{interaction.chat_id}"):
        return []
    if second_factor.lacks_one(user.pk):
        return []
    command, sub, _ = interaction.command
    game, typed = game_of_command(command), str(option.value or "")
    if option.name == MATCH:
        parts = parts_of(user, game.slug if game else "")[: 2 * _MOST_CHOICES]
        found = [part.match for part in parts if typed.casefold() in part.match.title.casefold()]
        return [(match.title if game else _with_its_type(match), match.public_id) for match in found]
    if game is None or sub not in game.actions:
        return []
    try:
        player = part_in(user, game.slug, str(interaction.values().get(MATCH) or ""))
    except Unclear:
        return []
    field = next((each for each in fields_of(game.actions[sub]) if each.encode_name.lower() == option.name), None)
    if field is None:
        return []
    names = _names(player, game, sub, field.encode_name)
    return [(text, text.rstrip()) for text in completed(bare(field.type), typed, names, _MOST_CHOICES)]


def _with_its_type(match: Match) -> str:
    """A match's title with its type, because matches of several types often have the same title."""
    kind = f" ({match.rules.title})"
    return match.title[: _LONGEST_CHOICE - len(kind)] + kind


def _names(player: Player, game: AnyGame, kind: str, field: str) -> list[str]:
    """The names that a field can take now, as this player may know them."""

    def read(position: Position) -> list[str]:
        private = position.private_of(player)
        if position.public is None or private is None:
            return []
        for ask in private.asked:
            if ask.kind == kind and ask.options:
                return list(ask.options)
        return list(game.lots(position.public, kind, field))

    return legible(player.match, read)


# -- acting in a match ---------------------------------------------------------------------------------------

_GOES_ON = (*Match.RUNNING, Match.Status.SCHEDULED)


class Unclear(Exception):
    """The match to act in is unclear. The text is for the person."""


def parts_of(user: Any, game: str = "") -> QuerySet[Player]:
    """Return a person's places in matches that are not over, the latest first."""
    found = Player.objects.filter(user=user, match__status__in=_GOES_ON).select_related("match").order_by("-pk")
    return found.filter(match__game=game) if game else found


def part_in(user: Any, game: str, public_id: str) -> Player:
    """Return the person's place in the match that they name, or in their only match of that game. Raises `Unclear`."""
    found = parts_of(user, game)
    if public_id:
        found = found.filter(match__public_id=public_id)
    parts = list(found[:2])
    if not parts:
        raise Unclear("You are not playing in such a match now. Choose one from the list.")
    if len(parts) > 1:
        raise Unclear("You are playing in several matches of this game. Choose one with the option “match”.")
    return parts[0]
