"""The shares of one auction, whatever is bid on it: nothing is lost, nothing made, and no order matters."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from matches.games.coin_collectors.shares import Coins, Goods, Stake, share

ASSETS = ("gold", "silver", "bronze", "garnet", "item:wide_net")
AMOUNTS = st.integers(0, 12)
COIN_SETS = st.builds(Coins, AMOUNTS, AMOUNTS, AMOUNTS)
STAKES = st.dictionaries(st.sampled_from("abcdefghijkl"), st.builds(Stake, COIN_SETS, COIN_SETS))
PRIZES = st.dictionaries(st.sampled_from(ASSETS), st.integers(0, 40))


def without_zeros(goods: Goods) -> Goods:
    return {asset: amount for asset, amount in goods.items() if amount}


@given(PRIZES, STAKES)
def test_each_tier_begins_with_what_the_one_before_left(prize: Goods, stakes: dict[str, Stake]) -> None:
    sharing = share(prize, stakes)
    there = without_zeros(prize)
    for tier in sharing.tiers:
        assert tier.there == there
        for name, coins in tier.coins.items():
            assert tier.shares[name] == without_zeros({a: n * coins // tier.total for a, n in there.items()})
        assert all(left < tier.total for left in tier.left.values())
        assert sum(map(Counter, tier.shares.values()), Counter(tier.left)) == Counter(there)
        there = tier.left
    assert sharing.discarded == there


@given(PRIZES, STAKES, st.data())
def test_the_order_of_bidders_does_not_matter(prize: Goods, stakes: dict[str, Stake], data: st.DataObject) -> None:
    order = data.draw(st.permutations(sorted(stakes)))
    assert share(prize, {name: stakes[name] for name in order}) == share(prize, stakes)
