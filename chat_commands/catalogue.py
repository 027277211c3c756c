"""The definitions of the slash commands, made from the match types' actions, and calls to the chat server's API.

`/genius` is about a person's matches and account. Each match type has a command of its own, with a subcommand for each
of its actions; the options are the action's fields. No match type is named here.
"""

import re
from typing import Any

import urllib3
from django.conf import settings
from msgspec import inspect

from chat_commands.notation import bare, fields_of, shown_type
from matches.engine.actions import Action
from matches.engine.game import AnyGame
from matches.games.registry import all_games

SITE = "genius"
MATCH = "match"
"""The name of the option for the match."""

_SUBCOMMAND, _TEXT, _WHOLE, _FLAG = 1, 3, 4, 5
_LONGEST = 100
_WHOLE_LIMIT = 2**53 - 1
_GUILD, _DIRECT = 0, 1

Payload = dict[str, Any]


def command_name(game: AnyGame) -> str:
    """Return the name of a match type's command."""
    return game.slug.replace("_", "-")[:32]


def game_of_command(name: str) -> AnyGame | None:
    """Return the match type of a command; None for any other command."""
    return next((game for game in all_games().values() if command_name(game) == name), None)


def payload() -> list[Payload]:
    """Return all commands in the chat server's format."""
    return [_site(), *map(_of_game, all_games().values())]


def _site() -> Payload:
    code = _option("code", "The code that the site shows you under Profile, Chat", _TEXT, required=True)
    which = _match_option("Which of your matches", required=True)
    return _command(
        SITE,
        "Your matches and your account on this site",
        [
            _sub("link", "Link your chat account to your account on the site", [code]),
            _sub("unlink", "End the link to your account", []),
            _sub("matches", "Your matches, and what you have to do there", []),
            _sub("purse", "What you have in a match, and what you have to do", [which]),
            _sub("board", "How a match stands", [which]),
        ],
    )


def _of_game(game: AnyGame) -> Payload:
    subs = [_sub(name, _first_sentence(kind), _fields(kind)) for name, kind in game.actions.items()]
    return _command(command_name(game), f"Play in a match of {game.title}", subs)


def _fields(kind: type[Action]) -> list[Payload]:
    found = []
    for field in fields_of(kind):
        type_ = bare(field.type)
        label = field.encode_name.replace("_", " ").capitalize()
        said = shown_type(type_)
        text = f"{label}. {said}" if said else label
        if isinstance(type_, inspect.IntType):
            limits = {"min_value": 0, "max_value": _WHOLE_LIMIT}
            found.append(_option(field.encode_name, text, _WHOLE, required=field.required) | limits)
        elif isinstance(type_, inspect.BoolType):
            found.append(_option(field.encode_name, text, _FLAG, required=field.required))
        else:
            found.append(_option(field.encode_name, text, _TEXT, required=field.required) | {"autocomplete": True})
    return [*found, _match_option("Which match, if you play in several", required=False)]


def _match_option(description: str, *, required: bool) -> Payload:
    return _option(MATCH, description, _TEXT, required=required) | {"autocomplete": True}


def _option(name: str, description: str, kind: int, *, required: bool) -> Payload:
    return {"type": kind, "name": name.lower(), "description": _cut(description), "required": required}


def _sub(name: str, description: str, options: list[Payload]) -> Payload:
    return {"type": _SUBCOMMAND, "name": name.lower(), "description": _cut(description), "options": options}


def _command(name: str, description: str, options: list[Payload]) -> Payload:
    contexts = {"integration_types": [0], "contexts": [_GUILD, _DIRECT]}
    return {"type": 1, "name": name, "description": _cut(description), "options": options, **contexts}


def _first_sentence(kind: type[Action]) -> str:
    text = " ".join((kind.__doc__ or kind.__name__).split())
    return re.split(r"[.:;] ", text)[0].rstrip(".")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


# -- requests to the chat server's API: registering the commands, and late answers -----------------------

BASE = "https://discord.com/api/v10"
_SECONDS = 5.0


class NotReached(Exception):
    """The chat server did not answer."""


def call(method: str, path: str, body: Any, *, bot_token: str = "") -> tuple[int, str]:
    """Send JSON; return the status of the answer and its text. Raises `NotReached`."""
    headers = {"User-Agent": f"DiscordBot ({settings.SITE_URL}, 1)"}
    if bot_token:
        headers["Authorization"] = f"Bot {bot_token}"
    try:
        answer = urllib3.request(method, f"{BASE}{path}", json=body, headers=headers, timeout=_SECONDS, retries=False)
    except urllib3.exceptions.HTTPError as error:
        raise NotReached(type(error).__name__) from error
    return answer.status, answer.data.decode(errors="replace")


def commands_path() -> str:
    """Return the path that replaces all commands of the application at once."""
    return f"/applications/{settings.CHAT_APPLICATION_ID}/commands"
