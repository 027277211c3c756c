"""The hosts' field for a fixed deck."""

from __future__ import annotations

import re

import pytest
from django.core.exceptions import ValidationError

from matches.games.the_mvp import GAME
from matches.games.the_mvp.cards import CARDS
from matches.games.the_mvp.config_fields import DeckField
from matches.games.the_mvp.pattern import PLACES

OPTION = next(option for option in GAME.settings if option.key == "deck")
DECK = dict(zip(PLACES, reversed(CARDS), strict=True))


def field() -> DeckField:
    return DeckField(OPTION, GAME.config_type.defaults({}))  # type: ignore[arg-type]


def read(data: dict[str, str]) -> dict[str, str] | None:
    """What a form with these inputs cleans to."""
    made = field()
    return made.clean(made.widget.value_from_datadict(data, None, "deck"))


def test_an_empty_field_has_the_cards_drawn() -> None:
    assert read({}) is None
    assert read({f"deck-{place}": " " for place in PLACES}) is None
    assert field().prepare_value(None) == {}


def test_a_card_for_every_place_is_a_deck_and_reads_back() -> None:
    assert read({f"deck-{place}": card for place, card in DECK.items()}) == DECK
    assert field().clean(field().prepare_value(DECK)) == DECK


@pytest.mark.parametrize(
    ("place", "card", "says"),
    [
        ("A", "", "A: its card is missing"),
        ("X", "", "X: its card is missing"),
        ("C", "plum-7", "C: plum-7 is not a card of this game"),
        ("D", DECK["B"], f"D: {DECK['B']} lies at B already"),
    ],
)
def test_the_place_that_is_wrong_is_named(place: str, card: str, says: str) -> None:
    with pytest.raises(ValidationError) as refused:
        read({f"deck-{each}": chosen for each, chosen in {**DECK, place: card}.items()})
    assert refused.value.messages[0].startswith(says)
    assert refused.value.messages[0].endswith(".")


def test_all_places_that_are_wrong_are_named_at_once() -> None:
    typed = {**DECK, "B": "", "C": "plum-7", "D": DECK["A"], "X": ""}
    with pytest.raises(ValidationError) as refused:
        read({f"deck-{place}": card for place, card in typed.items()})
    (said,) = refused.value.messages
    assert said.startswith("B: its card is missing; C: plum-7 is not a card of this game; ")
    assert f"D: {DECK['A']} lies at A already; no card is named for X; each place" in said


def test_the_choices_lie_in_the_rows_of_the_pattern() -> None:
    html = field().widget.render("deck", DECK, {"id": "id_deck"})
    rows = [re.findall(r'name="deck-(\w)"', row) for row in html.split("deck__row")[1:]]
    assert ["".join(row) for row in rows] == ["ABCD", "EFGHI", "JKLMNO", "PQRST", "UVWX"]
    chosen = re.findall(r'<option value="([\w-]+)" selected>', html)
    assert chosen == list(DECK.values())
