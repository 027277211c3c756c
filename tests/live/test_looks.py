"""A look at a match: what it reads, and that nothing that happens meanwhile is missed."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.live.snapshots import Stored, Versions, versions
from matches.models import Match, clock
from matches.queries import access, feed
from tests.fixtures.made_once import made_once
from tests.live.looks import EVERYONE, look, own, snapshot
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

    monkeypatch.setattr(access, "fetch", then_bid(access.fetch))
    first = snapshot(table, key)
    then = snapshot(table, key)
    assert first.versions["private_version"] + 1 == then.versions["private_version"] == table.player("ann").version
    assert then.fields(first)


# -- the feed ----------------------------------------------------------------------------------------


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
