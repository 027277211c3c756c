"""Owner, co-host and observer of a match: what each may do, who may say so, and that none of them ever plays."""

import json
from typing import Any

import pytest

from matches.models import Role, clock
from matches.queries.access import MatchHidden, access_match
from matches.queries.host_acts import host_act_rows, host_acts
from matches.services import hosting, joining
from matches.services.commands import NotTheOwner, OnlyObserves, is_host, open_console, role_of
from matches.services.creation import delete_draft
from matches.services.errors import CommandRefused
from matches.services.replay import verify
from matches.services.roles import roles_from, roles_of
from tests.services.conftest import Table, person


@pytest.fixture
def people(db: None) -> dict[str, Any]:
    return {name: person(name) for name in ("olga", "carl", "otis", "stan")}


@pytest.fixture
def table(db: None, present: clock.FixedTime, people: dict[str, Any]) -> Table:
    """A draft of olga's, co-hosted by carl and observed by otis."""
    table = Table(present)
    hosting.set_roles(table.match, table.host, [people["olga"], people["carl"]], observers=[people["otis"]])
    return table


def test_each_role_does_what_it_may_and_no_more(table: Table, people: dict[str, Any]) -> None:
    olga, carl, otis, stan = people.values()
    boss = person("boss", is_superuser=True)
    assert [role_of(table.match, each) for each in (olga, carl, otis, stan, boss)] == [
        Role.OWNER,
        Role.COHOST,
        Role.OBSERVER,
        None,
        Role.OWNER,
    ]
    assert set(table.match.hosts.all()) == {olga, carl}

    # An observer sees the draft and its console, and gives no command.
    viewer = access_match(table.match.public_id, otis)
    assert (viewer.sees, viewer.is_host) == (True, False)
    open_console(table.match, otis)
    with pytest.raises(MatchHidden):
        access_match(table.match.public_id, stan)
    rows = table.match.log_count
    for refused in (
        lambda: hosting.start_now(table.match, otis),
        lambda: hosting.announce(table.match, otis, "announcement", "Hello"),
        lambda: hosting.set_roles(table.match, otis, [otis]),
        lambda: delete_draft(table.match, otis),
    ):
        with pytest.raises(OnlyObserves):
            refused()
    # A co-host acts, and says nothing about roles.
    for owning in (lambda: hosting.set_roles(table.match, carl, [carl]), lambda: delete_draft(table.match, carl)):
        with pytest.raises(NotTheOwner):
            owning()
    assert table.match.log_count == rows
    hosting.start_now(table.match, carl)
    with pytest.raises(OnlyObserves):
        hosting.peek(table.match, otis, table.player("ann"), "curious")
    with pytest.raises(OnlyObserves):
        hosting.decide_for(table.match, otis, table.player("ann"), {"type": "vote"}, "curious")

    # The owner hands over, and is a co-host from then on.
    hosting.set_roles(table.match, olga, [olga, carl], owner=carl)
    assert roles_of(table.match) == roles_from([olga, carl], [otis], owner=carl)
    with pytest.raises(NotTheOwner):
        hosting.set_roles(table.match, olga, [olga])
    hosting.set_roles(table.match, carl, [carl], observers=[])
    assert not is_host(table.match, olga)
    acts = [act.what for act in host_acts(table.match, host_act_rows(table.match)) if "hosts" in act.what]
    assert acts == [
        "chose who hosts the match: carl; observed by nobody",
        "chose who hosts the match: carl and olga; it belongs to carl",
        "chose who hosts the match: carl and olga; it belongs to olga; observed by otis",
    ]
    assert verify(table.match) == []


def test_nobody_named_ever_plays_and_no_player_is_named(table: Table, people: dict[str, Any]) -> None:
    olga, _, otis, _ = people.values()
    for field, named in (("hosts", {"hosts": [olga, table.users["ann"]]}), ("observers", {"hosts": [olga]})):
        watching = [table.users["ann"]] if field == "observers" else []
        with pytest.raises(CommandRefused, match="cannot") as refused:
            hosting.set_roles(table.match, olga, named["hosts"], observers=watching)
        assert (refused.value.code, refused.value.field) == ("plays_here", field)
    with pytest.raises(CommandRefused) as nobody:
        hosting.set_roles(table.match, olga, [])
    assert nobody.value.code == "no_host"
    with pytest.raises(CommandRefused, match="an observer never plays"):
        joining.add_player(table.match, user=otis)
    hosting.set_roles(table.match, olga, [olga], observers=[])
    with pytest.raises(CommandRefused, match="can never play"):
        joining.add_player(table.match, user=otis)
    before = table.match.log_count
    hosting.set_roles(table.match, olga, [olga], observers=[])
    assert table.match.log_count == before, "nothing changed, so nothing is logged"
    log = [json.loads(row.payload) for row in table.match.log.order_by("number")]
    assert log[-1] == {"command": "hosts", "hosts": [["carl", "olga"], ["olga"]], "observers": [["otis"], []]}


def test_a_host_who_is_let_go_meanwhile_gives_no_command(
    table: Table, people: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The permission is asked again under the lock; a control shows that the first answer was yes."""
    olga, carl, *_ = people.values()
    asked: list[str] = []

    def need(match: Any, user: Any) -> None:
        asked.append("yes" if is_host(match, user) else "no")
        if asked == ["yes"]:
            hosting.set_roles(match, olga, [olga])
        elif asked[-1] == "no":
            raise OnlyObserves("no longer")

    from matches.services.commands import command

    with pytest.raises(OnlyObserves), command(table.match, carl, need=need):
        pytest.fail("a command of somebody who hosts no longer")
    assert asked == ["yes", "no"]
