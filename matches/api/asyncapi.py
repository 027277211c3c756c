"""The description of the sockets as AsyncAPI 3, made from the types of their frames and of the views."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from matches.api.components import Components, Json
from matches.api.openapi import VERSION
from matches.api.shapes import AnyPrivate, AnyPublic, MatchInfo
from matches.live import shapes
from matches.live.snapshots import FORMATS
from matches.live.socket import LARGEST_FRAME

_SOCKETS: dict[str, tuple[str, str, tuple[type[Any], ...]]] = {
    "match": (
        "/ws/matches/{public_id}/",
        "A match's board and, for its player, their own view.",
        (shapes.Changed, shapes.Hinted, shapes.Pong, shapes.Refused),
    ),
    "me": ("/ws/me/", "What you were told.", (shapes.Told, shapes.Hinted, shapes.Pong, shapes.Refused)),
    "desk": (
        "/ws/desk/",
        "That something has changed in the matches and seasons that you host or observe; once a second at most.",
        (shapes.Present, shapes.Hinted, shapes.Pong, shapes.Refused),
    ),
}

_CLOSED = """\
The code with which a socket is closed says what to do:

- `1011`: something failed on our side. Connect again, later each time.
- `4400`: an unknown format. `4404`: no such match, or you may not know of it (any more). Do not try again.
- `4401`: the token is missing, wrong, has ended, or is for another match. Do not try again.
- `4408`: your rights have changed, or an hour is over. Connect again at once.
- `4413`: you read too slowly. `4429`: too many frames or sockets. Wait some seconds, then connect again.
- `4503`: this site does not have the rules of the match."""


@cache
def document() -> Json:
    """The whole description. Made once; nobody changes it."""
    every: Iterable[type[Any]] = (shapes.Said, *(kind for _, _, kinds in _SOCKETS.values() for kind in kinds))
    frames = list(dict.fromkeys(every))
    components = Components([*frames, MatchInfo])
    _say_what_is_inside(components)
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Genius, the sockets", "version": VERSION, "description": _introduction()},
        "channels": {name: _channel(*about) for name, about in _SOCKETS.items()},
        "operations": {key: each for name, about in _SOCKETS.items() for key, each in _operations(name, about[2])},
        "components": {
            "messages": {kind.__name__: {"payload": components.of(kind)} for kind in frames},
            "schemas": components.schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _say_what_is_inside(components: Components) -> None:
    """The live code knows views as bytes alone."""
    fields = components.schemas[shapes.Changed.__name__]["properties"]
    fields["match"] = components.of(MatchInfo)
    for name, kind in (("public", AnyPublic), ("private", AnyPrivate)):
        fields[name] = {"anyOf": [components.of(kind), {"type": "null"}]}


def _channel(address: str, description: str, kinds: tuple[type[Any], ...]) -> Json:
    heard: tuple[type[Any], ...] = (shapes.Said,)
    names = [kind.__name__ for kind in kinds + heard]
    query = {"format": {"type": "string", "enum": list(FORMATS), "default": FORMATS[0]}}
    channel: Json = {
        "address": address,
        "description": description,
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in names},
        "bindings": {"ws": {"method": "GET", "query": {"type": "object", "properties": query}}},
    }
    if "{" in address:
        channel["parameters"] = {"public_id": {"description": "The match's id."}}
    return channel


def _operations(name: str, kinds: tuple[type[Any], ...]) -> list[tuple[str, Json]]:
    channel = {"$ref": f"#/channels/{name}"}
    security = [{"$ref": "#/components/securitySchemes/token"}]

    def of(*some: type[Any]) -> list[Json]:
        return [{"$ref": f"#/channels/{name}/messages/{kind.__name__}"} for kind in some]

    return [
        # As AsyncAPI has it, these are what the site does.
        (f"{name}_is_sent", {"action": "send", "channel": channel, "messages": of(*kinds), "security": security}),
        (f"{name}_hears", {"action": "receive", "channel": channel, "messages": of(shapes.Said)}),
    ]


def _introduction() -> str:
    return f"""\
Each frame is text, a JSON object. The first one has everything, each later one what has changed. Actions are HTTP
posts (/api/openapi.json). Programs send `Authorization: Bearer gen_…` with the handshake.

Send at most two frames in a second, each of at most {LARGEST_FRAME} bytes.

{_CLOSED}"""
