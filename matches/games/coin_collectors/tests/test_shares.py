"""The shares of one auction, whatever is bid on it: nothing is lost, nothing made, and no order matters."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from matches.games.coin_collectors.shares import Coins, Goods, Sharing, Stake, share

ASSETS = ("gold", "silver", "bronze", "garnet", "item:wide_net")
AMOUNTS = st.integers(0, 12)
COIN_SETS = st.builds(Coins, AMOUNTS, AMOUNTS, AMOUNTS)
STAKES = st.dictionaries(st.sampled_from("abcdefghijkl"), st.builds(Stake, COIN_SETS, COIN_SETS))
PRIZES = st.dictionaries(st.sampled_from(ASSETS), st.integers(0, 40))


def given_out(sharing: Sharing, stakes: dict[str, Stake]) -> Counter[str]:
    total: Counter[str] = Counter()
    for name in stakes:
        total.update(sharing.received(name))
    return total


def without_zeros(goods: Goods) -> Goods:
    return {asset: amount for asset, amount in goods.items() if amount}


@given(PRIZES, STAKES)
def test_what_is_received_and_what_is_left_is_the_prize(prize: Goods, stakes: dict[str, Stake]) -> None:
    sharing = share(prize, stakes)
    assert without_zeros(given_out(sharing, stakes) + Counter(sharing.discarded)) == without_zeros(prize)
    assert all(amount > 0 for tier in sharing.tiers for got in tier.shares.values() for amount in got.values())


@given(PRIZES, STAKES)
def test_each_tier_begins_with_what_the_one_before_left(prize: Goods, stakes: dict[str, Stake]) -> None:
    sharing = share(prize, stakes)
    there = without_zeros(prize)
    for tier in sharing.tiers:
        assert tier.there == there
        for name, coins in tier.coins.items():
            assert tier.shares[name] == without_zeros({a: n * coins // tier.total for a, n in there.items()})
        assert all(left < tier.total for left in tier.left.values())
        there = tier.left
    assert sharing.discarded == there


@given(PRIZES, STAKES, st.data())
def test_the_order_of_bidders_does_not_matter(prize: Goods, stakes: dict[str, Stake], data: st.DataObject) -> None:
    order = data.draw(st.permutations(sorted(stakes)))
    assert share(prize, {name: stakes[name] for name in order}) == share(prize, stakes)
