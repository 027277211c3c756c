"""Words in pictures: how wide they are, and how they are cut."""

from __future__ import annotations

import pytest

from matches.pages import fonts

ROOM, SIZE = 200.0, 30.0


def test_widths_are_those_of_the_font() -> None:
    assert fonts.width("0", 2048) == pytest.approx(1303)  # of DejaVu Sans, in its own units
    assert fonts.width("0", 2048, bold=True) == pytest.approx(1425)
    assert fonts.width("MM", SIZE) == 2 * fonts.width("M", SIZE) > 2 * fonts.width("i", SIZE)


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("text", ["Ana", "W" * 60, "a b " * 20, "Жук" * 20, "a\u0301" * 40, "ليلى" * 20])
def test_what_is_cut_fits_and_says_so(text: str, bold: bool) -> None:
    shown = fonts.cut(text, ROOM, SIZE, bold=bold)
    assert fonts.width(shown, SIZE, bold=bold) <= ROOM
    assert shown == text or (shown.endswith("…") and text.startswith(shown[:-1]))
    line, size = fonts.fitted(text, ROOM, SIZE, bold=bold)
    assert fonts.width(line, size, bold=bold) <= ROOM + 0.01


def test_a_text_that_is_a_little_too_long_is_made_smaller_instead() -> None:
    text = "a little too long"
    room = fonts.width(text, SIZE) * 0.8
    assert fonts.fitted(text, room, SIZE) == (text, pytest.approx(SIZE * 0.8))


def test_lines_break_between_words_and_the_last_is_cut() -> None:
    assert fonts.lines("one two three four", fonts.width("one two", SIZE), SIZE, 2) == ["one two", "three…"]
    assert fonts.lines("short", ROOM, SIZE, 3) == ["short"]
    assert fonts.lines("", ROOM, SIZE, 3) == []
    unbroken = fonts.lines("W" * 40, ROOM, SIZE, 3)
    assert len(unbroken) == 3
    assert all(fonts.width(line, SIZE) <= ROOM for line in unbroken)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x00b\x0b\ud800c", "abc"),
        ("a\u202eb\u200b\u2066c", "abc"),
        ("a\nb\t c\u2028d", "a b c d"),
        ("e\u0301", "é"),
        ("李小龙 x", "□□□ x"),
        ("🙂", "□"),
        ("x\U000e0041\ufe0f", "x"),
        ("<&>\"'", "<&>\"'"),
    ],
)
def test_only_what_the_font_can_draw_is_left(text: str, shown: str) -> None:
    assert fonts.drawable(text) == shown


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (12345, "12345"),
        (-7, "−7"),
        (10**69, "1.00×10⁶⁹"),
        (123456 * 10**64, "1.23×10⁶⁹"),
        (-(10**40), "−1.00×10⁴⁰"),
    ],
)
def test_a_number_keeps_its_size_of_magnitude(number: int, shown: str) -> None:
    text, size = fonts.fitted_number(number, 100, SIZE, bold=True)
    assert text == shown
    assert fonts.width(text, size, bold=True) <= 100.01
