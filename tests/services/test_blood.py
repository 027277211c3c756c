"""Blood garnets grow by a tenth every 24 h after the pregame, whatever is played."""

from datetime import timedelta
from decimal import Decimal

import pytest

from matches.models import LedgerEntry, Match, Player
from matches.services import blood, hosting
from matches.services.commands import AlreadyDone
from matches.services.errors import CommandRefused
from matches.services.replay import verify
from tests.fixtures.present import START
from tests.services.conftest import DAY, HOUR, Table

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def market(present) -> Table:
    """ann brings 10, bob 0.0005, cat none; the growth is switched on. The tiny game has no pregame."""
    table = Table(present)
    Match.objects.filter(pk=table.match_id).update(blood_garnets=True)
    for handle, amount in (("ann", "10"), ("bob", "0.0005")):
        Player.objects.filter(match_id=table.match_id, handle=handle).update(blood_garnets=Decimal(amount))
    return table.open()


def test_balances_grow_a_day_after_the_pregame_and_every_day_from_then_on(market):
    market.at(DAY - timedelta(microseconds=1))
    assert blood.grow_all() == 0
    for day, units in ((1, 110_000), (2, 121_000), (3, 133_100)):
        market.at(day * DAY)
        assert blood.grow_all() == 1
        assert blood.grow_all() == 0
        assert market.holding("ann", "blood_garnet") == units
    assert verify(market.match) == []


def test_a_machine_that_slept_catches_up_each_step_dated_at_its_own_instant(market):
    market.at(5 * DAY + HOUR)
    assert blood.grow_all() == 5
    grown = LedgerEntry.objects.filter(reason="blood_market", receiver=market.player("ann"))
    assert [entry.at for entry in grown] == [START + day * DAY for day in range(1, 6)]
    assert market.holding("ann", "blood_garnet") == 161_051


def test_halves_of_the_smallest_unit_go_to_the_even_neighbour(market):
    market.at(DAY)
    blood.grow_all()
    assert market.holding("bob", "blood_garnet") == 6  # 5.5 -> 6
    assert blood.grown(15) == 16  # 16.5 -> 16
    assert blood.grown(25) == 28  # 27.5 -> 28
    assert blood.grown(4) == 4


def test_it_goes_on_after_the_end_until_a_host_switches_it_off(market):
    market.at(9 * DAY).advance()
    assert market.match.status == "finished"
    assert blood.grow_all() == 9
    hosting.switch_blood_garnets(market.match, market.host, False)
    market.at(12 * DAY)
    assert blood.grow_all() == 0


def test_they_grow_by_the_clock_on_the_wall_also_while_the_match_is_paused(market):
    market.at(HOUR)
    hosting.pause(market.match, market.host)
    market.at(DAY)
    assert blood.grow_all() == 1
    assert market.holding("ann", "blood_garnet") == 110_000


def test_switched_on_again_it_starts_with_the_next_daily_moment_and_makes_up_for_nothing(market):
    hosting.switch_blood_garnets(market.match, market.host, False)
    market.at(3 * DAY + HOUR)
    hosting.switch_blood_garnets(market.match, market.host, True)
    assert market.match.blood_grows_at == START + 4 * DAY
    assert blood.grow_all() == 0
    market.at(4 * DAY)
    assert blood.grow_all() == 1


def test_what_is_due_grows_before_a_host_corrects_or_switches(market):
    late = timedelta(seconds=40)
    market.at(DAY + late)
    hosting.correct_balance(market.match, market.host, market.player("ann"), "blood_garnet", -110_000, "all of it")
    hosting.correct_balance(market.match, market.host, market.player("ann"), "blood_garnet", 1_000_000, "a gift")
    market.at(3 * DAY + late)
    with pytest.raises(AlreadyDone):
        hosting.switch_blood_garnets(market.match, market.host, True)
    hosting.switch_blood_garnets(market.match, market.host, False)
    assert market.holding("ann", "blood_garnet") == 1_210_000
    assert verify(market.match) == []


def test_no_balance_grows_or_is_corrected_beyond_what_can_be_stored(market):
    hosting.correct_balance(market.match, market.host, market.player("ann"), "blood_garnet", blood.MOST - 500_000, "oh")
    market.at(2 * DAY)
    assert (blood.grow_all(), market.holding("ann", "blood_garnet")) == (2, blood.MOST)
    with pytest.raises(CommandRefused, match="too many"):
        hosting.correct_balance(market.match, market.host, market.player("ann"), "blood_garnet", 1, "more")
    assert verify(market.match) == []


def test_one_match_at_fault_does_not_keep_the_others_from_growing(market, present):
    Match.objects.filter(pk=market.match_id).update(state="{}")
    present.instant = START
    other = Table(present)
    Match.objects.filter(pk=other.match_id).update(blood_garnets=True)
    Player.objects.filter(match_id=other.match_id, handle="ann").update(blood_garnets=Decimal(1))
    other.open()
    other.at(DAY)
    blood.grow_all()
    assert other.holding("ann", "blood_garnet") == 11_000
