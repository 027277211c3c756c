"""What is kept in limited room."""

from __future__ import annotations

from matches.infra.kept import Kept


def test_the_older_half_goes_and_not_everything() -> None:
    kept = Kept[int, str](10)
    for number in range(11):
        kept.keep(number, str(number))
    assert list(kept) == list(range(5, 11))


def test_what_is_put_in_again_is_the_newest() -> None:
    kept = Kept[int, str](4)
    for number in (0, 1, 2, 3, 0, 4):
        kept.keep(number, str(number))
    assert list(kept) == [3, 0, 4]


def test_room_is_counted_by_size() -> None:
    kept = Kept[int, str](100, len)
    for number in range(1000):
        kept.keep(number, "x" * (number % 40))
        assert sum(map(len, kept.values())) <= 100
    assert kept


def test_one_that_is_too_large_by_itself_is_not_kept() -> None:
    kept = Kept[int, str](100, len)
    kept.keep(1, "x" * 101)
    assert kept == {}


def test_putting_in_the_same_again_fills_no_room() -> None:
    kept = Kept[int, str](10)
    for number in (1, 2, 3):
        kept.keep(number, "")
    for _ in range(50):
        kept.keep(3, "")
    assert list(kept) == [1, 2, 3]
