"""What this process has stored itself is shown without reading it, and never what is older or not for its reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from matches.live.snapshots import FORMATS, Key, Look, match_snapshots
from matches.models import Match, Player, clock
from matches.services import committed, hosting
from matches.services.actions import Answer
from matches.services.group.asks import Ask
from matches.services.group.batch import together
from matches.services.group.memory import Memory
from tests.fixtures.made_once import made_once
from tests.live.looks import EVERYONE, look, own, statements
from tests.web.conftest import Table


@pytest.fixture
def table(db: None, present: clock.FixedTime) -> Table:
    return made_once("begun", lambda: Table(present).open().at(0.1), present)


@pytest.fixture
def watched(table: Table, django_capture_on_commit_callbacks: Any) -> Iterator[Callable[..., Look]]:
    """Somebody watches. Does things, each committed by itself, and looks then, as a hub that has heard of a head."""
    committed.watch(table.match_id)

    def after(*things: Callable[[], object], keys: tuple[Key, ...] = (EVERYONE,), head: int | None = 0) -> Look:
        for thing in things:
            with django_capture_on_commit_callbacks(execute=True):
                thing()
        found = match_snapshots(table.match_id, keys, head)
        assert found is not None
        return found

    yield after
    committed.unwatch(table.match_id)


def test_what_this_process_has_just_stored_is_shown_without_reading_it(table: Table, watched: Any) -> None:
    own_keys = own(table, "ann"), own(table, "bob")
    table.at(24)
    shown = watched(lambda: table.bid("ann", "Y", 4), keys=(EVERYONE, *own_keys))
    assert statements(lambda: watched()) == 0
    assert statements(lambda: watched(keys=own_keys)) == 0, "the look before has read them"
    assert shown.head == table.match.log_count
    read = look(table, EVERYONE, *own_keys)
    assert shown.snapshots == read.snapshots
    for form in FORMATS:
        keys = Key(form), own(table, "ann", form)
        assert watched(keys=keys).snapshots == look(table, *keys).snapshots


def test_nothing_is_shown_before_it_is_committed(
    table: Table, watched: Any, django_capture_on_commit_callbacks: Any
) -> None:
    table.at(24)
    before = watched(lambda: table.bid("ann", "Y", 4))
    with django_capture_on_commit_callbacks():  # as a transaction that is still open, or fails
        table.bid("bob", "Z", 5)
    assert watched().snapshots == before.snapshots


def test_what_another_process_has_stored_is_read_as_soon_as_it_is_known(table: Table, watched: Any) -> None:
    table.at(24)
    mine = watched(lambda: table.bid("ann", "Y", 4))
    table.bid("bob", "Z", 5)  # nothing of it is kept here
    assert watched(head=mine.head).snapshots == mine.snapshots  # nobody has heard of it yet
    theirs = watched(head=mine.head + 1)
    assert theirs.snapshots == look(table, EVERYONE).snapshots != mine.snapshots
    assert watched(head=None).snapshots == theirs.snapshots
    # A player's row is newer than what is kept: then it is not old contents under a new version.
    bob = own(table, "bob")
    assert watched(keys=(bob,), head=0).snapshots == look(table, bob).snapshots


def test_what_is_kept_is_what_is_stored_whatever_happens(table: Table, watched: Any) -> None:
    """Also where hosts have changed the row besides: all fields are compared."""
    dora = table.users["dora"]

    def is_kept() -> bool:
        known = committed.newest(table.match_id, table.match.log_count)
        if known is None:
            return False
        stored = table.match
        for field in Match._meta.concrete_fields:
            assert getattr(known.match, field.attname) == getattr(stored, field.attname), field.attname
        assert known.state == stored.rules.decode_state(stored.state)
        return True

    things: dict[str, Callable[[], object]] = {
        "bid": lambda: table.bid("ann", "Z", 3),
        "deadline": lambda: table.at(24),
        "bid after it": lambda: table.bid("ann", "Y", 4),
        "refused": lambda: table.act("bob", "bid", seat="Y", amount=1),
        "pause": lambda: hosting.pause(table.match, dora, reason="tea"),
        "resume": lambda: hosting.resume(table.match, dora),
        "bid later": lambda: table.bid("bob", "Y", 5),
        "extend": lambda: hosting.extend(table.match, dora, timedelta(hours=1), reason="late"),
        "cancel": lambda: hosting.cancel(table.match, dora, reason="over"),
    }
    kept = set()
    for name, thing in things.items():
        watched(thing)
        if is_kept():
            kept.add(name)
        assert watched(head=table.match.log_count).snapshots == look(table, EVERYONE).snapshots, name
    assert {"bid", "deadline", "bid after it", "bid later"} <= kept


def together_bids(table: Table, *bids: tuple[str, str, int]) -> Callable[[], object]:
    """Bids by the group writer, as those that come by HTTP: of these alone players are known on."""

    def thing() -> None:
        asks = [
            Ask(table.match_id, table.users[name].pk, {"type": "bid", "seat": seat, "amount": amount}, "")
            for name, seat, amount in bids
        ]
        for answer in together(asks, Memory()):
            assert isinstance(answer, Answer), answer

    return thing


@pytest.mark.parametrize("form", FORMATS)
def test_own_views_are_shown_without_reading_players_who_only_play(table: Table, watched: Any, form: Any) -> None:
    keys = Key(form), own(table, "ann", form), own(table, "bob", form)
    table.at(24)
    watched(together_bids(table, ("cat", "X", 1)), keys=keys)
    for bids in ([("ann", "Y", 2), ("bob", "Y", 3)], [("cat", "Y", 4), ("ann", "Y", 1)], [("ann", "Z", 5)]):
        with CaptureQueriesContext(connection) as queries:
            shown = watched(together_bids(table, *bids), keys=keys, head=table.match.log_count + len(bids))
        read = [each["sql"] for each in queries.captured_queries if 'FROM "matches_player"' in each["sql"]]
        assert not [sql for sql in read if "position, id" in sql]
        assert shown.snapshots == look(table, *keys).snapshots
        assert shown.head == table.match.log_count
        for name in ("ann", "bob"):
            assert shown.snapshots[own(table, name, form)].versions["private_version"] == table.player(name).version


@pytest.mark.parametrize("heard", [True, False])
def test_a_place_that_changes_hands_is_never_shown_from_what_is_kept(table: Table, watched: Any, heard: bool) -> None:
    """Elsewhere, by a host: that stands in the log, as everything that changes players."""
    ann = own(table, "ann")
    table.at(24)
    watched(together_bids(table, ("bob", "Y", 2)), keys=(EVERYONE, ann))
    shown = watched(together_bids(table, ("cat", "Z", 3)), keys=(EVERYONE, ann))
    assert ann in shown.snapshots
    Player.objects.filter(pk=ann.player).update(user=table.users["eve"])
    Match.objects.filter(pk=table.match_id).update(log_count=F("log_count") + 1, log_head="another")
    if heard:
        assert ann not in watched(keys=(EVERYONE, ann), head=shown.head + 1).snapshots
    later = watched(together_bids(table, ("bob", "X", 4)), keys=(EVERYONE, ann), head=shown.head)
    assert later.head == shown.head + 2
    assert ann not in later.snapshots, "nor from what is stored here after it"
