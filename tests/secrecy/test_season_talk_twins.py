"""Random pairs of seasons that differ in what somebody has written where others may not read: those others cannot tell
them apart, on pages, in counts, searches, files, the API and all that is sent to people.

`make twins` compares many; `PAIR=<its name>` makes one again.
"""

import os
import re
from collections.abc import Callable, Iterator
from random import Random

import pytest
from django.db import transaction

from accounts.deletion import export
from matches.models import clock
from matches.services.deadlines import advance
from matches.services.hosting import publish
from seasons import notices
from seasons.models import Season
from seasons.services import running
from talk.models import Channel, Message
from talk.notices import WAITS, tell_of_mentions, tell_of_messages
from talk.services import moderating
from tests.secrecy.mailbox import Mailbox
from tests.secrecy.masking import masked
from tests.secrecy.site import MESSAGES
from tests.talk.conftest import forget
from tests.talk.season_table import CAST, HOST, STRANGER, SeasonTalkTable

pytestmark = pytest.mark.django_db

PAIRS = int(os.environ.get("PAIRS", "1"))
SECRET = "the seventh seat"
_VISITOR = "visitor"
_ROOMS = ("lounge", "team", "questions", "confessional", "spectators")
_TALK = (
    "",
    "channels/",
    "unread/",
    "choices/",
    "rooms/",
    "confessionals/",
    "reports/",
    "new/",
    "search/?q=seventh",
    "export/",
    "export/?format=json",
    *(f"in/{room}/" for room in _ROOMS),
)
_API = ("", "rooms/", "search/?q=seventh", "export/", "confessionals/", *(f"{room}/" for room in _ROOMS))

Story = Callable[["Table"], Message]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "pair" in metafunc.fixturenames:
        seed, one = metafunc.config.option.hypothesis_seed, os.environ.get("PAIR")
        metafunc.parametrize("pair", [one] if one else [f"{seed}-talk-{number}" for number in range(PAIRS)])


class Table(SeasonTalkTable):
    """The season with a match, in which people talk in the open."""

    def __init__(self, present: clock.FixedTime, chosen: dict[str, object]) -> None:
        super().__init__(present, **chosen)
        forget()
        game = {"variant": "F8"}
        self.match = running.add_match(self.season, self.host, "lowest_unique_integer", config=game, seed="00" * 32)
        publish(self.match, self.host)
        advance(self.match.pk)
        self.say("cat", "hello @bob")

    def go_on(self, chance: Random, ends: bool) -> None:
        """What happens in both worlds after the secret."""
        self.say(chance.choice(sorted(CAST)), "good evening")
        self.present.instant += WAITS * chance.choice((1, 2))
        notices.tell()
        tell_of_mentions()
        tell_of_messages()
        if ends:
            running.end(self.season, self.host, "Enough")
            notices.tell()


def stories(pair: str) -> tuple[dict[str, object], Story, set[str], bool]:
    """What hosts chose, who writes what in secret, who may not know it, and whether the season ends then."""
    chance = Random(f"talk {pair}")
    chosen: dict[str, object] = {
        "out": chance.random() < 0.5,
        "hosts_read": chance.random() < 0.5,
        "confessionals": chance.choice(("end", "at_once")),
        "published": chance.random() < 0.3,
    }
    kind = chance.choice(("private", "team", "questions", "confessional", "spectators"))
    one, other = chance.sample(sorted(CAST), 2)
    ends = chance.random() < 0.3 and not (kind == "private" and chosen["published"]) and kind != "spectators"
    reported = chance.random() < 0.3

    def story(table: Table) -> Message:
        room, name, text = kind, one, f"{SECRET} @{other} @{one}"
        if kind == "private":
            room = table.whisper(one, other, title=SECRET[:40])
        elif kind == "spectators":
            name = STRANGER
        said = table.say(name, text, room)
        if kind == "private" and reported:
            moderating.report(said, table.users[other], "rude")
        return said

    everybody = {*CAST, HOST, STRANGER, _VISITOR}
    of_team = {name for name, team in CAST.items() if team == CAST[one]}
    hosts = {HOST} if chosen["hosts_read"] or kind in ("questions", "confessional", "spectators") or reported else set()
    readers = {"private": {one, other}, "team": of_team, "spectators": {STRANGER, _VISITOR}}.get(kind, {one}) | hosts
    return chosen, story, everybody - readers, ends


def seen(
    present: clock.FixedTime, pair: str, story: Story | None, viewers: list[str], only: str = ""
) -> dict[tuple[str, str], str]:
    """What each of these gets, or `only` at the place of this name, after which all is undone."""
    chosen, _, _, ends = stories(pair)
    with transaction.atomic():
        table = Table(present, chosen)
        mailbox = Mailbox(table, viewers)
        said = story(table) if story else None
        table.go_on(Random(f"later {pair}"), ends)
        mailbox.gather(0)
        tokens = [*Channel.objects.values_list("token", flat=True), *Message.objects.values_list("token", flat=True)]
        found = {}
        for viewer in viewers:
            user = table.users.get(viewer)
            client = table.browser(viewer if user else None)
            answers = [(name, client.get(address)) for name, address in asked(table, said) if only in ("", name)]
            texts = {name: f"{answer.status_code} {answer.content.decode()}" for name, answer in answers}
            texts |= {"their data": str(export(user)["talk"]) if user else "", MESSAGES: mailbox.of(user)}
            for name, text in texts.items():
                found[viewer, name] = plain(text, table.season, table.match.public_id, tokens)
        transaction.set_rollback(True)
    return found


def asked(table: Table, said: Message | None) -> Iterator[tuple[str, str]]:
    """Every place where it could be told; also the addresses of what is secret itself."""
    page = table.season.get_absolute_url()
    api, match = f"/api/v1{page}", table.match.get_absolute_url()
    yield from ((each, each) for each in ("/me/", "/notices/", "/seasons/"))
    yield from (("its match", match), ("talk in its match", f"{match}talk/"))
    yield from ((each, page + each) for each in ("", "story/"))
    yield from ((f"talk {each}", f"{page}talk/{each}") for each in _TALK)
    yield from ((f"api {each}", f"{api}{each}") for each in ("", "feed/", "export/"))
    yield from ((f"api talk {each}", f"{api}talk/{each}") for each in _API)
    room, message = (said.channel.token, said.token) if said else ("x" * 12, "x" * 12)
    yield "its room", f"{page}talk/in/{room}/"
    yield "its room in the API", f"{api}talk/{room}/"
    yield "a place in the lounge", f"{api}talk/lounge/?before={message}"
    for act in ("report", "hide"):
        yield f"its {act}", f"{page}talk/message/{message}/{act}/"


def plain(text: str, season: Season, match: str, tokens: list[str]) -> str:
    """Without what is random by itself."""
    for token in (*tokens, "x" * 12):
        text = text.replace(token, "TOKEN")
    text = re.sub(rf"(/admin/seasons/season/|season_id=){season.pk}\b", "N", text)
    return masked(text.replace(season.public_id, "SEASON"), match)


def unlike(present: clock.FixedTime, pair: str, viewers: list[str], only: str = "") -> list[tuple[str, str]]:
    """At which page which of these viewers can tell the two seasons apart."""
    _, story, _, _ = stories(pair)
    loud, quiet = (seen(present, pair, each, viewers, only) for each in (story, None))
    return [place for place in quiet if quiet[place] != loud[place]]


def test_whoever_may_not_read_it_cannot_tell_that_it_was_written(present: clock.FixedTime, pair: str) -> None:
    _, _, blind, _ = stories(pair)
    some = Random(f"who {pair}").sample(sorted(blind), min(2, len(blind)))
    assert unlike(present, pair, some) == []


def test_the_control_its_readers_see_it(present: clock.FixedTime) -> None:
    for number in range(1 if PAIRS < 10 else 3):
        pair = f"control-{number}"
        _, _, blind, _ = stories(pair)
        reader = min({*CAST, HOST, STRANGER} - blind)
        assert (reader, "talk export/") in unlike(present, pair, [reader], only="talk export/")
