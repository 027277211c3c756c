"""Excused absences, in which a bot can stand in."""

from datetime import timedelta
from typing import Any

import pytest

from matches.models import Absence, Match, clock
from matches.queries.feed import feed
from matches.services import absences, hosting, joining
from matches.services.absences import away_now, come_back, note_away, say_away, tend
from matches.services.actions import BotPlays, NotAPlayer
from matches.services.errors import CommandRefused
from matches.services.replay import verify
from tests.services.conftest import DAY, HOUR, Table, person

pytestmark = [pytest.mark.django_db]


def lenient(present: clock.FixedTime, *, bots: bool = True, **config: Any) -> Table:
    table = Table(present, **config)
    absences.choose(table.match, table.host, bots_stand_in=bots)
    return table.open()


def news(table: Table) -> list[str]:
    return [line.text for line in feed(table.match, None)]


def test_a_bot_plays_during_an_absence_and_stops_when_it_is_over(present: clock.FixedTime) -> None:
    table = lenient(present)
    ann, start = table.users["ann"], present.instant
    say_away(table.match_id, ann.pk, start + HOUR, start + 5 * HOUR, "My wedding", bot=True)
    assert (tend(), away_now(table.match)) == (0, {})
    assert "My wedding" not in "".join(table.match.log.values_list("payload", flat=True))
    (told,) = table.match.announcements.filter(kind="absence_noted")
    assert told.audience == "hosts"

    table.at(2 * HOUR)
    assert tend() == 1
    assert table.player("ann").is_bot
    assert "A bot plays for" in news(table)[0]
    assert news(table)[0].endswith("an excused absence.")
    assert list(away_now(table.match)) == [table.player("ann").pk]
    with pytest.raises(BotPlays):
        table.act("ann", "bid", amount=1)
    assert tend() == 0
    Match.objects.filter(pk=table.match_id).update(fault="an action failed, and the match goes on")
    table.at(6 * HOUR)
    assert tend() == 1
    assert not table.player("ann").is_bot
    assert table.act("ann", "buy_chips", count=1).accepted
    assert verify(table.match) == []

    hosting.let_bot_play(table.match, table.host, table.player("ann"), "until further notice")
    say_away(table.match_id, ann.pk, present.instant, present.instant + HOUR, bot=True)
    assert tend() == 0
    table.at(8 * HOUR)
    assert (tend(), table.player("ann").is_bot) == (1, True), "the hosts' bot plays on"
    hosting.give_back(table.match, table.host, table.player("ann"))

    say_away(table.match_id, ann.pk, present.instant, present.instant + HOUR, bot=True)
    assert tend() == 1
    come_back(table.match_id, ann.pk)
    assert not table.player("ann").is_bot
    with pytest.raises(CommandRefused, match="not away"):
        come_back(table.match_id, ann.pk)
    assert tend() == 0
    note_away(table.match, table.host, table.player("bob"), present.instant, present.instant + HOUR, "Ill")
    assert tend() == 0, "nobody wanted a bot"
    hosting.withdraw_player(table.match, table.host, table.player("bob"))
    assert away_now(table.match) == {}, "an absence is of the person"
    cat = table.player("cat")
    hosting.substitute(table.match, table.host, cat, person("zoe"))
    with pytest.raises(CommandRefused, match="has changed"):
        note_away(table.match, table.host, cat, present.instant, present.instant + HOUR, "Cat's operation")
    assert verify(table.match) == []


def test_an_absence_that_cannot_be_is_refused(present: clock.FixedTime) -> None:
    table = lenient(present, bots=False)
    ann, now = table.users["ann"], present.instant
    for since, until, bot, why in (
        (now, now, False, "has to end after its start"),
        (now - 2 * HOUR, now - HOUR, False, "after now"),
        (now, now + timedelta(days=61), False, "at most 60 days"),
        (now, now + HOUR, True, "bots do not play"),
    ):
        with pytest.raises(CommandRefused, match=why):
            say_away(table.match_id, ann.pk, since, until, bot=bot)
    with pytest.raises(NotAPlayer):
        say_away(table.match_id, person("eve").pk, now, now + HOUR)
    assert not Absence.objects.exists()
    assert absences.tend() == 0


def test_hosts_hear_once_an_hour_of_somebody_who_changes_an_absence(present: clock.FixedTime) -> None:
    table = lenient(present)
    counts = []
    for after in (timedelta(), HOUR / 2, HOUR - timedelta(seconds=1), HOUR):
        table.at(after)
        say_away(table.match_id, table.users["ann"].pk, present.instant, present.instant + DAY)
        counts.append(table.match.announcements.filter(kind="absence_noted").count())
    assert counts == [1, 1, 1, 2]


def test_no_bot_plays_for_who_was_promised_one_before_the_hosts_chose_otherwise(present: clock.FixedTime) -> None:
    table = Table(present)
    absences.choose(table.match, table.host, bots_stand_in=True)
    hosting.publish(table.match, table.host, present.instant + HOUR)
    say_away(table.match_id, table.users["ann"].pk, present.instant, present.instant + DAY, bot=True)
    absences.choose(table.match, table.host, bots_stand_in=False)
    table.at(2 * HOUR).advance()
    assert (tend(), table.player("ann").is_bot, len(away_now(table.match))) == (0, False, 1)


def test_whoever_takes_a_place_before_the_start_inherits_no_absence(present: clock.FixedTime) -> None:
    table = Table(present)
    hosting.publish(table.match, table.host, present.instant + DAY)
    ann, now = table.users["ann"], present.instant
    say_away(table.match_id, ann.pk, now, now + 9 * DAY, "An operation")
    joining.leave(table.match, ann)
    assert not table.player("ann").absences.exists()
