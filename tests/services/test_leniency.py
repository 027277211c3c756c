"""Graces, with which players get more time for everybody, and excused absences."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from matches.models import Absence, GraceUse, clock
from matches.queries.feed import feed
from matches.services import absences, hosting, leniency
from matches.services.absences import away_now, come_back, note_away, say_away, tend
from matches.services.actions import BotPlays, NotAPlayer
from matches.services.by_itself import in_words
from matches.services.errors import CommandRefused
from matches.services.replay import verify
from tests.services.conftest import HOUR, Table, person
from tests.services.racer import race

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def lenient(present: clock.FixedTime, graces: int = 1, *, bots: bool = True, **config: Any) -> Table:
    table = Table(present, **config)
    leniency.choose(table.match, table.host, graces=graces, grace_by=6 * HOUR, bots_stand_in=bots)
    return table.open()


def news(table: Table) -> list[str]:
    return [line.text for line in feed(table.match, None)]


def test_a_grace_moves_a_deadline_for_everybody_once(present: clock.FixedTime) -> None:
    table = lenient(present)
    ann, bob = table.users["ann"], table.users["bob"]
    before = table.match.next_deadline_at
    leniency.take_grace(table.match_id, ann.pk, "one")
    leniency.take_grace(table.match_id, ann.pk, "one")
    assert before is not None
    assert table.match.next_deadline_at == before + 6 * HOUR
    words = in_words(table.match, before + 6 * HOUR)
    assert news(table)[0] == (
        f"ann has taken a grace: the deadline is moved by 6h; the next deadline is {words}. They have none left."
    )
    assert GraceUse.objects.count() == 1
    for user, code in ((bob, "grace_taken"), (ann, "grace_taken")):
        with pytest.raises(CommandRefused) as refused:
            leniency.take_grace(table.match_id, user.pk)
        assert refused.value.code == code
    with pytest.raises(NotAPlayer):
        leniency.take_grace(table.match_id, person("eve").pk)
    with pytest.raises(CommandRefused, match="fixed when the match begins"):
        leniency.choose(table.match, table.host, graces=2, grace_by=HOUR, bots_stand_in=False)
    assert verify(table.match) == []

    # The place has used it, whoever comes next.
    hosting.substitute(table.match, table.host, table.player("ann"), person("fay"))
    assert leniency.graces_left(table.match, table.player("ann").pk) == 0
    GraceUse.objects.all().delete()
    assert verify(table.match) == ["The graces that were taken are not those that the log gives."]


def test_without_graces_or_a_deadline_there_is_none(present: clock.FixedTime) -> None:
    plain = Table(present).open()
    with pytest.raises(CommandRefused) as refused:
        leniency.take_grace(plain.match_id, plain.users["ann"].pk)
    assert refused.value.code == "no_grace_left"
    paused = lenient(present, handles="dan eli flo")
    hosting.pause(paused.match, paused.host)
    with pytest.raises(CommandRefused) as refused:
        leniency.take_grace(paused.match_id, paused.users["dan"].pk)
    assert refused.value.code == "no_deadline"
    draft = Table(present, handles="gus hal ida")
    for graces, by in ((10, HOUR), (-1, HOUR), (1, timedelta()), (1, timedelta(days=8))):
        with pytest.raises(CommandRefused):
            leniency.choose(draft.match, draft.host, graces=graces, grace_by=by, bots_stand_in=False)


@pytest.mark.django_db(transaction=True)
def test_of_players_who_take_a_grace_at_once_one_does() -> None:
    outcomes, table = _race()
    assert outcomes == {"done": 1, "grace_taken": 2}
    assert table.match.log.filter(payload__contains='"command":"grace"').count() == 1
    assert verify(table.match) == []


@pytest.mark.django_db(transaction=True)
def test_control_without_the_lock_it_breaks_or_is_moved_twice() -> None:
    outcomes, _ = _race(unlocked=True, unguarded=True)
    assert outcomes["grace_taken"] < 2
    assert outcomes["done"] > 1 or set(outcomes) - {"done", "grace_taken"}


def _race(**how: Any) -> tuple[Counter[str], Table]:
    table = lenient(clock.FixedTime(clock.now()))
    tasks = [{"do": "grace", "match": table.match_id, "user": user.pk, **how} for user in table.users.values()]
    return sum(race(tasks), Counter()), table


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
    table.at(6 * HOUR)
    assert tend() == 1
    assert not table.player("ann").is_bot
    assert table.act("ann", "buy_chips", count=1).accepted
    assert verify(table.match) == []

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
    assert verify(table.match) == []
    Absence.objects.filter(noted_by=table.host.username).update(bot=True)
    assert "The absences are not those that the log gives." in verify(table.match)


def test_an_absence_that_cannot_be_is_refused(present: clock.FixedTime) -> None:
    table = lenient(present, bots=False)
    ann, now = table.users["ann"], present.instant
    for since, until, bot, why in (
        (now, now, False, "has to end after it begins"),
        (now - 2 * HOUR, now - HOUR, False, "not in the past"),
        (now, now + timedelta(days=61), False, "at most 60 days"),
        (now, now + HOUR, True, "no bot plays"),
    ):
        with pytest.raises(CommandRefused, match=why):
            say_away(table.match_id, ann.pk, since, until, bot=bot)
    with pytest.raises(NotAPlayer):
        say_away(table.match_id, person("eve").pk, now, now + HOUR)
    assert not Absence.objects.exists()
    assert absences.tend() == 0
