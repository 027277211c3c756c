"""A chat server with a key of its own, which sends signed interactions to this site."""

import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from chat_commands.models import ChatAccount
from matches.models import clock
from tests.fixtures.made_once import made_once
from tests.web.conftest import Table

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
APPLICATION = "4711"
PATH = "/chat/interactions/"


class Chat:
    """The chat server. `number` is the id of the next interaction."""

    def __init__(self) -> None:
        self.number = 1000

    def body(self, **fields: Any) -> dict[str, Any]:
        """Return an interaction as the chat server makes it."""
        self.number += 1
        common = {"id": str(self.number), "application_id": APPLICATION, "token": "secret-token", "version": 1}
        return common | {"type": 2, "locale": "en-GB", "entitlements": []} | fields

    def post(
        self, body: Any, *, key: Ed25519PrivateKey = KEY, age: int = 0, signed: bytes | None = None, **headers: str
    ) -> Any:
        """Post a signed body; `signed`: what is signed instead of the body."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        at = str(int(clock.now().timestamp()) - age)
        sign = key.sign(at.encode() + (data if signed is None else signed)).hex()
        given = {"X-Signature-Ed25519": sign, "X-Signature-Timestamp": at, **headers}
        return Client().post(PATH, data, content_type="application/json", headers=given)

    def use(self, who: str, command: str, sub: str, *, kind: int = 2, focused: str = "", **values: Any) -> Any:
        """Use a command as the person with this chat id; return the answer's JSON."""
        types = {str: 3, int: 4, bool: 5}
        options = [{"name": name, "type": types[type(value)], "value": value} for name, value in values.items()]
        for option in options:
            if option["name"] == focused:
                option["focused"] = True
        data = {"id": "1", "name": command, "type": 1, "options": [{"name": sub, "type": 1, "options": options}]}
        answer = self.post(self.body(type=kind, data=data, member={"user": {"id": who, "username": "x"}, "roles": []}))
        assert answer.status_code == 200, answer.content
        return answer.json()

    def say(self, who: str, command: str, sub: str, **values: Any) -> str:
        """Use a command; return the message that only this person sees."""
        answer = self.use(who, command, sub, **values)
        assert (answer["type"], answer["data"]["flags"]) == (4, 64)
        assert answer["data"]["allowed_mentions"] == {"parse": []}
        return str(answer["data"]["content"])

    def choices(self, who: str, command: str, sub: str, focused: str, **values: Any) -> list[str]:
        """Return the choices offered while this option is typed."""
        answer = self.use(who, command, sub, kind=4, focused=focused, **values)
        assert answer["type"] == 8
        return [each["value"] for each in answer["data"]["choices"]]


@pytest.fixture(autouse=True)
def _on(settings: Any) -> None:
    settings.CHAT_PUBLIC_KEY = KEY.public_key().public_bytes_raw().hex()
    settings.CHAT_APPLICATION_ID = APPLICATION
    cache.clear()  # it remembers what other tests received and typed


@pytest.fixture
def chat() -> Chat:
    return Chat()


def linked(user: User, chat_id: str) -> None:
    """Link a chat account without a code."""
    ChatAccount.objects.create(user=user, chat_id=chat_id, linked_at=clock.now())


@pytest.fixture
def table(db: None, present: clock.FixedTime) -> Table:
    """A match in its pregame, with ann's and bob's chat accounts 1 and 2."""

    def make() -> Table:
        made = Table(present).open()
        linked(made.users["ann"], "1")
        linked(made.users["bob"], "2")
        return made

    return made_once("chat", make, present)
