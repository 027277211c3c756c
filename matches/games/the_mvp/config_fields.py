"""The form field in which hosts set the deck: a hexagon that looks like the pattern."""

from typing import Any

from matches.engine.settings import Data, Values
from matches.games.the_mvp.cards import CARDS, PLACES, ROWS
from matches.inputs import InputsField, Part


class DeckHexagon(InputsField):
    """A card for each place, in the rows of the pattern; if all are empty, the deck is drawn."""

    template = "games/the_mvp/hosting/deck.html"
    style = "games/the_mvp/hosting.css"
    keys = PLACES

    def __init__(self, setting: Data, values: Values) -> None:
        super().__init__(setting, values)
        self.help_text = (
            "If you leave this empty, the site draws the cards. To set them, for example for a rematch, choose one for "
            "each place, each card once. Lower cards lie on top of upper ones. Players see a card only when it lies "
            "face up."
        )

    def details(self, value: Part) -> dict[str, Any]:
        rows = [[(place, value[place]) for place in row] for row in ROWS]
        return {"rows": rows, "cards": [(card, card.replace("-", " ")) for card in CARDS]}


FIELDS = {"deck": DeckHexagon}
