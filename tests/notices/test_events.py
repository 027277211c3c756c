"""Each event on its way from what happens in a match to the people whom it concerns, and to nobody else."""

from collections.abc import Callable
from functools import partial

import pytest

from accounts.models import User
from matches.models import Match, clock
from matches.services import hosting
from matches.services.deadlines import sweep
from matches.services.hosting import announcements
from matches.services.joining import join, leave
from matches.services.questions import ask_hosts
from notices.models import Notice
from notices.outbox import pass_on
from tests.services.conftest import HOUR, person
from tests.services.conftest import Table as Tiny
from tests.services.conftest import _tiny_game_is_registered as _tiny_game_is_registered
from tests.services.test_starts import publish, set_up
from tests.web.conftest import Table

pytestmark = pytest.mark.django_db


def heard(of: Match) -> dict[str, list[tuple[str, str]]]:
    """What people were told since the last time: username -> (event, text)."""
    pass_on()
    found: dict[str, list[tuple[str, str]]] = {}
    for notice in Notice.objects.filter(match=of).select_related("user").order_by("pk"):
        found.setdefault(notice.user.username, []).append((notice.event, notice.text))
    Notice.objects.all().delete()
    return found


def events(of: Match) -> dict[str, list[str]]:
    return {name: [event for event, _ in told] for name, told in heard(of).items()}


@pytest.fixture
def table(present: clock.FixedTime) -> Table:
    """A match that dora hosts, in its auction."""
    made = Table(present).open().at(24)
    heard(made.match)
    return made


PLAYERS = ("ann", "bob", "cat")


def by_each(event: str) -> dict[str, list[str]]:
    """Every player was told this one thing."""
    return {name: [event] for name in PLAYERS}


@pytest.mark.parametrize(
    ("event", "words", "act"),
    [
        ("paused", "The match is paused", partial(hosting.pause, reason="Lunch")),
        ("moved", "moved the deadline by 2h; the next deadline is ", partial(hosting.extend, by=2 * HOUR)),
        ("cancelled", "cancelled", partial(hosting.cancel, reason="Nobody plays.")),
        ("clarified", "Bids are whole.", partial(announcements.announce, kind="clarification", text="Bids are whole.")),
    ],
)
def test_what_a_host_does_is_told_to_the_players(
    table: Table, event: str, words: str, act: Callable[[Match, User], object]
) -> None:
    act(table.match, table.users["dora"])
    found = heard(table.match)
    assert {name: [kind for kind, _ in told] for name, told in found.items()} == by_each(event)
    assert all(words in told[0][1] for told in found.values())


def test_what_is_lost_and_won_and_the_end_with_ones_own_account(table: Table) -> None:
    table.bid("ann", "Y", 4).bid("bob", "Z", 5)
    heard(table.match)
    table.bid("cat", "Z", 6)
    assert events(table.match) == {"bob": ["outbid"]}
    table.at(24 * 8)
    found = heard(table.match)
    told = {name: {kind for kind, _ in each} for name, each in found.items()}
    assert {"won", "finished"} & told["ann"]
    ann = " ".join(text for _, text in found["ann"])
    assert "You have won Y" in ann or "won Y" in ann
    assert "finished" in {kind for kind, _ in found["dora"]}, "its hosts hear of the end too"


def test_an_answer_to_everybody_names_the_asker_to_nobody(table: Table) -> None:
    asked = ask_hosts(table.match_id, table.users["ann"].pk, "Is a bid of 0 a bid?")
    heard(table.match)
    announcements.answer_to_everybody(
        table.match, table.users["dora"], asked.question.token, "A bid of 0 is none.", asked="Is 0 a bid?"
    )
    found = heard(table.match)
    assert {name: {kind for kind, _ in told} for name, told in found.items()} == {
        "ann": {"clarified", "answered"},
        "bob": {"clarified"},
        "cat": {"clarified"},
    }
    others = " ".join(text for name in ("bob", "cat") for _, text in found[name])
    assert "A bid of 0 is none." in others
    assert "ann" not in others


def test_who_leaves_is_named_to_the_hosts_and_a_start_that_fails_to_all(present: clock.FixedTime) -> None:
    table = Tiny(present, "ann bob")
    set_up(table, joining="open", places=3)
    publish(table, "without")
    zoe = person("zoe")
    join(table.match, zoe)
    heard(table.match)
    leave(table.match, table.users["bob"])
    assert events(table.match) == {table.host.username: ["left"]}
    leave(table.match, zoe)
    heard(table.match)
    table.at(HOUR)
    sweep()
    assert events(table.match)[table.host.username] == ["not_opened"]
