"""A cache in this process: a dict of limited size."""

from collections.abc import Callable, Hashable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LocalCache(dict[K, V]):
    """A cache of up to about `most` entries, or of entries whose `size`s add up to about `most`.

    If it gets larger, the older half goes; dropping everything would be bad for whatever needs only a little more room
    than there is. Several threads may use it.
    """

    def __init__(self, most: int, size: Callable[[V], int] = lambda _: 1) -> None:
        super().__init__()
        self._most, self._size, self._total = most, size, 0

    def keep(self, key: K, value: V) -> None:
        """Put an entry in as the newest."""
        if (before := self.pop(key, None)) is not None:
            self._total -= self._size(before)
        self[key] = value
        self._total += self._size(value)
        if self._total > self._most:
            for each in list(self)[: max(len(self) // 2, 1)]:
                self.pop(each, None)
            self._total = sum(map(self._size, list(self.values())))
