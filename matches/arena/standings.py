"""The standings of an arena, with how sure one can be of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from matches.arena.playing import Played

_Z = 1.959964  # 95 %


@dataclass
class Line:
    """What became of one bot: seats in matches, of which so many won, held Tokens of Life, were candidates."""

    name: str
    seats: int = 0
    won: int = 0
    tokens: int = 0
    candidate: int = 0
    lost: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def rate(self) -> float:
        """Of its seats, how many won."""
        return self.won / self.seats if self.seats else 0.0


def wilson(won: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share: Wilson's, which holds for few matches and for shares near 0 or 1."""
    if not count:
        return 0.0, 1.0
    share, square = won / count, _Z * _Z
    middle = share + square / (2 * count)
    spread = _Z * math.sqrt(share * (1 - share) / count + square / (4 * count * count))
    whole = 1 + square / count
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def standings(names: Sequence[str], matches: Iterable[Played]) -> list[Line]:
    """The bots, the best first."""
    lines = {name: Line(name) for name in names}
    for match in matches:
        for handle, name in match.seats.items():
            line = lines[name]
            line.seats += 1
            line.won += handle in match.winners
            line.tokens += match.tokens.get(handle, 0)
            line.candidate += handle in match.candidates
        for (name, kind, detail), count in match.lost.items():
            lines[name].lost[kind, detail] += count
    return sorted(lines.values(), key=lambda line: (-line.rate, line.name))


def in_words(lines: Sequence[Line]) -> Iterator[str]:
    """The standings as text."""
    width = max(len("bot"), *(len(line.name) for line in lines))
    yield f"{'bot':{width}}  seats    won  of its seats (95 % sure)    tokens  candidate"
    for line in lines:
        low, high = wilson(line.won, line.seats)
        share = f"{line.rate:6.1%}  ({low:.1%} to {high:.1%})"
        yield f"{line.name:{width}} {line.seats:6} {line.won:6}  {share:26} {line.tokens:7} {line.candidate:10}"
    for line in lines:
        for (kind, detail), count in line.lost.most_common(8):
            yield f"{line.name}: lost {count} turns: {kind}, {detail}"
