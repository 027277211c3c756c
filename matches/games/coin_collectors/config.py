"""The settings of Coin Collectors, among them the rounds with their auctions, and which combinations cannot be
played."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Annotated, Any

import msgspec

from matches.engine.core import GARNET, replace
from matches.engine.errors import ConfigError
from matches.engine.match_time import DAY
from matches.engine.settings import Data, Roster, Settings, Span, Values, Whole, in_places, on_credit, time_to_decide
from matches.games.coin_collectors.items import ITEMS, KINDS, USUAL_WORDS, ItemWords, asset_of
from matches.games.coin_collectors.shares import COINS, Coins

# -- auctions ----------------------------------------------------------------------------------------

MOST = 1_000_000

Amount = Annotated[int, msgspec.Meta(ge=0, le=MOST)]


PrizeItems: Any = msgspec.defstruct(
    "PrizeItems",
    [(kind, Amount, 0) for kind in KINDS],
    namespace={"__doc__": "How many items of each kind are in a prize."},
    module=__name__,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
)


class Prize(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an auction has to share out; kinds left out are 0."""

    gold: Amount = 0
    silver: Amount = 0
    bronze: Amount = 0
    garnet: Amount = 0
    items: PrizeItems = PrizeItems()

    @property
    def goods(self) -> dict[str, int]:
        """Asset -> amount, coins first, without zeros."""
        amounts = {coin: getattr(self, coin) for coin in COINS} | {GARNET: self.garnet}
        amounts |= {asset_of(kind): getattr(self.items, kind) for kind in KINDS}
        return {asset: amount for asset, amount in amounts.items() if amount}


class Auction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One auction of a round. No other auction in the match has its name."""

    name: str
    prize: Prize = Prize()


class Round(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One round: the most auctions on which a player may bid, the most coins on each, and the auctions."""

    auction_limit: Amount = 2
    bid_limit: Amount = 3
    auctions: tuple[Auction, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The auctions' names, in order."""
        return tuple(auction.name for auction in self.auctions)


def auctions_of(rounds: tuple[Round, ...]) -> Iterator[tuple[str, Auction]]:
    """Yield the path of every auction in the list of rounds, such as `[0].auctions[2]`, and the auction."""
    for number, each in enumerate(rounds):
        for place, auction in enumerate(each.auctions):
            yield f"[{number}].auctions[{place}]", auction


# -- the usual rounds ----------------------------------------------------------------------------------


def _auction(name: str, gold: int, silver: int, bronze: int, garnet: int = 0) -> Auction:
    items = {kind: item.usual[name] for kind, item in ITEMS.items() if name in item.usual}
    return Auction(name, Prize(gold, silver, bronze, garnet, PrizeItems(**items)))


STANDARD_ROUNDS: tuple[Round, ...] = (
    Round(
        auction_limit=2,
        bid_limit=2,
        auctions=(
            _auction("Bakery", 0, 2, 4),
            _auction("Smithy", 1, 3, 1),
            _auction("Fishmarket", 0, 1, 3),
        ),
    ),
    Round(
        auction_limit=2,
        bid_limit=3,
        auctions=(
            _auction("Mill", 0, 3, 6),
            _auction("Tavern", 1, 3, 2, 1),
            _auction("Observatory", 0, 2, 2),
            _auction("Counting house", 2, 1, 0),
        ),
    ),
    Round(
        auction_limit=2,
        bid_limit=3,
        auctions=(
            _auction("Harbour", 1, 6, 4),
            _auction("Crypt", 1, 2, 2),
            _auction("Laboratory", 0, 4, 4),
            _auction("Mint", 3, 2, 0, 1),
        ),
    ),
    Round(
        auction_limit=3,
        bid_limit=4,
        auctions=(
            _auction("Fairground", 0, 6, 10),
            _auction("Theatre", 2, 5, 3, 1),
            _auction("Guildhall", 1, 4, 4),
            _auction("Cathedral", 3, 3, 1),
            _auction("Jewel room", 2, 0, 0, 3),
        ),
    ),
    Round(
        auction_limit=3,
        bid_limit=5,
        auctions=(
            _auction("Old quarter", 1, 8, 12),
            _auction("Lighthouse", 2, 7, 4),
            _auction("Exchange", 3, 5, 2, 1),
            _auction("Palace", 4, 3, 0, 2),
            _auction("Royal vault", 5, 1, 0),
        ),
    ),
)


def usual_rounds(values: Values) -> tuple[Round, ...]:
    """The default rounds for a match with these `items`; a kind that is left out (None) is in no prize."""
    missing = {kind: 0 for kind, words in values["items"].items() if words is None}

    def without(auction: Auction) -> Auction:
        return replace(auction, prize=replace(auction.prize, items=replace(auction.prize.items, **missing)))

    return tuple(replace(each, auctions=tuple(map(without, each.auctions))) for each in STANDARD_ROUNDS)


# -- config --------------------------------------------------------------------------------------------

MOST_ROUNDS = 50
MOST_AUCTIONS = 30
LONGEST_NAME = 40
LONGEST_DESCRIPTION = 400


class StartCoins(Data, frozen=True, kw_only=True):
    """A setting for the coins with which everybody starts."""

    def read(self, raw: object) -> Coins:
        coins: Coins = super().read(raw)
        for coin in COINS:
            if not 0 <= coins.of(coin) <= MOST:
                raise self.refuse_at(f".{coin}", f"expected a whole number from 0 to {MOST}")
        return coins


class Items(Data, frozen=True, kw_only=True):
    """A setting for the items: kind -> its name and description, or None for a kind that is left out."""

    def read(self, raw: object) -> dict[str, ItemWords | None]:
        if not isinstance(raw, Mapping):
            raise self.refuse('expected an object such as {"wide_net": {"name": "Fishing net"}, "spyglass": null}')
        for kind in raw:
            if kind not in KINDS:
                raise self.refuse_at(f".{str(kind)[:40]}", f"there is no such item; the items are {', '.join(KINDS)}")
        return {kind: self._words(kind, raw[kind]) if kind in raw else USUAL_WORDS[kind] for kind in KINDS}

    def _words(self, kind: str, raw: object) -> ItemWords | None:
        if raw is None:
            return None
        if not isinstance(raw, Mapping):
            raise self.refuse_at(f".{kind}", "expected a name and a description, or null to leave the item out")
        usual = msgspec.structs.asdict(USUAL_WORDS[kind])
        words: ItemWords = self.convert({**usual, **raw}, ItemWords, f".{kind}")
        texts = (("name", words.name, LONGEST_NAME), ("description", words.description, LONGEST_DESCRIPTION))
        for key, text, longest in texts:
            if (fault := untidy(text, longest)) is not None:
                raise self.refuse_at(f".{kind}.{key}", fault)
        return words


class Rounds(Data, frozen=True, kw_only=True):
    """A setting for the list of rounds. Errors say which round and auction is wrong."""

    def read(self, raw: object) -> tuple[Round, ...]:
        rounds: tuple[Round, ...] = super().read(raw)
        if not 1 <= len(rounds) <= MOST_ROUNDS:
            raise self.refuse(f"expected 1 to {MOST_ROUNDS} rounds")
        for number, each in enumerate(rounds):
            if len(each.auctions) > MOST_AUCTIONS:
                raise self.refuse_at(f"[{number}].auctions", f"expected at most {MOST_AUCTIONS}")
        taken: set[str] = set()
        for path, auction in auctions_of(rounds):
            if (fault := untidy(auction.name, LONGEST_NAME)) is not None:
                raise self.refuse_at(f"{path}.name", fault)
            if auction.name in taken:
                message = f'"{auction.name}" is already the name of another auction; choose a different name'
                raise self.refuse_at(f"{path}.name", message)
            taken.add(auction.name)
        return rounds


def untidy(text: str, longest: int) -> str | None:
    """What is wrong with a public text, or None."""
    if not text or text != text.strip():
        return "expected text without spaces before or after it"
    if len(text) > longest:
        return f"expected at most {longest} characters"
    return None if text.isprintable() else "expected printable characters on one line"


# -- the keys ----------------------------------------------------------------------------------


class Config(Settings, frozen=True, kw_only=True):
    """The settings of one match. Rounds count from 1."""

    pregame: Annotated[timedelta, Span("Pregame", "Until it ends, players can only wait. Then round 1 starts.")] = DAY
    round: Annotated[timedelta, Span("Length of a round", "How long players can bid in each round.", positive=True)] = (
        DAY
    )
    start: Annotated[Coins, StartCoins("Coins at the start", "What each player starts with.")] = Coins(1, 1, 1)
    limit_price: Annotated[
        int, Whole("Price of lifting a limit", "In garnets, for one of the two limits in one round.")
    ] = 1
    items: Annotated[
        dict[str, ItemWords | None],
        Items("Items", "The name and explanation of each kind. No prize can hold a kind that you leave out."),
    ] = msgspec.field(default_factory=lambda: dict(USUAL_WORDS))
    rounds: Annotated[
        tuple[Round, ...],
        Rounds(
            "Rounds",
            "Players see a round only when it starts. You can change it until then, even during the match.",
            default_from=usual_rounds,
        ),
    ]
    garnet_credit: Annotated[bool, on_credit("lifting limits")] = False
    decision_time: Annotated[
        timedelta, time_to_decide("voting for the Elimination Candidate, and again for giving Tokens of Life")
    ] = DAY

    def closes_at(self, number: int) -> timedelta:
        """The match time at which a round closes; round 0 is the pregame."""
        return self.pregame + number * self.round

    def words(self, kind: str) -> ItemWords:
        """The name and description of an item in this match."""
        return self.items[kind] or USUAL_WORDS[kind]

    def appeared(self, number: int) -> tuple[str, ...]:
        """The kinds of items in the prizes of the first `number` rounds, in order of first appearance."""
        found: dict[str, None] = {}
        for each in self.rounds[:number]:
            for auction in each.auctions:
                found |= {kind: None for kind in KINDS if getattr(auction.prize.items, kind)}
        return tuple(found)

    def conflicts(self) -> Iterator[ConfigError]:
        for path, auction in auctions_of(self.rounds):
            for kind in KINDS:
                if getattr(auction.prize.items, kind) and self.items[kind] is None:
                    where, fault = f"rounds{path}.prize.items.{kind}", "this item is left out of the match"
                    yield ConfigError(where, in_places(where, fault), beside=("items",))

    def unusual(self, roster: Roster) -> tuple[str, ...]:
        found = []
        if self.rounds == usual_rounds({"items": self.items}):
            found.append("The rounds are the usual ones, which everybody can look up.")
        for number, each in enumerate(self.rounds, 1):
            if not each.auctions:
                found.append(f"Round {number} has no auctions yet.")
            elif not each.auction_limit or not each.bid_limit:
                found.append(f"In round {number} nobody can bid without lifting a limit.")
        return tuple(found)
