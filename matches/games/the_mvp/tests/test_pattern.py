"""The hexagon: which cards cover which, and which are hidden."""

from matches.games.the_mvp.cards import COVERED_BY, PLACES

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
