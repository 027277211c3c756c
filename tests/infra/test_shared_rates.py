"""One limit over several processes, by totals that they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping

import pytest
from django.conf import settings
from redis.exceptions import ConnectionError as RedisGone

from matches.infra.shared_rates import RedisTotals, SharedBuckets
from tests.infra.test_rate_limits import Clock


class Memory:
    """Totals as Redis keeps them."""

    def __init__(self) -> None:
        self.totals: Counter[Hashable] = Counter()
        self.is_away = False

    def add(self, taken: Mapping[Hashable, int]) -> Mapping[Hashable, int]:
        if self.is_away:
            raise RedisGone
        self.totals.update(taken)
        return {key: self.totals[key] for key in taken}


def pair(totals: Memory | RedisTotals) -> tuple[SharedBuckets, SharedBuckets, Clock]:
    """Two processes whose buckets hold ten."""
    clock = Clock()
    one, other = SharedBuckets(1, 10, totals, clock), SharedBuckets(1, 10, totals, clock)
    for each in (one, other):  # both have seen this person before
        each.take("ann")
    for each in (one, other, one, other):
        each.share()
    clock.now = 1000
    return one, other, clock


def taken(buckets: SharedBuckets, most: int) -> int:
    return sum(buckets.take("ann") == 0 for _ in range(most))


@pytest.mark.parametrize("kind", ["memory", pytest.param("redis", marks=pytest.mark.services)])
def test_what_one_process_allowed_another_takes_off(kind: str) -> None:
    one, other, clock = pair(Memory() if kind == "memory" else RedisTotals(settings.REDIS_URL))
    assert taken(one, 6) == 6
    one.share()
    assert taken(other, 1) == 1
    other.share()
    assert taken(other, 10) == 3
    other.share()
    one.take("ann")
    one.share()
    assert taken(one, 10) == 0
    clock.now += 2
    assert taken(one, 10) == 2


def test_processes_that_share_nothing_allow_each_its_own() -> None:
    one, other, _ = pair(Memory())
    assert (taken(one, 20), taken(other, 20)) == (10, 10)


def test_somebody_who_comes_to_another_process_for_the_first_time_is_not_held_up() -> None:
    totals = Memory()
    totals.totals["ann"] = 5000
    newcomer = SharedBuckets(1, 10, totals, Clock())
    assert taken(newcomer, 3) == 3
    newcomer.share()
    assert taken(newcomer, 20) == 7


def test_one_person_does_not_use_up_anothers() -> None:
    one, other, _ = pair(Memory())
    assert taken(one, 10) == 10
    one.share()
    other.take("ann")
    other.share()
    assert other.take("bob") == 0


def test_without_redis_each_counts_alone() -> None:
    totals = Memory()
    one, _, _ = pair(totals)
    totals.is_away = True
    assert taken(one, 20) == 10
    with pytest.raises(RedisGone):
        one.share()
    assert one.take("ann") > 0
