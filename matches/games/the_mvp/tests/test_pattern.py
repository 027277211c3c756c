"""The hexagon: which cards cover which, and which are hidden."""

import pytest

from matches.games.the_mvp.cards import COVERED_BY, PLACES, exposures

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
