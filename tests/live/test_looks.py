"""A look at a match: what it reads, and that nothing that happens meanwhile is missed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest
from django.core.exceptions import SynchronousOnlyOperation
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from matches.live import snapshots
from matches.live.snapshots import FORMATS, Key, Look, Snapshot, Stored, Versions, at_hand, match_snapshots, versions
from matches.models import Match, Player, clock
from matches.queries import feed, positions
from matches.queries.match_info import info_json
from matches.services import committed, hosting
from matches.services.actions import Answer
from matches.services.group.asks import Ask
from matches.services.group.batch import together
from matches.services.group.memory import Memory
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
    monkeypatch.setattr(feed, "feed_line", lambda match, item, *of: made.append(item.pk) or real(match, item, *of))
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


def test_what_several_were_told_is_read_at_once_and_kept_apart(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.at(24).bid("ann", "Y", 1).bid("bob", "Y", 2)
    match, players = positions.find(table.match.public_id), [table.player(name) for name in ("ann", "bob", "cat")]
    assert match is not None

    def alone() -> dict[int, list[str]]:
        feed._told.clear()
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
    monkeypatch.setattr(feed, "_TOLD_TO_MANY", feed._TOLD_TO_MANY.replace("LIMIT 600", "LIMIT 1"))
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


# -- what this process has stored itself -------------------------------------------------------------


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


def statements(look: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as queries:
        look()
    return len(queries)


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


def test_an_older_commit_that_is_told_later_changes_nothing(
    table: Table, watched: Any, django_capture_on_commit_callbacks: Any
) -> None:
    table.at(24)
    with django_capture_on_commit_callbacks() as first:
        table.bid("ann", "Y", 4)
    with django_capture_on_commit_callbacks() as second:
        table.bid("bob", "Z", 5)
    for callback in (*second, *first):
        callback()
    assert watched(head=0).snapshots == look(table, EVERYONE).snapshots
    head = table.match.log_count
    assert statements(lambda: watched(head=head)) == 0


def test_nothing_is_kept_of_a_match_that_nobody_watches(table: Table, django_capture_on_commit_callbacks: Any) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        table.bid("ann", "Z", 3)
    assert committed.newest(table.match_id, 0) is None
    committed.watch(table.match_id)
    with django_capture_on_commit_callbacks(execute=True):
        table.bid("ann", "Z", 4)
    assert committed.newest(table.match_id, 0) is not None
    committed.unwatch(table.match_id)
    assert committed.newest(table.match_id, 0) is None


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


def test_who_plays_is_not_known_on_where_more_than_play_was_stored(table: Table, watched: Any) -> None:
    keys = EVERYONE, own(table, "ann")
    table.at(24)
    watched(together_bids(table, ("cat", "X", 1)), keys=keys)
    watched(lambda: hosting.pause(table.match, table.users["dora"], reason="tea"), keys=keys)
    watched(lambda: hosting.resume(table.match, table.users["dora"]), keys=keys)
    for thing in (lambda: table.bid("ann", "Y", 4), lambda: table.bid("bob", "Y", 5)):
        assert statements(lambda thing=thing: watched(thing, keys=(EVERYONE,))) > 0
        assert positions.stored_here(table.match_id, 0, [keys[1].player]) is None
    assert watched(keys=keys).snapshots == look(table, *keys).snapshots


def test_at_hand_is_what_this_process_has_stored_for_programs(table: Table, watched: Any) -> None:
    table.at(24)
    ann, html = own(table, "ann"), (Key("html"), own(table, "ann", "html"))
    stored = watched(lambda: table.bid("ann", "Y", 4))

    def found(*keys: Key, head: int | None = stored.head) -> Look | None:
        return at_hand(table.match_id, keys, head)

    now = found(EVERYONE)
    assert now is not None
    assert now.snapshots == stored.snapshots == look(table, EVERYONE).snapshots
    assert statements(lambda: found(EVERYONE)) == 0
    assert found(EVERYONE, head=stored.head + 1) is None
    assert found(EVERYONE, head=None) is None
    assert found(EVERYONE, ann) is None, "she is not known yet"
    read = watched(keys=(EVERYONE, ann))
    now = found(EVERYONE, ann)
    assert now is not None
    assert now.snapshots == read.snapshots
    assert statements(lambda: found(EVERYONE, ann)) == 0
    assert found(EVERYONE, ann, own(table, "bob")) is None
    assert found(*html) is None


@pytest.mark.parametrize("name", [field.attname for field in Match._meta.concrete_fields])
def test_what_is_said_of_a_match_is_made_again_for_every_change_in_its_row_that_shows(table: Table, name: str) -> None:
    match = Match.objects.get(pk=table.match_id)
    before = msgspec.json.decode(snapshots._match_json(match))
    assert before == info_json(match)
    others = {
        "status": Match.Status.FINISHED,
        "game": "number_auction",
        "config": {**match.config, "pregame": 5},
        "words": "ann:blue",
        "seed": "ab" * 32,
        "public_id": "another",
        "joining": Match.Joining.PEOPLE,
    }
    value = getattr(match, name)
    if name in others:
        other = others[name]
    elif isinstance(value, bool):
        other = not value
    elif isinstance(value, int):
        other = value + 1
    elif isinstance(value, str):
        other = "" if name == "state" else f"{value}x"
    elif isinstance(value, datetime | timedelta):
        other = value + timedelta(hours=1)
    else:
        other = None if value is not None else clock.now()
    setattr(match, name, other)
    assert msgspec.json.decode(snapshots._match_json(match)) == info_json(match)


async def test_what_needs_the_database_is_never_read_on_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    def reads(*_: Any) -> Any:
        raise SynchronousOnlyOperation

    monkeypatch.setattr(positions, "stored_here", lambda *_: object())
    monkeypatch.setattr(snapshots, "_look", reads)
    assert at_hand(1, (EVERYONE,), 0) is None


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
