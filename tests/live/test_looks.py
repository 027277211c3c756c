"""A look at a match: what it reads, and that nothing that happens meanwhile is missed."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.live.snapshots import Key, Look, Snapshot, match_snapshots
from matches.models import Player, clock
from matches.queries import feed
from matches.services.storage import sql
from tests.web.conftest import Table

EVERYONE = Key("json")


@pytest.fixture
def table(db: None, present: clock.FixedTime) -> Table:
    return Table(present).open().at(0.1)


def own(table: Table, name: str, form: Any = "json") -> Key:
    player = table.player(name)
    return Key(form, player.pk, player.user_id)


def look(table: Table, *keys: Key) -> Look:
    found = match_snapshots(table.match_id, keys)
    assert found is not None
    return found


def snapshot(table: Table, key: Key) -> Snapshot:
    return look(table, key).snapshots[key]


def test_a_look_for_programs_reads_the_match_and_once_all_players_asked_for(table: Table) -> None:
    ann, bob = own(table, "ann"), own(table, "bob")
    look(table, EVERYONE, ann, bob)
    for keys, most in (((EVERYONE,), 1), ((ann,), 2), ((EVERYONE, ann, bob), 2)):
        with CaptureQueriesContext(connection) as queries:
            look(table, *keys)
        assert len(queries) == most


@pytest.mark.parametrize("form", ["json", "html"])
def test_what_happens_while_a_look_reads_is_found_by_the_next(
    table: Table, form: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann bids between the two statements of a look."""
    key, bids = own(table, "ann", form), [3]

    def then_bid(read: Any) -> Any:
        def reading(*args: Any, **more: Any) -> Any:
            found = read(*args, **more)
            if bids:
                table.bid("ann", "Z", bids.pop())
            return found

        return reading

    for name in ("fetch", "fetch_with"):
        monkeypatch.setattr(sql, name, then_bid(getattr(sql, name)))
    first = snapshot(table, key)
    then = snapshot(table, key)
    assert first.versions["private_version"] + 1 == then.versions["private_version"] == table.player("ann").version
    assert then.fields(first)


def test_blood_garnets_are_read_with_the_players(table: Table) -> None:
    key = own(table, "ann")
    before = snapshot(table, key).parts["private"]
    table.player("ann").holdings.create(asset="blood_garnet", amount=12_500)
    after = snapshot(table, key).parts["private"]
    assert b'"blood_garnet":"1.25"' in bytes(after)
    assert b"blood_garnet" not in bytes(before)
    assert b"blood_garnet" not in bytes(snapshot(table, own(table, "bob")).parts["private"])


# -- the feed ----------------------------------------------------------------------------------------


def texts(lines: list[feed.FeedLine]) -> list[str]:
    return [line.text for line in lines]


def test_a_line_of_the_feed_is_read_and_put_into_words_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.at(24).bid("ann", "Y", 4)
    before = feed.feed(table.match, None, 3)
    made: list[int] = []
    real = feed.feed_line
    monkeypatch.setattr(feed, "feed_line", lambda match, item, names: made.append(item.pk) or real(match, item, names))
    assert feed.feed(table.match, None, 3) == before
    assert not made
    table.bid("bob", "Z", 5)
    after = feed.feed(table.match, None, 3)
    assert len(made) == 1
    assert after[1:] == before[:2]
    feed._told.clear()
    assert feed.feed(table.match, None, 3) == after


def test_a_line_follows_the_names_of_those_whom_it_names(table: Table) -> None:
    table.at(24).bid("ann", "Y", 4)
    assert "ann" in feed.feed(table.match, None)[0].text
    Player.objects.filter(match_id=table.match_id, handle="ann").update(name="Anna")
    assert "Anna" in feed.feed(table.match, None)[0].text


def test_what_one_was_told_is_kept_for_nobody_else(table: Table) -> None:
    table.at(24).bid("ann", "Y", 4).bid("bob", "Y", 5)
    match, players = table.match, [table.player(name) for name in ("ann", "bob", "cat")]
    for _ in range(2):
        lines = [feed.private_lines(match, player) for player in players]
        every = feed.feed(match, None)
        assert not any(line.mine for line in every)
        tokens = [{line.token for line in own} for own in lines]
        assert all(line.mine for own in lines for line in own)
        assert sum(map(len, tokens)) == len(set().union(*tokens))
        for player, own in zip(players, lines, strict=True):
            mixed = feed.feed(match, player)
            assert [line for line in mixed if line.mine] == own
            assert [line for line in mixed if not line.mine] == every
        assert any(lines)
