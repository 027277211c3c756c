"""The hexagon: which cards cover which, and which are hidden."""

import pytest

from matches.games.the_mvp.cards import COVERED_BY, PLACES, POSITIONS, exposed, exposures

WRITTEN = """
P by U; Q by U, V; R by V, W; S by W, X; T by X;
J by P; K by P, Q; L by Q, R; M by R, S; N by S, T; O by T; E by J, K; F by K, L; G by L, M; H by M, N; I by N, O;
A by E, F; B by F, G; C by G, H; D by H, I
"""


def test_each_card_is_covered_as_the_rules_say() -> None:
    said = dict(part.strip().split(" by ") for part in WRITTEN.split(";"))
    listed = {place: tuple(covers.split(", ")) for place, covers in said.items()}
    assert {place: covers for place, covers in COVERED_BY.items() if covers} == listed
    assert len(PLACES) == 24


def test_rows_lie_half_a_step_apart() -> None:
    assert POSITIONS["A"] == (2, 0)
    assert [POSITIONS[place].x for place in "JKLMNO"] == [0, 2, 4, 6, 8, 10]
    assert POSITIONS["X"] == (8, 4)


def test_at_the_start() -> None:
    shown = exposures(PLACES)
    assert exposed(PLACES) == tuple("UVWX")
    assert [place for place, state in shown.items() if state == "nearly"] == list("PQRST")
    assert [place for place, state in shown.items() if state == "hidden"] == list("ABCDEFGHIJKLMNO")


@pytest.mark.parametrize(
    ("gone", "now_exposed", "now_nearly"),
    [("U", "P", "J"), ("W", "", ""), ("UV", "PQ", "JK"), ("UVWX", "PQRST", "JKLMNO"), ("UVWXPQRST", "JKLMNO", "EFGHI")],
)
def test_what_is_uncovered_when_cards_leave(gone: str, now_exposed: str, now_nearly: str) -> None:
    shown = exposures([place for place in PLACES if place not in gone])
    before = exposures(PLACES)
    turned = {place: state for place, state in shown.items() if place not in "UVWX" and before[place] != state}
    assert {p for p, state in turned.items() if state == "exposed"} == set(now_exposed)
    newly = {p for p, state in turned.items() if state == "nearly"}
    assert newly == set(now_nearly)
    assert not set(gone) & set(shown)


def test_the_last_card_is_exposed() -> None:
    assert exposures(["A"]) == {"A": "exposed"}
    assert exposures([]) == {}
