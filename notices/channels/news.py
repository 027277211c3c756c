"""Public webhooks: JSON for programs, and for Discord a message with a picture of the match as a file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from urllib3.filepost import encode_multipart_formdata

from matches.infra.text import for_discord
from matches.models import Match, clock
from matches.pages.context import MatchContext, headline_of
from matches.pages.pictures import Drawing, TooManyPictures, drawing_of, png_of
from matches.pages.rendering import position_of
from matches.pages.sharing import absolute, alt_of, discord_pieces, picture_path
from matches.pages.texts import moment_in_words
from notices.channels.webhook import DISCORD, NAMED, post, signed
from notices.models import Delivery

_MOST_OF_DISCORD = 2000


@dataclass(frozen=True, slots=True)
class Board:
    """What a post says about its match or season, as everybody may know it now; needs no database.

    `kind`: the `type` for programs. `about`: what it is about, for programs, such as `{"match": {…}}`. `drawing`: the
    picture that a chat gets as a file, if there is one.
    """

    kind: str
    about: dict[str, Any]
    id: str
    title: str
    url: str
    picture: str
    alt: str
    headline: str
    drawing: Drawing | None = None

    @classmethod
    def of_match(cls, match: Match) -> Board:
        """Make the board of a match. Reads the database."""
        position = position_of(match)
        shown = MatchContext(position, clock.now())
        headline = headline_of(position, shown.people)
        url = absolute(match.get_absolute_url())
        return cls(
            kind="match.news",
            about={"match": {"id": match.public_id, "title": match.title, "game": match.rules.title, "url": url}},
            id=match.public_id,
            title=match.title,
            url=url,
            picture=absolute(picture_path(match)),
            alt=alt_of(match, headline),
            headline=headline.line,
            drawing=drawing_of(position, shown),
        )


@dataclass(frozen=True, slots=True)
class Message:
    """One post, ready to send. `goes_for_good`: the receiver answers 404 only once the address no longer exists."""

    url: str
    body: bytes
    headers: dict[str, str]
    goes_for_good: bool = False


def send(message: Message) -> None:
    """Send a post. Raises `TryAgain`, `GaveUp`."""
    post(message.url, message.body, message.headers, goes_for_good=message.goes_for_good)


def message_of(news: Delivery, board: Board) -> Message:
    """Make the post for a webhook. It is the same each time, except for the signature's time and the current board."""
    webhook = news.address
    if webhook.details["form"] == DISCORD:
        return _for_discord(webhook.target, webhook.details["hidden"], news, board)
    content = {
        "type": board.kind,
        "timestamp": news.at.isoformat(),
        "data": {
            "id": news.event_id,
            "at": news.at.isoformat(),
            **board.about,
            "headline": board.headline,
            "items": [item for item in news.items if item["kind"] != NAMED],
            "picture": {"url": board.picture, "alt": board.alt},
        },
    }
    body = json.dumps(content, ensure_ascii=False).encode("utf-8", "replace")
    return Message(webhook.target, body, signed(news.event_id, body, webhook.details["secret"]))


def _for_discord(url: str, hidden: bool, news: Delivery, board: Board) -> Message:
    """A message with a file, as multipart/form-data. Discord checks no signatures."""
    name = f"{'SPOILER_' if hidden else ''}{board.id}.png"  # Discord hides such a picture until it is clicked
    png = _png(board)
    roles = [str(item["text"]) for item in news.items if item["kind"] == NAMED]
    named = "".join(f"<@&{role}>\n" for role in roles)  # see allowed_mentions: nobody else can be mentioned
    content = named + _content(hidden, news, board, _MOST_OF_DISCORD - len(named))
    payload: dict[str, Any] = {"content": content, "allowed_mentions": {"parse": [], "roles": roles}}
    if png:
        payload["attachments"] = [{"id": 0, "filename": name, "description": board.alt[:1000]}]
    text = json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace")
    id = {"webhook-id": news.event_id}
    if board.drawing is None or not png:
        return Message(url, text, {"Content-Type": "application/json", **id}, goes_for_good=True)
    fields: Any = {"payload_json": (None, text, "application/json"), "files[0]": (name, png, "image/png")}
    boundary = f"----genius-{news.event_id}-{board.drawing.digest}"
    body, content_type = encode_multipart_formdata(fields, boundary)
    return Message(url, body, {"Content-Type": content_type, **id}, goes_for_good=True)


def _png(board: Board) -> bytes:
    """The board's picture; empty if it has none, or if too many are being drawn, so that the news need not wait."""
    try:
        return png_of(board.drawing) if board.drawing else b""
    except TooManyPictures:
        return b""


def _content(hidden: bool, news: Delivery, board: Board, most: int) -> str:
    lines = [str(item["text"]) for item in news.items if item["kind"] != NAMED]
    head = f"{board.title} · {moment_in_words(news.at)}"
    if hidden:
        pieces = discord_pieces(head, lines, board.url)
        while len(pieces) > 1 or len(pieces[0]) > most:
            lines = lines[:-1]
            pieces = discord_pieces(head, [*lines, "…"], board.url)
        return pieces[0]
    head, link = f"**{for_discord(head)}**", f"<{board.url}>"
    room, shown = most - len(head) - len(link) - 4, []
    for line in map(for_discord, lines):
        room -= len(line) + 1
        if room < 0:
            shown.append("…")
            break
        shown.append(line)
    return "\n".join((head, *shown, link))
