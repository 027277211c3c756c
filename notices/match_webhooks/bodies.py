"""What is posted: for a program JSON with the picture's address, for Discord a message with the picture as a file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from matches.models import Match, clock
from matches.pages.context import MatchContext
from matches.pages.durations import moment_in_words
from matches.pages.headline import headline_of
from matches.pages.pictures import Drawing, TooManyPictures, drawing_of, png_of
from matches.pages.previews import absolute, alt_of, picture_path
from matches.pages.recaps import discord_pieces, for_discord
from matches.pages.rendering import position_of
from notices.channels.webhook import signed
from notices.models import PublicPost, PublicWebhook

_MOST_OF_DISCORD = 2000


@dataclass(frozen=True, slots=True)
class Board:
    """What a post says of what it is about, as everybody may know it now; no database behind it.

    `kind`: the `type` for programs. `about`: what it is about, for programs, such as `{"match": {…}}`.
    """

    kind: str
    about: dict[str, Any]
    id: str
    title: str
    url: str
    picture: str
    alt: str
    headline: str
    drawing: Drawing

    @classmethod
    def of_match(cls, match: Match) -> Board:
        """The board of a match. Reads the database."""
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
    """One post, ready to be sent."""

    body: bytes
    headers: dict[str, str]


def message_of(webhook: PublicWebhook, post: PublicPost, board: Board) -> Message:
    """The post for this webhook. The same each time, but for the time of the signature and for the board."""
    if webhook.form == PublicWebhook.Form.DISCORD:
        return _for_discord(webhook, post, board)
    body = json.dumps(_for_programs(post, board), ensure_ascii=False).encode("utf-8", "replace")
    return Message(body, signed(post.event_id, body, webhook.secret))


def _for_programs(post: PublicPost, board: Board) -> dict[str, Any]:
    return {
        "type": board.kind,
        "timestamp": _iso(post.at),
        "data": {
            "id": post.event_id,
            "at": _iso(post.at),
            **board.about,
            "headline": board.headline,
            "items": post.items,
            "picture": {"url": board.picture, "alt": board.alt},
        },
    }


def _iso(instant: datetime) -> str:
    return instant.isoformat()


def _for_discord(webhook: PublicWebhook, post: PublicPost, board: Board) -> Message:
    """A message with a file, as multipart/form-data. Discord checks no signatures."""
    name = f"{'SPOILER_' if webhook.hidden else ''}{board.id}.png"  # so Discord hides a picture
    png = _png(board)
    payload: dict[str, Any] = {"content": _content(webhook, post, board), "allowed_mentions": {"parse": []}}
    if png:
        payload["attachments"] = [{"id": 0, "filename": name, "description": board.alt[:1000]}]
    text = json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace")
    if not png:
        return Message(text, {"Content-Type": "application/json", "webhook-id": post.event_id})
    boundary = f"----genius-{post.event_id}-{board.drawing.digest}"
    parts = (
        (b'Content-Disposition: form-data; name="payload_json"\r\nContent-Type: application/json', text),
        (
            f'Content-Disposition: form-data; name="files[0]"; filename="{name}"\r\nContent-Type: image/png'.encode(),
            png,
        ),
    )
    body = b"".join(b"--%s\r\n%s\r\n\r\n%s\r\n" % (boundary.encode(), head, content) for head, content in parts)
    return Message(
        body + b"--%s--\r\n" % boundary.encode(),
        {"Content-Type": f"multipart/form-data; boundary={boundary}", "webhook-id": post.event_id},
    )


def _png(board: Board) -> bytes:
    """Empty if others are being drawn: news without a picture is better than none."""
    try:
        return png_of(board.drawing)
    except TooManyPictures:
        return b""


def _content(webhook: PublicWebhook, post: PublicPost, board: Board) -> str:
    lines = [str(item["text"]) for item in post.items]
    head = f"{board.title} · {moment_in_words(post.at)}"
    if webhook.hidden:
        pieces = discord_pieces(head, lines, board.url)
        while len(pieces) > 1:
            lines = lines[:-1]
            pieces = discord_pieces(head, [*lines, "…"], board.url)
        return pieces[0]
    head, link = f"**{for_discord(head)}**", f"<{board.url}>"
    room, shown = _MOST_OF_DISCORD - len(head) - len(link) - 4, []
    for line in map(for_discord, lines):
        room -= len(line) + 1
        if room < 0:
            shown.append("…")
            break
        shown.append(line)
    return "\n".join((head, *shown, link))
