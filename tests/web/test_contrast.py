"""The colours can be read: every pair of tokens that carries words is measured, by day and by night.

Ratios are WCAG's: 7 for running text (AAA), 4.5 for other words (AA), 3 for edges and shapes.
"""

import re
from pathlib import Path

import pytest

TOKENS = Path(__file__).parents[2] / "static" / "css" / "tokens.css"
COLOUR = re.compile(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);")

AAA, AA, SHAPE = 7.0, 4.5, 3.0
ACCENTS = ("brass", "garnet", "jade", "slate")

PAIRS: list[tuple[str, str, float]] = [
    *[("ink", surface, AAA) for surface in ("paper", "card", "well")],
    *[("ink-soft", surface, AAA) for surface in ("paper", "card", "well")],
    *[("ink", f"{accent}-tint", AAA) for accent in ACCENTS],
    *[("ink-soft", f"{accent}-tint", AAA) for accent in ACCENTS],
    *[(accent, surface, AA) for accent in ACCENTS for surface in ("paper", "card", "well")],
    *[(accent, f"{accent}-tint", AA) for accent in ACCENTS],
    *[(f"on-{accent}", f"{accent}-fill", AA) for accent in ACCENTS],
    *[("on-felt", felt, AAA) for felt in ("felt", "felt-deep", "felt-raised")],
    *[("on-felt-soft", felt, AA) for felt in ("felt", "felt-deep", "felt-raised")],
    *[
        (f"felt-{each}", felt, AA)
        for each in ("brass", "jade", "slate", "stone")
        for felt in ("felt", "felt-deep", "felt-raised")
    ],
    *[("mark-ink", f"mark-{n}", AAA) for n in range(12)],
    *[(f"mark-{n}", "felt", SHAPE) for n in range(12)],
    *[("line-strong", surface, SHAPE) for surface in ("paper", "card", "well")],
    *[("focus", surface, SHAPE) for surface in ("paper", "card", "well")],
    *[("stone", surface, SHAPE) for surface in ("paper", "card", "well")],
    *[("focus-on-felt", felt, SHAPE) for felt in ("felt", "felt-deep", "felt-raised")],
]


def read_tokens() -> dict[str, dict[str, str]]:
    themes: dict[str, dict[str, str]] = {"light": {}, "dark": {}}
    for name, by_day, by_night in COLOUR.findall(TOKENS.read_text()):
        themes["light"][name] = by_day
        themes["dark"][name] = by_night
    return themes


def luminance(colour: str) -> float:
    def linear(channel: int) -> float:
        share = channel / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(int(colour[i : i + 2], 16)) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("front", "back", "least"), PAIRS)
def test_words_stand_out_from_their_surface(theme: str, front: str, back: str, least: float) -> None:
    colours = read_tokens()[theme]
    measured = contrast(colours[front], colours[back])
    assert measured >= least, f"{front} on {back} ({theme}): {measured:.2f}, needs {least}"
