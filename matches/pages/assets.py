"""The things people own, as they are shown: an icon told apart by its shape, and a word."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asset:
    icon: str
    one: str
    many: str

    def unit(self, amount: object) -> str:
        return self.one if amount in (1, "1") else self.many


ASSETS = {
    "chip": Asset("chip", "chip", "chips"),
    "garnet": Asset("garnet", "garnet", "garnets"),
    "blood_garnet": Asset("blood-garnet", "blood garnet", "blood garnets"),
    "token": Asset("token", "token", "tokens"),
    "tol": Asset("tol", "Token of Life", "Tokens of Life"),
    "priority": Asset("priority", "priority", "priority"),
    "gold": Asset("gold", "gold coin", "gold coins"),
    "silver": Asset("silver", "silver coin", "silver coins"),
    "bronze": Asset("bronze", "bronze coin", "bronze coins"),
}


_ITEM = "item:"


def asset(name: str) -> Asset:
    """`item:<name>` is one of a match's items, by its name. A match type may bring an asset nobody has drawn yet: it is
    shown plainly, under its own name."""
    word = name.removeprefix(_ITEM).replace("_", " ")
    return ASSETS.get(name) or Asset("item" if name.startswith(_ITEM) else "token", word, word)
