"""A season in which people talk: ann and bob are Red, cat and dan Blue; dora hosts, zoe has an account."""

from typing import Any

from django.urls import reverse

from accounts.models import User
from matches.models import clock
from matches.services.errors import Refused
from seasons.models import Season
from seasons.queries.access import viewer_of
from seasons.services import drafts, running
from seasons.services.cast import add_member
from talk.models import Channel, Message
from talk.queries.channels import NoSuchChannel, channels_of
from talk.queries.rights import USUAL_IN_SEASONS, may_read
from talk.queries.season_home import SeasonHome
from talk.services import posting
from talk.services.channels import choose_in
from tests.fixtures.present import START
from tests.web.conftest import Browser, browser

CAST = {"ann": "Red", "bob": "Red", "cat": "Blue", "dan": "Blue"}
MEMBERS = set(CAST)
HOST, STRANGER = "dora", "zoe"
EVERYBODY = (*CAST, HOST, STRANGER, None)


class SeasonTalkTable:
    """The season, begun, and what people say in it."""

    def __init__(self, present: clock.FixedTime, *, begun: bool = True, **chosen: Any) -> None:
        present.instant = START
        self.present = present
        names = (*CAST, HOST, STRANGER)
        known = {user.username: user for user in User.objects.filter(username__in=names)}
        self.users = {name: known.get(name) or User.objects.create_user(name, f"{name}@example.org") for name in names}
        self.season_id = drafts.create_season("Spring", self.host).pk
        for name, team in CAST.items():
            add_member(self.season, self.host, name, user=self.users[name], team=team, garnets=5)
        if chosen:
            choose_in(self.season, self.host, USUAL_IN_SEASONS.__class__(**{**_usual(), **chosen}))
        if begun:
            running.begin(self.season, self.host)

    @property
    def host(self) -> User:
        return self.users[HOST]

    @property
    def season(self) -> Season:
        return Season.objects.get(pk=self.season_id)

    def command(self, **raw: Any) -> None:
        running.command(self.season, self.host, raw)

    def say(self, name: str, text: str, room: str = "lounge", **more: Any) -> Message:
        return posting.post(self.season, self.users[name], room, text, **more)

    def whisper(self, name: str, *to: str, title: str = "") -> str:
        return posting.open_private(self.season, self.users[name], to, title)

    def home(self, name: str | None) -> SeasonHome:
        return SeasonHome(viewer_of(self.season, self.browser_user(name)))

    def browser_user(self, name: str | None) -> Any:
        from django.contrib.auth.models import AnonymousUser

        return self.users[name] if name else AnonymousUser()

    def kinds(self, name: str | None) -> list[str]:
        return [str(each.kind) for each in channels_of(self.home(name))]

    def readers(self, room: Channel) -> set[str | None]:
        return {name for name in EVERYBODY if may_read(self.browser_user(name), room)}

    def room(self, token: str) -> Channel:
        return Channel.objects.select_related("season", "match").get(token=token)

    def address(self, name: str, *args: str) -> str:
        return reverse(f"season_talk:{name}", args=[self.season.public_id, *args])

    def browser(self, name: str | None) -> Browser:
        return browser(self.users[name] if name else None)


def _usual() -> dict[str, Any]:
    return {name: getattr(USUAL_IN_SEASONS, name) for name in USUAL_IN_SEASONS.__struct_fields__}


def refused(table: SeasonTalkTable, name: str, room: str = "lounge") -> str:
    """The code with which somebody is kept from writing, empty if they can."""
    try:
        table.say(name, "hello", room)
    except Refused as error:
        return error.code
    except NoSuchChannel:
        return "no such room"
    return ""
