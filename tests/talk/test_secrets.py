"""Twins: two matches that differ only in what teams and players write to each other. Whoever may not read that sees the
same bytes, hears the same frames, and is counted the same."""

from collections.abc import Callable
from typing import Any

import pytest
from django import test

from accounts.models import ApiToken
from matches.live.messages import Hint
from matches.models import Match, MatchRole, Player
from matches.models.clock import FixedTime
from matches.services import hosting
from talk import notices
from talk.models import Channel, Message
from talk.queries import rights
from talk.queries.unread import unread_for
from tests.fixtures.chosen import one_in
from tests.fixtures.present import START
from tests.talk.conftest import TalkTable, plain

SECRET = "the seventh seat"


def in_the_team(table: TalkTable) -> None:
    table.say("ann", SECRET, "team")
    table.say("bob", f"{SECRET} @ann", "team")


def in_private(table: TalkTable) -> None:
    channel = table.whisper("ann", "bob")
    table.say("ann", f"{SECRET} @bob", channel)
    table.say("bob", SECRET, channel)


def nothing_yet(table: TalkTable) -> None:
    table.whisper("ann", "bob")


STORIES = [in_the_team, in_private, nothing_yet]
BLIND = (None, "cat", "dora", "eve")


def seen_by(table: TalkTable, name: str | None) -> list[str]:
    """Everything that this person can ask for."""
    client = table.browser(name)
    match = f"/api/v1/matches/{table.match.public_id}/"
    pages = [table.url, f"{table.url}parts/", f"{table.url}history/", f"{table.url}news/"]
    pages += [table.address(page) for page in ("talk", "channels", "unread", "choices", "export")]
    pages += [f"{table.address('search')}?q=seventh", f"{table.address('export')}?format=json"]
    pages += [match, f"{match}feed/", f"{match}hosts/", f"{match}talk/", f"{match}talk/public/", f"{match}talk/export/"]
    pages += [f"{match}talk/search/?q=seventh"]
    found = [plain(client.look(page), table) for page in pages]
    for channel in ("team", "nowhere"):
        found.append(plain(client.get(table.address("channel", channel)).content.decode(), table))
        found.append(plain(client.get(f"{match}talk/{channel}/").content.decode(), table))
    if name in ("dora",):
        found.append(plain(client.look(table.address("reports")), table))
    if name is not None:
        found.append(plain(client.look("/me/"), table))
        found.append(plain(repr(unread_for(table.users[name])), table))
    return found


def told(table: TalkTable, story: Callable[[TalkTable], None] | None) -> dict[str | None, list[str]]:
    table.say("dora", "hello")
    if story is not None:
        story(table)
    table.say("cat", "good evening")
    return {name: seen_by(table, name) for name in BLIND}


def test_twins_look_the_same_to_whoever_may_not_read(db: None, present: FixedTime) -> None:
    quiet = told(TalkTable(present).open(), None)
    for story in one_in(2, STORIES):
        Match.objects.update(title="another")
        Player.objects.update(user=None)  # so that lists and counts are of one match alone
        MatchRole.objects.all().delete()
        present.instant = START
        loud = told(TalkTable(present).open(), story)
        for name in BLIND:
            assert quiet[name] == loud[name], (story, name)
            assert SECRET not in "".join(loud[name]), (story, name)


# -- hints -----------------------------------------------------------------------------------------


@pytest.fixture
def hinted(monkeypatch: pytest.MonkeyPatch) -> list[Hint]:
    found: list[Hint] = []
    monkeypatch.setattr(notices.publisher, "hint", found.append)
    return found


def say(table: TalkTable, *said: Any) -> None:
    with test.TestCase.captureOnCommitCallbacks(execute=True):
        table.say(*said)


@pytest.mark.parametrize("by_hosts", [False, True])
def test_only_readers_hear_that_something_was_written(
    db: None, present: FixedTime, hinted: list[Hint], by_hosts: bool
) -> None:
    table = TalkTable(present, hosts_read=by_hosts).open()
    say(table, "ann", "hello")
    say(table, "ann", SECRET, "team")
    say(table, "ann", SECRET, table.whisper("ann", "cat"))
    of = {name: user.pk for name, user in table.users.items()}
    hosts = {of["dora"]} if by_hosts else set()
    assert [hint.users for hint in hinted] == [None, {of["ann"], of["bob"]} | hosts, {of["ann"], of["cat"]} | hosts]
    assert SECRET not in repr(hinted)


@pytest.mark.parametrize("by_hosts", [False, True])
def test_hints_go_to_those_who_may_read_and_to_nobody_else(db: None, present: FixedTime, by_hosts: bool) -> None:
    table = TalkTable(present, hosts_read=by_hosts).open()
    table.say("ann", SECRET, "team")
    channel = table.whisper("ann", "cat", "bob")
    table.whisper("bob", "cat")
    Player.objects.filter(handle="cat").update(user=table.users["eve"])
    assert channel
    for channel in Channel.objects.exclude(kind="public"):
        may = {
            user.pk
            for user in table.users.values()
            if Channel.objects.filter(rights.readable_by(user), pk=channel.pk).exists()
        }
        assert rights.reader_ids(channel) == may
        assert may


def test_hints_of_what_hosts_read_go_to_observers_too(read_by_hosts: TalkTable) -> None:
    table = read_by_hosts
    dora, eve = table.users["dora"], table.users["eve"]
    hosting.set_roles(table.match, dora, [dora], observers=[eve])
    channel = Channel.objects.get(token=table.whisper("ann", "bob"))
    assert rights.reader_ids(channel) == {table.users[name].pk for name in ("ann", "bob", "dora", "eve")}


# -- programs --------------------------------------------------------------------------------------


def test_a_message_of_another_channel_is_no_place_in_this_one(table: TalkTable) -> None:
    table.say("ann", SECRET, "team")
    secret = Message.objects.get()
    table.say("cat", "hello")
    api = f"/api/v1/matches/{table.match.public_id}/talk/public/"
    client = table.browser("cat")
    for name in ("before", "after"):
        real, none = (client.get(api, {name: token}) for token in (secret.token, "x" * 12))
        assert (real.status_code, real.content) == (none.status_code, none.content)
    for page in ("report", "hide"):
        assert client.get(table.address(page, secret.token)).status_code == 404
        assert table.browser("dora").get(table.address(page, secret.token)).status_code == 404
    _, key = ApiToken.issue(table.users["cat"], "a program")
    sent, headers = {"message": secret.token}, {"Authorization": f"Bearer {key}"}
    answer = client.post(f"{api}seen/", sent, content_type="application/json", headers=headers)
    assert answer.status_code == 404
