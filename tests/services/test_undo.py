"""Taking a command back: what can be, how long, that it is refused once anything has followed, and what verify sees."""

from collections import Counter
from datetime import timedelta
from decimal import Decimal

import pytest

from matches.engine.core import GARNET
from matches.models import Match, clock
from matches.queries.host_acts import host_act_rows, host_acts
from matches.services import hosting
from matches.services.amending import amend_match
from matches.services.commands import AlreadyDone
from matches.services.errors import CommandRefused
from matches.services.questions import ask_hosts
from matches.services.replay import verify
from matches.services.storage.log import ENDS
from tests.engine.tiny_game import CHIP
from tests.fixtures.present import START
from tests.services.conftest import DAY, HOUR, Table
from tests.services.racer import race

MINUTE = timedelta(minutes=1)


def last(table: Table) -> int:
    """The last row that does not end the match."""
    return int(table.match.log.exclude(ENDS).latest("number").number)


def undo(table: Table, row: int | None = None, key: str = "") -> str:
    return hosting.undo(table.match, table.host, row or last(table), key=key)


def why_not(table: Table, row: int | None = None) -> str:
    """The refusal; nothing is logged by it."""
    before = last(table)
    with pytest.raises(CommandRefused) as refused:
        undo(table, row)
    assert refused.value.code == "cannot_be_undone"
    assert last(table) == before
    return refused.value.message


def clock_of(match: Match) -> list[object]:
    """What it shows now and from now on; where its anchor is makes no difference."""
    shown = match.clock.time(clock.now()), match.clock.time(clock.now() + DAY)
    return [match.status, match.next_deadline_at, match.paused_at, *shown]


def test_the_clock_goes_on_as_if_nothing_had_happened(table: Table) -> None:
    table.at(2 * HOUR)
    hosting.pause(table.match, table.host, "oops")
    table.at(2 * HOUR + 9 * MINUTE)
    assert undo(table, key="once") == "pause"
    assert clock_of(table.match) == ["open", START + DAY, None, 2 * HOUR + 9 * MINUTE, DAY + 2 * HOUR + 9 * MINUTE]
    with pytest.raises(AlreadyDone):
        undo(table, key="once")
    assert why_not(table, last(table) - 1) == "It has already been taken back."
    hosting.extend(table.match, table.host, 3 * HOUR, "oops")
    hosting.extend(table.match, table.host, HOUR, "oops")
    table.at(2 * HOUR + 10 * MINUTE)
    undo(table)
    assert table.match.next_deadline_at == START + DAY + 3 * HOUR
    assert "give the command again" in why_not(table), "what was taken back is not brought back"
    kinds = list(table.match.announcements.filter(audience="everyone").order_by("-pk").values_list("kind", flat=True))
    assert kinds[:5] == [
        "extension_taken_back",
        "deadline_extended",
        "deadline_extended",
        "pause_taken_back",
        "match_paused",
    ]
    assert [act.what for act in host_acts(table.match, host_act_rows(table.match))[:2]] == [
        "took back: the extension",
        "moved every deadline by 1h",
    ]
    assert verify(table.match) == []
    table.at(DAY + 3 * HOUR).advance()
    assert table.match.log.filter(kind="deadline").exists()
    assert verify(table.match) == []


def test_balances_and_settings_are_what_they_were(table: Table) -> None:
    table.act("ann", "bid", amount=4)
    ann = table.player("ann")
    for asset, amount in ((GARNET, -3), (CHIP, 5), ("blood_garnet", 25_000)):
        before = table.holding("ann", asset)
        hosting.correct_balance(table.match, table.host, ann, asset, amount, "by mistake")
        undo(table)
        assert table.holding("ann", asset) == before
        told = table.match.announcements.filter(player=ann, kind="balance_corrected").latest("pk").data
        assert Decimal(told["amount"]) == Decimal(-amount) / (10_000 if asset == "blood_garnet" else 1)
        assert told["reason"] == "the host has taken the last correction back"
    settings = table.state.config
    amend_match(table.match, table.host, {"tokens": 3, "prize": "nothing"}, "by mistake")
    assert table.state.config != settings
    undo(table)
    assert table.state.config == settings
    assert verify(table.match) == []


def test_publishing_is_taken_back_to_the_start_before_or_to_a_draft(db: None, present: clock.FixedTime) -> None:
    table = Table(present)
    for start in (START + DAY, START + 2 * DAY):
        hosting.publish(table.match, table.host, start, "bots" if start == START + DAY else "without")
    undo(table)
    match = table.match
    assert (match.status, match.starts_at, match.open_places) == ("scheduled", START + DAY, "bots")
    assert match.next_deadline_at == START + DAY
    assert match.announcements.latest("pk").data["starts_at"] == (START + DAY).isoformat()
    hosting.publish(table.match, table.host, START + 3 * DAY)
    undo(table)
    assert table.match.starts_at == START + DAY, "not the start that was taken back"
    assert host_acts(table.match, host_act_rows(table.match))[0].what == "took back: the new start"
    assert verify(table.match) == []
    hosting.unpublish(match, table.host)
    assert "publish the match again" in why_not(table)
    hosting.publish(table.match, table.host, START + DAY)
    undo(table)
    assert (table.match.status, table.match.starts_at, table.match.next_deadline_at) == ("draft", None, None)
    hosting.start_now(table.match, table.host)
    assert "no such command" in why_not(table), "the last row is the site's, which drew what chance decides"
    assert "Somebody has done something else" in why_not(table, last(table) - 1)


def test_it_is_refused_once_anything_has_followed_or_too_late(table: Table) -> None:
    hosting.extend(table.match, table.host, HOUR)
    row = last(table)
    table.act("ann", "bid", amount=3)
    assert "Somebody has done something else" in why_not(table, row)
    hosting.extend(table.match, table.host, HOUR)
    row = last(table)
    assert not table.act("ann", "bid", amount=99).accepted
    assert "Somebody has done something else" in why_not(table, row), "a refused action, too: others saw it"
    hosting.pause(table.match, table.host)
    row = last(table)
    ask_hosts(table.match_id, table.users["bob"].pk, "Why?")
    assert "Somebody has done something else" in why_not(table, row)
    hosting.resume(table.match, table.host)
    assert "Players can act at once" in why_not(table)
    hosting.extend(table.match, table.host, HOUR)
    assert hosting.last_undoable(table.match)
    table.at(10 * MINUTE)
    assert "10 minutes ago" in why_not(table)
    assert hosting.last_undoable(table.match) is None

    # A deadline that would have passed without the command is not passed by taking it back.
    at = table.match.next_deadline_at
    assert at is not None
    table.present.instant = at - MINUTE
    for give, instead in ((hosting.pause, "Resume"), (lambda *who: hosting.extend(*who, HOUR), "Close early")):
        give(table.match, table.host)
        table.present.forward(2 * MINUTE)
        before = clock_of(table.match)
        refusal = why_not(table)
        assert "would already have passed" in refusal
        assert instead in refusal
        assert clock_of(table.match) == before
        if give is hosting.pause:
            hosting.resume(table.match, table.host)
            table.present.instant = table.match.next_deadline_at - MINUTE  # type: ignore[operator]
    table.present.forward(DAY)
    hosting.close_deadline(table.match, table.host)
    assert "opens and settles" in why_not(
        table, table.match.log.filter(payload__contains="close_deadline").get().number
    )
    assert verify(table.match) == []
    other = Table(table.present).open()
    hosting.cancel(other.match, other.host, "enough")
    assert "log and the seed public" in why_not(other)


# -- two at once ---------------------------------------------------------------------------------------


def meeting(table: Table) -> tuple[Counter[str], bool]:
    """A host takes an extension back while a player acts upon it: what came of both, and whether the player's row was
    stored before the one that says that nothing had followed."""
    hosting.extend(table.match, table.host, HOUR)
    act = {"do": "act_between", "user": table.users["ann"].pk, "action": {"type": "bid", "amount": 3}}
    undo = {"do": "undo", "user": table.host.pk, "row": last(table)}
    outcomes = sum(race([{**each, "match": table.match_id} for each in (act, undo)]), Counter())
    rows = dict(table.match.log.order_by("-pk").values_list("kind", "pk")[:2])
    return outcomes, rows["action"] < rows["command"]


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_nobody_acts_between_the_check_and_the_taking_back() -> None:
    table = Table(clock.FixedTime(clock.now())).open()
    outcomes, came_between = meeting(table)
    assert outcomes == {"done": 1, "accepted": 1}
    assert not came_between
    assert verify(table.match) == []
