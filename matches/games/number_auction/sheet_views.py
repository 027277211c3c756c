"""The views of score sheets: the points of a player's numbers, part by part, with the grid of conditions; and what one
more number would change."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from matches.games.number_auction.conditions import (
    CONDITIONS,
    TITLES,
    Holding,
    average,
    completing,
    lines_of,
    met,
    progress,
    unique_lines,
)
from matches.games.number_auction.scoring import (
    PAIR_POINTS,
    FactorsView,
    Points,
    ascending,
    chains,
    gain,
    owned_factors,
    pairs,
    score,
)


class ChainView(msgspec.Struct, frozen=True):
    """A chain of consecutive numbers and its points."""

    numbers: tuple[int, ...]
    points: int


class PairView(msgspec.Struct, frozen=True):
    """Two numbers that add up to 51."""

    low: int
    high: int
    points: int


class ConditionView(msgspec.Struct, frozen=True):
    """A cell of the grid. `name`: such as `A1`; `title`: its short name; `progress`: a sentence.

    `one_more`: the numbers that can still be won and would each complete it; empty if it is met.
    """

    name: str
    title: str
    met: bool
    progress: str
    one_more: tuple[int, ...]


class SheetView(msgspec.Struct, frozen=True):
    """A live score sheet. `grid`: three rows of three conditions, A1 to C3; `tokens`: those on which A2 depends.

    `lines`: those that are full now; `unique_lines`: those of them that no other player has.
    """

    handle: str
    tokens: int
    numbers: tuple[int, ...]
    points: Points
    chains: tuple[ChainView, ...]
    factors: tuple[FactorsView, ...]
    pairs: tuple[PairView, ...]
    grid: tuple[tuple[ConditionView, ...], ...]
    conditions: tuple[str, ...]
    lines: tuple[str, ...]
    unique_lines: tuple[str, ...]


@lru_cache(maxsize=1024)
def sheet(handle: str, holding: Holding, obtainable: tuple[int, ...]) -> SheetView:
    """One sheet on its own: `unique_lines` is empty until it is compared with others.

    Sheets are read all the time and change only when a round closes, so the latest are cached.
    """
    numbers = holding.numbers
    done = met(holding)
    near = {name: () if name in done else completing(name, holding, obtainable) for name in CONDITIONS}
    cells = tuple(
        ConditionView(name, TITLES[name], name in done, progress(name, holding), near[name]) for name in CONDITIONS
    )
    return SheetView(
        handle=handle,
        tokens=holding.tokens,
        numbers=numbers,
        points=score(numbers),
        chains=tuple(ChainView(chain, len(chain) ** 2) for chain in chains(numbers)),
        factors=tuple(owned_factors(numbers)),
        pairs=tuple(PairView(low, high, PAIR_POINTS) for low, high in pairs(numbers)),
        grid=(cells[:3], cells[3:6], cells[6:]),
        conditions=done,
        lines=lines_of(done),
        unique_lines=(),
    )


def compared(sheets: Sequence[SheetView]) -> tuple[SheetView, ...]:
    """The sheets of all players with their unique lines."""
    unique = unique_lines({each.handle: each.lines for each in sheets})
    return tuple(msgspec.structs.replace(each, unique_lines=unique[each.handle]) for each in sheets)


def against(own: SheetView, others: Mapping[str, tuple[str, ...]]) -> SheetView:
    """A sheet with its unique lines: those that nobody in `others` (player -> lines) has."""
    return msgspec.structs.replace(own, unique_lines=unique_lines({**others, own.handle: own.lines})[own.handle])


# -- one more number ---------------------------------------------------------------------------------


class Prospect(msgspec.Struct, frozen=True):
    """What one more number would change on the sheet of `handle`, whatever is paid for it.

    `points`: how many it adds; `met` and `lost`: conditions; `lines`: those that it would fill; `broken`: full lines
    that would no longer be full.
    """

    handle: str
    points: int
    met: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()


@lru_cache(maxsize=4096)
def prospect(own: SheetView, number: int) -> Prospect:
    """What a number that can still be won would bring the owner of the sheet."""
    # The sheet already knows which numbers complete which condition. Only the average can be lost by owning more.
    met = tuple(cell.name for row in own.grid for cell in row if number in cell.one_more)
    lost = ("A3",) if "A3" in own.conditions and average(ascending((*own.numbers, number))) is None else ()
    after = lines_of((set(own.conditions) | set(met)) - set(lost))
    return Prospect(
        handle=own.handle,
        points=gain(set(own.numbers), number),
        met=met,
        lost=lost,
        lines=tuple(line for line in after if line not in own.lines),
        broken=tuple(line for line in own.lines if line not in after),
    )
