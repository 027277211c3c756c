"""Who reads and writes where: every kind of channel, for every kind of person."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.models import Match, Player
from matches.models.clock import FixedTime
from matches.services.hosting import cancel, set_roles
from matches.services.joining import claim, invitation_of
from talk.models import Channel
from talk.queries import rights
from talk.queries.channels import NoSuchChannel, channel_at, channels_of
from talk.services.posting import MayNotWrite
from tests.talk.conftest import TalkTable

SECRET = "the seventh seat"
EVERYBODY = (None, "ann", "bob", "cat", "dora", "eve")


def readers(table: TalkTable, channel: str) -> set[str | None]:
    """Who gets the channel's page, by any address that leads to it."""
    found = set()
    for name in EVERYBODY:
        client = table.browser(name)
        for address in ("latest", "channel"):
            answer = client.get(table.address(address, channel))
            assert answer.status_code in (200, 404)
            if answer.status_code == 200:
                found.add(name)
    return found


def test_who_plays_never_reads_as_a_host_whoever_made_them_one(db: None, present: FixedTime) -> None:
    table = TalkTable(present, hosts_read=True).open()
    channel = table.whisper("ann", "bob")
    table.say("ann", SECRET, channel)
    table.match.roles.create(user=table.users["cat"], role="cohost")  # no command does that to a player
    assert readers(table, channel) == {"ann", "bob", "dora"}
    assert table.users["cat"].pk not in rights.reader_ids(Channel.objects.get(token=channel))


def test_spectators_write_only_if_the_hosts_have_chosen_so(table: TalkTable, present: FixedTime) -> None:
    with pytest.raises(MayNotWrite) as refused:
        table.say("eve", "hello")
    assert refused.value.code == "only_participants"
    other = TalkTable(present, spectators=True).open()
    assert other.say("eve", "hello").role == "spectator"


def test_a_private_channel_belongs_to_those_who_were_chosen(table: TalkTable) -> None:
    channel = table.whisper("ann", "cat")
    table.say("ann", SECRET, channel)
    assert readers(table, channel) == {"ann", "cat"}
    assert table.whisper("cat", "ann") == channel, "the same people, the same channel"
    assert table.whisper("ann", "bob", "cat") != channel


def test_hosts_read_what_is_private_only_where_it_was_chosen(read_by_hosts: TalkTable) -> None:
    table = read_by_hosts
    channel, team = table.whisper("ann", "cat"), table.say("ann", SECRET, "team").channel.token
    assert readers(table, channel) == {"ann", "cat", "dora"}
    assert readers(table, team) == {"ann", "bob", "dora"}
    with pytest.raises(MayNotWrite) as refused:
        table.say("dora", "I am here", channel)
    assert refused.value.code == "only_readers"


def test_the_page_says_who_reads_before_anybody_writes(table: TalkTable, read_by_hosts: TalkTable) -> None:
    tables = (
        (table, "The hosts of this match read a message only if"),
        (read_by_hosts, "and the hosts of this match (dora)"),
    )
    for each, said in tables:
        page = each.browser("ann").look(each.address("channel", each.whisper("ann", "cat")))
        sentence, form = page.index(said), page.index("<textarea")
        assert sentence < form
        assert said in each.browser("ann").look(each.address("channel", "team"))


def test_an_administrator_reads_nothing_that_is_private(read_by_hosts: TalkTable) -> None:
    table = read_by_hosts
    channel = table.whisper("ann", "cat")
    eve = table.users["eve"]
    eve.is_superuser = eve.is_staff = True
    eve.save()
    assert readers(table, channel) == {"ann", "cat", "dora"}
    with pytest.raises(NoSuchChannel):
        channel_at(table.viewer("eve"), channel)


def test_whoever_hosts_no_longer_reads_no_longer(read_by_hosts: TalkTable) -> None:
    table = read_by_hosts
    channel = table.whisper("ann", "cat")
    set_roles(table.match, table.users["dora"], [table.users["eve"]])
    assert readers(table, channel) == {"ann", "cat", "eve"}


def test_a_place_that_changes_hands_takes_no_private_talk_along(table: TalkTable) -> None:
    channel = table.whisper("ann", "cat")
    table.say("cat", SECRET, channel)
    table.say("ann", SECRET, "team")
    player = table.player("ann")
    Player.objects.filter(pk=player.pk).update(user=None)
    player.refresh_from_db()
    claim(invitation_of(player), table.users["eve"])
    assert readers(table, channel) == {"cat"}
    assert SECRET in table.browser("eve").look(table.address("channel", "team")), "the team is the place's"
    assert SECRET not in table.browser("ann").get(table.address("channel", "team")).content.decode()
    assert table.whisper("cat", "ann") != channel


def test_nobody_whispers_to_bots_themselves_or_strangers(table: TalkTable) -> None:
    assert "You cannot write to bots" not in table.browser("ann").look(table.address("begin"))
    Player.objects.filter(handle="bob").update(user=None, is_bot=True)
    assert "You cannot write to bots" in table.browser("ann").look(table.address("begin"))
    for to in (("bob",), ("ann",), (), ("eve",), ("nobody",), ("cat", "bob")):
        with pytest.raises(MayNotWrite) as refused:
            table.whisper("ann", *to)
        assert refused.value.code == "no_such_player"
    for name in ("dora", "eve"):
        with pytest.raises(MayNotWrite) as refused:
            table.whisper(name, "cat")
        assert refused.value.code == "only_participants"


@pytest.mark.parametrize("kind", ["public", "team", "private"])
def test_a_kind_that_was_not_chosen_is_not_there(db: None, present: FixedTime, kind: str) -> None:
    table = TalkTable(present, **{kind: False}).open()
    kinds = {channel.kind for channel in channels_of(table.viewer("ann"))}
    assert kind not in kinds
    if kind == "private":
        with pytest.raises(MayNotWrite) as refused:
            table.whisper("ann", "cat")
        assert refused.value.code == "no_private_talk"
    else:
        with pytest.raises(NoSuchChannel):
            table.say("ann", "hello", kind)


# -- when ------------------------------------------------------------------------------------------


def test_before_the_match_begins_only_public_talk_is_open(draft: TalkTable) -> None:
    with pytest.raises(MayNotWrite) as refused:
        draft.say("ann", "hello")
    assert refused.value.code == "talk_not_open"
    Match.objects.filter(pk=draft.match_id).update(status="scheduled", starts_at=draft.present.instant + timedelta(1))
    draft.say("ann", "hello")
    with pytest.raises(MayNotWrite) as refused:
        draft.whisper("ann", "cat")
    assert refused.value.code == "talk_not_open"
    with pytest.raises(NoSuchChannel):
        draft.say("ann", "hello", "team")


def test_after_the_end_people_write_for_a_week_and_read_for_ever(table: TalkTable, present: FixedTime) -> None:
    channel = table.whisper("ann", "cat")
    cancel(table.match, table.users["dora"], "enough")
    present.instant += timedelta(days=7, seconds=-1)
    table.say("ann", "still here", channel)
    present.instant += timedelta(seconds=1)
    with pytest.raises(MayNotWrite) as refused:
        table.say("ann", "too late", channel)
    assert refused.value.code == "talk_closed"
    present.instant += timedelta(days=400)
    assert "still here" in table.browser("cat").look(table.address("channel", channel))
    assert readers(table, channel) == {"ann", "cat"}, "it stays as it was chosen"


def test_without_public_talk_there_is_nothing_for_strangers(db: None, present: FixedTime) -> None:
    table = TalkTable(present, public=False).open()
    for name in (None, "eve"):
        client = table.browser(name)
        assert "/talk/" not in client.look(table.url)
        client.look(table.address("talk"), 404)
    assert "/talk/" in table.browser("ann").look(table.url)


def test_more_rooms_take_no_more_queries(read_by_hosts: TalkTable) -> None:
    table, client, counts = read_by_hosts, read_by_hosts.browser("dora"), []
    for others in (("bob",), ("cat",), ("bob", "cat")):
        table.whisper("ann", *others)
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/api/v1/matches/{table.match.public_id}/talk/")
        counts.append(len(queries))
    assert counts[1] == counts[2]
