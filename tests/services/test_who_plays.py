"""Who plays in a running match: substitutes, players who withdraw, bots that play for somebody."""

import json
from collections import Counter
from typing import Any

import pytest

from accounts.models import User
from matches.live.snapshots import Key, match_snapshots
from matches.models import Match, clock
from matches.queries.access import viewer_of
from matches.queries.feed import feed
from matches.queries.log import receipts
from matches.services import bots, hosting, joining
from matches.services.actions import BotPlays
from matches.services.commands import AlreadyDone, open_console
from matches.services.errors import CommandRefused, NotAPlayer
from matches.services.group.batch import Ask, alone, together
from matches.services.group.queue import submit
from matches.services.group.writer import Memory
from matches.services.questions import ask_hosts
from matches.services.replay import verify
from tests.services.conftest import HOUR, Table, person
from tests.services.racer import race

pytestmark = [pytest.mark.django_db]


def news(table: Table) -> list[str]:
    return [line.text for line in feed(table.match, None)]


def frames(table: Table, *people: str) -> set[str]:
    """Who of these (usernames) would still be shown the private view of ann's place."""
    place = table.player("ann").pk
    keys = {User.objects.get(username=name).pk: name for name in people}
    look = match_snapshots(table.match_id, {Key("json", place, pk) for pk in keys})
    assert look is not None
    return {keys[key.user] for key in look.snapshots if key.user is not None}


def test_a_substitute_gets_the_place_and_the_leaver_is_a_spectator(table: Table) -> None:
    """The rest of a match in which ann is replaced by eve, who then plays it to its end."""
    eve, ann = person("eve"), table.users["ann"]
    assert table.act("ann", "bid", amount=2).accepted
    ask_hosts(table.match_id, ann.pk, "May I go?")
    table.at(HOUR)
    hosting.substitute(table.match, table.host, table.player("ann"), eve, "Ann is away.", key="k")
    with pytest.raises(AlreadyDone):
        hosting.substitute(table.match, table.host, table.player("ann"), eve, key="k")

    place = table.player("ann")
    assert (place.user, place.shown_name) == (eve, "ann")
    assert viewer_of(table.match, ann).player is None
    assert frames(table, ann.username, "eve") == {"eve"}
    assert len(receipts(place)) == 1
    with pytest.raises(NotAPlayer):
        table.act("ann", "withdraw")
    with pytest.raises(NotAPlayer):
        ask_hosts(table.match_id, ann.pk, "And now?")
    table.users["ann"] = eve
    assert table.act("ann", "bid", amount=3).accepted
    assert news(table)[0] == "eve plays as ann from now on (In play): Ann is away."

    row = table.match.log.get(payload__startswith='{"command":"substitute"')
    assert json.loads(row.payload)["left"] == ann.username
    assert row.actor == f"host:{table.host.username}"
    table.at(100 * HOUR).advance()
    assert table.match.status == Match.Status.FINISHED
    assert verify(table.match) == []


def test_who_may_not_come_is_refused_clearly_and_nothing_changes(table: Table) -> None:
    ann, bob, eve, boss = table.users["ann"], table.users["bob"], person("eve"), person("boss", is_superuser=True)
    closed = person("closed", is_active=False)
    open_console(table.match, boss)
    former = person("former")
    hosting.substitute(table.match, table.host, table.player("cat"), former)
    hosting.substitute(table.match, table.host, table.player("cat"), person("finn"))

    before = table.match.log_count
    for newcomer, why in (
        (table.host, "hosts this match"),
        (boss, "seen its settings"),
        (bob, "already plays in this match"),
        (table.users["cat"], "has played in this match"),
        (former, "has played in this match"),
        (closed, "is closed"),
    ):
        with pytest.raises(CommandRefused, match=why):
            hosting.substitute(table.match, table.host, table.player("ann"), newcomer)
    stale = table.player("ann")
    hosting.withdraw_player(table.match, table.host, stale)
    with pytest.raises(CommandRefused, match="changed since"):
        hosting.substitute(table.match, table.host, stale, eve)
    with pytest.raises(CommandRefused, match="nobody can withdraw"):
        hosting.withdraw_player(table.match, table.host, table.player("ann"))
    assert table.match.log_count == before + 1
    table.at(100 * HOUR).advance()
    with pytest.raises(CommandRefused, match="only while a match is running"):
        hosting.substitute(table.match, table.host, table.player("ann"), eve)
    assert table.match.players.filter(user=ann).first() is None
    assert verify(table.match) == []


def test_who_did_something_is_named_as_they_were_then(table: Table) -> None:
    """A handle that is somebody's username is no name for anybody else: from then on the newcomer's is shown."""
    person("ann")
    for name in ("eve", "finn"):
        hosting.let_bot_play(table.match, table.host, table.player("ann"), "A night off.")
        hosting.substitute(table.match, table.host, table.player("ann"), person(name))
    told = [line for line in reversed(news(table)) if "A bot plays" in line or "takes over" in line]
    assert told == [
        "A bot plays for ann from now on (In play): A night off.",
        "eve takes over from ann (In play).",
        "A bot plays for eve from now on (In play): A night off.",
        "finn takes over from eve (In play).",
    ]


def test_a_bot_plays_for_somebody_until_they_have_their_place_back(table: Table) -> None:
    ann = table.users["ann"]
    before = Ask(table.match_id, ann.pk, {"type": "buy_chips", "count": 1}, "before")
    first = alone(before)
    hosting.let_bot_play(table.match, table.host, table.player("ann"), "A night off.")
    for again in (*together([before], Memory()), alone(before)):  # what was stored is answered as before
        assert again.receipt == first.receipt
    assert news(table)[0] == "A bot plays for ann from now on (In play): A night off."
    with pytest.raises(BotPlays, match="A bot plays for you now"):
        table.act("ann", "bid", amount=1)
    (outcome,) = together([Ask(table.match_id, ann.pk, {"type": "bid", "amount": 1}, "")], Memory())
    assert isinstance(outcome, BotPlays)
    assert viewer_of(table.match, ann).player is not None, "they still see their place"
    bots.move_due(match=table.match)
    assert table.match.log.filter(player__handle="ann", user=None, accepted=True).exists()
    with pytest.raises(CommandRefused, match="already"):
        hosting.let_bot_play(table.match, table.host, table.player("ann"))

    hosting.give_back(table.match, table.host, table.player("ann"))
    assert news(table)[0] == "ann plays again. The bot has stopped (In play)."
    assert table.act("ann", "buy_chips", count=1).accepted
    with pytest.raises(CommandRefused, match="No bot plays"):
        hosting.give_back(table.match, table.host, table.player("ann"))

    hosting.withdraw_player(table.match, table.host, table.player("bob"), bot=True)
    hosting.withdraw_player(table.match, table.host, table.player("cat"))
    assert [table.player(each).is_bot for each in ("ann", "bob", "cat")] == [False, True, False]
    hosting.substitute(table.match, table.host, table.player("bob"), person("eve"))
    assert news(table)[0] == "eve plays as bob from now on (In play)."
    assert verify(table.match) == []


# -- two hosts at once -----------------------------------------------------------------------------


def rivals() -> tuple[Counter[str], Table]:
    """Two hosts, each of whom gives ann's place to somebody else at the same moment."""
    table = Table(clock.FixedTime(clock.now())).open()
    table.match.roles.create(user=person("emil"), role="cohost")
    table.match.roles.create(user=person("fred"), role="cohost")
    hosts = list(table.match.hosts.all())
    for host in hosts:
        person(f"new_{host.username}")
    tasks = [{"do": "substitute", "match": table.match_id, "user": host.pk, "place": "ann"} for host in hosts]
    return sum(race(tasks), Counter()), table


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_of_hosts_who_replace_the_same_player_one_wins() -> None:
    outcomes, table = rivals()
    assert outcomes == {"done": 1, "command_refused": 2}
    assert table.match.log.filter(payload__startswith='{"command":"substitute"').count() == 1
    assert table.match.insiders.exclude(played=None).count() == 1
    assert verify(table.match) == []


def test_an_invitation_to_a_place_that_was_given_away_no_longer_works(table: Table) -> None:
    hosting.withdraw_player(table.match, table.host, table.player("ann"))
    old = joining.invitation_of(table.player("ann"))
    hosting.substitute(table.match, table.host, table.player("ann"), person("eve"))
    hosting.withdraw_player(table.match, table.host, table.player("ann"))
    with pytest.raises(CommandRefused, match="no longer works"):
        joining.claim(old, person("finn"))
    assert verify(table.match) == []


@pytest.mark.parametrize("way", ["alone", "together"])
def test_a_substitute_has_keys_of_their_own(table: Table, way: str) -> None:
    """A key that the leaver has used gets the substitute neither the leaver's receipt nor a refusal."""

    def act(user: User, amount: int) -> Any:
        action = {"type": "bid", "amount": amount}
        if way == "alone":
            return submit(table.match_id, user.pk, action, "1")
        (answer,) = together([Ask(table.match_id, user.pk, action, "1")], Memory())
        return answer

    ann, eve = table.users["ann"], person("eve")
    first = act(ann, 2)
    hosting.substitute(table.match, table.host, table.player("ann"), eve)
    second = act(eve, 3)
    assert second.accepted
    assert second.receipt["hash"] != first.receipt["hash"]
    assert act(eve, 3).receipt == second.receipt
    assert verify(table.match) == []
