"""The form fields in which hosts build rounds and auctions, set the coins at the start, and name the items."""

from typing import Any

from matches.engine.core import GARNET
from matches.engine.settings import Data, Values
from matches.games.coin_collectors.config import LONGEST_DESCRIPTION, LONGEST_NAME
from matches.games.coin_collectors.items import KINDS, USUAL_WORDS
from matches.games.coin_collectors.shares import COINS
from matches.inputs import InputsField, Texts

_HOSTING = "games/coin_collectors/hosting"
_STYLE = "games/coin_collectors/hosting.css"


class StartCoins(InputsField):
    """How many coins of each kind everybody starts with."""

    template = f"{_HOSTING}/start.html"
    style = _STYLE


class ItemWords(InputsField):
    """The name and description of each kind of item, or that the match leaves it out."""

    template = f"{_HOSTING}/items.html"
    style = _STYLE
    keys = KINDS
    attrs = {
        "name": {"maxlength": LONGEST_NAME, "data-updates": True},
        "description": {"maxlength": LONGEST_DESCRIPTION},
        "gone": {"data-updates": True},
    }

    def details(self, value: Any) -> dict[str, Any]:
        return {"rows": [(kind, USUAL_WORDS[kind].name, row) for kind, row in value.items()]}

    def clean(self, value: Texts | None) -> Any:
        """Return only the kinds that differ from the default."""
        found = super().clean(value)
        return found and {kind: words for kind, words in found.items() if words != self.usual[kind]}


class Rounds(InputsField):
    """The round builder. Each list ends with an empty row; fill it in to add one."""

    template = f"{_HOSTING}/rounds.html"
    style = _STYLE
    shows_usual = True
    attrs = {"name": {"maxlength": LONGEST_NAME, "data-begin": True, "placeholder": "name"}}

    def __init__(self, setting: Data, values: Values) -> None:
        super().__init__(setting, values)
        self.names = {kind: words.name for kind, words in values["items"].items() if words is not None}

    def show_running(self, view: Any) -> None:
        """Make rounds that have started read-only, in a running match."""
        self.begun = view.round

    def details(self, value: Any) -> dict[str, Any]:
        """What the template needs: columns for coins, garnets, and the kinds of items that the match has or prizes use;
        and for each auction its name and amounts."""
        prizes = [auction["prize"] for each in value for auction in each["auctions"]]
        typed = {kind for prize in prizes for kind, box in prize["items"].items() if box.value}
        columns = [(kind, kind.capitalize(), False) for kind in (*COINS, GARNET)]
        for kind in KINDS:
            if kind in self.names or kind in typed:
                columns.append((kind, self.names.get(kind, USUAL_WORDS[kind].name), True))
        for each in value:
            each["names"] = ", ".join(a["name"].value for a in each["auctions"] if a["name"].value)
            for auction in each["auctions"]:
                boxes = {**auction["prize"], **auction["prize"]["items"]}
                auction["amounts"] = [(*column, boxes[column[0]]) for column in columns]
        return {"columns": columns}


FIELDS = {"start": StartCoins, "items": ItemWords, "rounds": Rounds}
