"""A look at a match: what it reads, and that nothing that happens meanwhile is missed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from matches.live.snapshots import Stored, Versions, versions
from matches.models import Match, Player, clock
from matches.queries import feed, positions
from matches.services.storage import sql
from tests.fixtures.made_once import made_once
from tests.live.looks import EVERYONE, look, own, snapshot, statements
from tests.web.conftest import Table


@pytest.fixture
def table(db: None, present: clock.FixedTime) -> Table:
    return made_once("begun", lambda: Table(present).open().at(0.1), present)


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
    monkeypatch.setattr(feed, "feed_line", lambda match, item, *of: made.append(item.pk) or real(match, item, *of))
    assert feed.feed(table.match, None, 3) == before
    assert not made
    table.bid("bob", "Z", 5)
    after = feed.feed(table.match, None, 3)
    assert len(made) == 1
    assert after[1:] == before[:2]
    feed._kept.clear()
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
        for player, theirs in zip(players, lines, strict=True):
            mixed = feed.feed(match, player)
            assert [line for line in mixed if line.mine] == theirs
            assert [line for line in mixed if not line.mine] == every
        assert any(lines)


def test_what_several_were_told_is_read_at_once_and_kept_apart(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.at(24).bid("ann", "Y", 1).bid("bob", "Y", 2)
    match, players = positions.find(table.match.public_id), [table.player(name) for name in ("ann", "bob", "cat")]
    assert match is not None

    def alone() -> dict[int, list[str]]:
        feed._kept.clear()
        return {player.pk: texts(feed.private_lines(match, player, 12)) for player in players}

    def together() -> dict[int, list[str]]:
        return {pk: texts(lines) for pk, lines in feed.private_lines_of(match, players, 12).items()}

    steps: list[Callable[[], object]] = [
        lambda: table.bid("cat", "Y", 3),
        lambda: table.bid("ann", "Z", 4).bid("bob", "Z", 5).bid("ann", "Y", 6),
        lambda: None,
        lambda: table.bid("bob", "Y", 7).bid("cat", "Z", 8),
    ]
    for step in steps:
        together()  # known, each up to another line
        step()
        assert statements(together) == 1
        found = together()
        assert found == alone()
    assert len({tuple(lines) for lines in found.values()}) == len(players)
    monkeypatch.setattr(feed, "_MOST_AT_ONCE", 1)
    monkeypatch.setattr(feed, "_OF_MANY", feed._OF_MANY.replace("LIMIT 600", "LIMIT 1"))
    table.bid("ann", "Z", 9).bid("cat", "Y", 10)
    assert together() == alone(), "more than is read at once"


def test_a_look_reads_what_all_players_were_told_by_one_statement(table: Table) -> None:
    keys = [own(table, name, "html") for name in ("ann", "bob", "cat")]
    look(table, *keys)
    table.at(24)
    look(table, *keys)
    Player.objects.filter(match_id=table.match_id).update(version=F("version") + 1)
    with CaptureQueriesContext(connection) as queries:
        look(table, *keys)
    assert sum("matches_announcement" in query["sql"] for query in queries.captured_queries) == 1


# -- the check for lost messages ---------------------------------------------------------------------


def test_the_check_asks_for_all_matches_at_once_and_for_players_only_where_something_happened(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    heads, players = {table.match_id: table.match.log_count}, {table.match_id: {ann.pk, bob.pk}}
    with CaptureQueriesContext(connection) as queries:
        assert versions(heads, players) == Versions({}, {})
    assert len(queries) == 1
    table.bid("ann", "Z", 3)
    with CaptureQueriesContext(connection) as queries:
        found = versions(heads, players)
    assert len(queries) == 2
    match = table.match
    assert found.matches == {match.pk: Stored(match.public_version, match.log_count)}
    assert found.players == {ann.pk: ann.version + 1, bob.pk: bob.version}
    gone = max(Match.objects.values_list("pk", flat=True)) + 1
    assert versions({gone: 3}, {gone: {ann.pk}}).matches == {gone: None}


def test_the_check_of_many_matches_takes_few_statements(table: Table) -> None:
    match = table.match
    others = dict.fromkeys(range(match.pk + 1, match.pk + 120), 0)
    with CaptureQueriesContext(connection) as queries:
        found = versions({**others, match.pk: 0}, {})
    assert len(queries) == 3
    assert found.matches == {**dict.fromkeys(others), match.pk: Stored(match.public_version, match.log_count)}
