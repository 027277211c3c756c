"""A match in which people talk: ann and bob are Red, cat is Blue, dora hosts, eve has an account."""

import re
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from matches.models import clock
from matches.queries.access import viewer_of
from talk.models import Message, TalkChoices
from talk.queries import rights
from talk.queries.home import Home
from talk.queries.match_home import MatchHome
from talk.services import limits, posting
from tests.fixtures.made_once import made_once
from tests.secrecy.masking import masked
from tests.web.conftest import Browser, Table, browser

TEAMS = {"ann": "Red", "bob": "Red", "cat": "Blue"}


class TalkTable(Table):
    """The match, and what people say in it."""

    def __init__(self, present: clock.FixedTime, **chosen: bool) -> None:
        super().__init__(present)
        if chosen:
            TalkChoices.objects.create(match=self.match, **chosen)

    def brings(self, name: str) -> dict[str, Any]:
        return {"team": TEAMS[name]}

    def viewer(self, name: str) -> Home:
        return MatchHome(viewer_of(self.match, self.users[name]))

    def say(self, name: str, text: str, channel: str = "public", key: str = "") -> Message:
        return posting.post(self.match, self.users[name], channel, text, key)

    def whisper(self, name: str, *to: str) -> str:
        """Open a private channel; return its address."""
        return posting.open_private(self.match, self.users[name], to)

    def address(self, name: str, *args: str) -> str:
        return reverse(f"talk:{name}", args=[self.match.public_id, *args])

    def browser(self, name: str | None = None) -> Browser:
        return browser(self.users[name] if name else None)

    def write(self, client: Client, channel: str, text: str, key: str = "", **how: Any) -> Any:
        return client.post(self.address("write", channel), {"text": text, "key": key}, **how)


def forget() -> None:
    cache.clear()
    limits.talk_rates.cache_clear()
    rights._fixed.cache_clear()


fresh_limits = pytest.fixture(autouse=True)(forget)


@pytest.fixture
def draft(db: None, present: clock.FixedTime) -> TalkTable:
    return made_once("draft to talk in", lambda: TalkTable(present), present)


@pytest.fixture
def table(db: None, present: clock.FixedTime) -> TalkTable:
    """A match that has begun, with the usual choices."""
    return made_once("table to talk at", lambda: TalkTable(present).open(), present)


@pytest.fixture
def read_by_hosts(db: None, present: clock.FixedTime) -> TalkTable:
    """A match that has begun, in which hosts read what is private."""
    return made_once("read by hosts", lambda: TalkTable(present, hosts_read=True).open(), present)


def plain(text: str, table: TalkTable) -> str:
    """Return a page or an answer without its random parts, such as keys of forms and tokens of messages and
    channels."""
    text = re.sub(r"(/admin/matches/match/|match_id=)\d+", "N", text)  # which only hosts see
    text = re.sub(r'(name="key" value=")[^"]+', "KEY", masked(text, table.match.public_id))
    return re.sub(r'(message[-/]|[?;]after=|new=|"(?:id|token)": ?"|data-token=")[\w-]{12}', "TOKEN", text)
