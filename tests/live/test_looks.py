"""A look at a match: what it reads, and that nothing that happens meanwhile is missed."""

from typing import Any

import pytest

from matches.live.snapshots import Key, Snapshot, match_snapshots
from matches.models import clock
from matches.queries import access, feed
from tests.fixtures.made_once import made_once
from tests.web.conftest import Table


@pytest.fixture
def table(db: None, present: clock.FixedTime) -> Table:
    return made_once("begun", lambda: Table(present).open().at(0.1), present)


def snapshot(table: Table, key: Key) -> Snapshot:
    found = match_snapshots(table.match_id, [key])
    assert found is not None
    return found.snapshots[key]


@pytest.mark.parametrize("form", ["json", "html"])
def test_what_happens_while_a_look_reads_is_found_by_the_next(
    table: Table, form: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann bids between the two statements of a look."""
    ann, bids = table.player("ann"), [3]
    key = Key(form, ann.pk, ann.user_id)

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
