"""The 24 cards: four suits of six ranks, written `pear-3`."""

from __future__ import annotations

SUITS = ("apple", "lemon", "pear", "grape")
RANKS = (1, 2, 3, 4, 5, 6)


def card(suit: str, rank: int) -> str:
    """The name of a card."""
    return f"{suit}-{rank}"


CARDS = tuple(card(suit, rank) for suit in SUITS for rank in RANKS)
"""All cards, suit by suit."""

SUIT_OF = {card(suit, rank): suit for suit in SUITS for rank in RANKS}
RANK_OF = {card(suit, rank): rank for suit in SUITS for rank in RANKS}
