"""Token buckets, by a clock of our own."""

import pytest

from matches.infra.rate_limits import Buckets, counted_address


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_is_taken_and_then_one_at_a_time() -> None:
    clock = Clock()
    buckets = Buckets(2, 3, clock)
    assert [buckets.take("ann") for _ in range(3)] == [0, 0, 0]
    assert buckets.take("ann") == pytest.approx(0.5)
    clock.now = 0.5
    assert buckets.take("ann") == 0
    assert buckets.take("ann") > 0


def test_one_person_does_not_use_up_anothers() -> None:
    buckets = Buckets(1, 1, Clock())
    assert (buckets.take("ann"), buckets.take("bob")) == (0, 0)
    assert buckets.take("ann") > 0


def test_all_addresses_of_an_ipv6_network_count_as_one() -> None:
    seen = ["2001:db8::1", "2001:DB8:0::2:3", "::ffff:192.0.2.9", "192.0.2.9", "unix:"]
    assert [counted_address("", each) for each in seen] == ["2001:db8::"] * 2 + ["192.0.2.9"] * 2 + ["unix:"]
