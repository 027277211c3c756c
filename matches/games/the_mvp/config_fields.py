"""The form field in which hosts set the deck, on a hexagon that looks like the pattern.

This is the only file of the folder that may use Django; the hosts' console finds `FIELDS` automatically.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.template.loader import render_to_string

from matches.engine.errors import ConfigError
from matches.games.the_mvp.cards import CARDS, PLACES, ROWS
from matches.games.the_mvp.config import Deck

Typed = dict[str, str]
"""Place -> chosen card; places without one are left out."""


class DeckHexagon(forms.Widget):
    """A choice of a card for each place, in the rows of the pattern."""

    template_name = "games/the_mvp/hosting/deck.html"
    use_fieldset = True

    class Media:
        css = {"all": ("games/the_mvp/hosting.css",)}

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Typed:
        chosen = {place: str(data.get(f"{name}-{place}", "")).strip() for place in PLACES}
        return {place: card for place, card in chosen.items() if card}

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        return False

    def id_for_label(self, id_: str, index: str | None = None) -> str:
        return ""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        chosen: Typed = value or {}
        rows = [
            [{"place": place, "name": f"{name}-{place}", "card": chosen.get(place, "")} for place in row]
            for row in ROWS
        ]
        cards = [(card, card.replace("-", " ")) for card in CARDS]
        return render_to_string(self.template_name, {"rows": rows, "cards": cards, "attrs": attrs or {}})


class DeckField(forms.Field):
    """A card for each place, or none at all; cleans to the deck as JSON, or None if it is to be drawn."""

    def __init__(self, setting: Deck, values: Mapping[str, Any]) -> None:
        self.setting = setting
        super().__init__(
            required=False,
            widget=DeckHexagon(),
            help_text=(
                "Leave it empty to have the cards drawn. To set them, for example for a rematch, choose one for every "
                "place, each card once. Lower cards lie over the upper ones. Players see a card when it lies face up, "
                "and not before."
            ),
        )

    def prepare_value(self, value: Any) -> Any:
        return value or {}

    def has_changed(self, initial: Any, data: Any) -> bool:
        return True

    def clean(self, value: Any) -> Typed | None:
        """The deck as JSON. Raises `ValidationError` that names all places that are wrong."""
        if not value:
            return None
        try:
            return self.setting.read(value)
        except ConfigError as error:
            place = error.key.rpartition(".")[2]
            raise forms.ValidationError(f"{place}: {error.message}.") from None


FIELDS = {"deck": DeckField}
