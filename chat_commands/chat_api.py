"""Requests to the chat server's own API: registering the commands, and answers that come later."""

from __future__ import annotations

import http.client
import json
import ssl
from typing import Any

from django.conf import settings

HOST, BASE = "discord.com", "/api/v10"
_SECONDS = 5
_MOST_READ = 64 * 1024


class NotReached(Exception):
    """No answer came."""


def call(method: str, path: str, body: Any, *, bot_token: str = "") -> tuple[int, str]:
    """Send JSON; the status of the answer and the beginning of its text. Raises `NotReached`."""
    headers = {"Content-Type": "application/json", "User-Agent": f"DiscordBot ({settings.SITE_URL}, 1)"}
    if bot_token:
        headers["Authorization"] = f"Bot {bot_token}"
    connection = http.client.HTTPSConnection(HOST, timeout=_SECONDS, context=ssl.create_default_context())
    try:
        connection.request(method, f"{BASE}{path}", json.dumps(body).encode(), headers)
        answer = connection.getresponse()
        return answer.status, answer.read(_MOST_READ).decode(errors="replace")
    except (OSError, http.client.HTTPException) as error:
        raise NotReached(type(error).__name__) from error
    finally:
        connection.close()


def commands_path() -> str:
    """The path at which all commands of the application are replaced at once."""
    return f"/applications/{settings.CHAT_APPLICATION_ID}/commands"


def answer_path(token: str) -> str:
    """The path at which the first answer to an interaction is changed."""
    return f"/webhooks/{settings.CHAT_APPLICATION_ID}/{token}/messages/@original"
