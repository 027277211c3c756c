"""Random draws that anybody can check after the match.

Every draw comes from the match's own 32-byte seed: HMAC-SHA256 of `<purpose>:<counter>`, keyed with the seed and read
as a big-endian number. A number that would favour some outcomes is discarded and the counter goes up (rejection
sampling). Each purpose is used for only one draw of a match, so no counter has to be stored. The SHA-256 of the seed is
published when the match is announced, the seed itself when it is finished.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32
_SPACE: int = 1 << 256


def commitment(seed: bytes) -> str:
    """The hash that is published before the first draw: SHA-256 of the seed, in hex."""
    return hashlib.sha256(seed).hexdigest()


class Draw:
    """The draws of one match. Results depend only on the seed (32 bytes) and the purpose."""

    __slots__ = ("_seed",)

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed is {SEED_BYTES} bytes long")
        self._seed = seed

    def __repr__(self) -> str:
        return "Draw(seed hidden)"

    def _numbers(self, purpose: str) -> Iterator[int]:
        counter = 0
        while True:
            message = f"{purpose}:{counter}".encode()
            yield int.from_bytes(hmac.digest(self._seed, message, "sha256"), "big")
            counter += 1

    @staticmethod
    def _below(numbers: Iterator[int], bound: int) -> int:
        limit = _SPACE - _SPACE % bound
        return next(number for number in numbers if number < limit) % bound

    def integer(self, purpose: str, bound: int) -> int:
        """A whole number from 0 up to, not including, `bound`."""
        if bound < 1:
            raise ValueError("nothing to draw from")
        return self._below(self._numbers(purpose), bound)

    def choice(self, purpose: str, options: Sequence[T]) -> T:
        """One of the options, each as likely as the next."""
        return options[self.integer(purpose, len(options))]

    def shuffle(self, purpose: str, items: Sequence[T]) -> tuple[T, ...]:
        """All items in random order (Fisher-Yates, from the last place down)."""
        order = list(items)
        numbers = self._numbers(purpose)
        for place in range(len(order) - 1, 0, -1):
            other = self._below(numbers, place + 1)
            order[place], order[other] = order[other], order[place]
        return tuple(order)

    def sample(self, purpose: str, items: Sequence[T], count: int) -> tuple[T, ...]:
        """`count` different items in random order: the first ones of a shuffle."""
        return self.shuffle(purpose, items)[:count]
